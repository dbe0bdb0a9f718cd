/// The properties of the device behind a Contact.
extension NameAddress {
    /// How long the binding lives, in seconds (RFC 3261 §10.2.1.1).
    public var expires: UInt32? {
        get { parameters.seconds("expires") }
        set { parameters["expires"] = newValue.map { "\($0)" } }
    }

    /// The preference among Contacts, 0 to 1 (RFC 3261 §20.10); nil when absent or out of range.
    public var preference: Double? {
        parameters["q"].flatMap { Double($0) }.flatMap { (0...1).contains($0) ? $0 : nil }
    }

    /// The device, `urn:uuid:…`, without its angle brackets (RFC 5626 §4.1).
    public var instance: String? {
        get {
            guard let text = parameters["+sip.instance"] else { return nil }
            return text.hasPrefix("<") && text.hasSuffix(">") ? String(text.dropFirst().dropLast()) : text
        }
        set {
            guard let newValue else { return parameters["+sip.instance"] = nil }
            parameters.setQuoted("+sip.instance", "<\(newValue)>")
        }
    }

    /// The number of the device's flow, from 1 (RFC 5626 §4.2). Nil when absent or out of range.
    public var registrationID: UInt32? {
        get { parameters["reg-id"].flatMap { UInt32($0) }.flatMap { (1...CSeq.maximum).contains($0) ? $0 : nil } }
        set { parameters["reg-id"] = newValue.map { "\($0)" } }
    }

    /// The address that reaches this device from anywhere, for as long as the account exists (RFC 5627 §3.1.1).
    public var publicGRUU: URI? { gruu("pub-gruu") }

    /// A GRUU that does not reveal whose device it is. It is valid until the registration ends (RFC 5627 §3.1.2).
    public var temporaryGRUU: URI? { gruu("temp-gruu") }

    private func gruu(_ name: String) -> URI? {
        guard let text = parameters[name] else { return nil }
        do throws(SIPParseError) { return try URI(text) } catch { return nil }
    }
}

extension SIPURI {
    /// Whether messages to this Contact must use the flow over which it came (RFC 5626 §5).
    public var prefersItsFlow: Bool {
        get { parameters.contains("ob") }
        set { if newValue { parameters.setFlag("ob") } else { parameters["ob"] = nil } }
    }

    /// Whether the URI identifies one device of an account (RFC 5627 §3.3).
    public var isGRUU: Bool { parameters.contains("gr") }
}
