import SIPCore

/// The extensions of RFC 3261 that this line supports, and its answers to requests that require others.
extension LineMachine {
    static let allowed: [SIPMethod] = [
        .invite, .ack, .cancel, .bye, .options, .notify, .info, .message, .refer, .prack, .update,
    ]

    /// The options of RFC 3262, RFC 4028, RFC 3891, RFC 4488 and RFC 4538.
    static let extensions = ["100rel", "timer", "replaces", "norefersub", "tdialog"]
}

extension LineContext {
    /// Writes our Contact and our capabilities, for every request and response that makes or renews a dialog (RFC 3261
    /// §13.2.1, RFC 3311 §5).
    func introduce(_ headers: inout SIPHeaders, contact: NameAddress) {
        headers.set(.contact, contact)
        headers.set(.allow, tokens: LineMachine.allowed.map(\.name))
        headers.set(.supported, tokens: LineMachine.extensions)
        headers[.userAgent] = configuration.userAgent
    }

    /// Writes the headers that an INVITE and its 2xx have besides those of the dialog (RFC 3261 §13.2.1).
    func complete(_ headers: inout SIPHeaders, contact: NameAddress) {
        introduce(&headers, contact: contact)
        headers.set(.contentType, MediaType.sdp)
    }
}

extension SIPRequest {
    /// Refuses a request that requires unknown extensions. Nil if it requires none.
    /// - Parameter known: The extensions that make sense in such a request.
    func refusalOfExtensions(knowing known: [String] = LineMachine.extensions) -> RequestRefusal? {
        let unknown = headers.options(.require).filter { !known.contains($0.lowercased()) }
        return unknown.isEmpty ? nil : .badExtension(unknown)
    }
}

extension SIPHeaders {
    /// The option tags of a header. Empty if it is malformed.
    fileprivate func options(_ name: SIPHeaderName) -> [String] { (try? tokens(name)) ?? [] }

    func requires(_ option: String) -> Bool { options(.require).contains { $0.lowercased() == option } }

    /// Whether the sender supports an option. A sender that requires an option also supports it, even if its Supported
    /// omits it.
    func supports(_ option: String) -> Bool {
        requires(option) || options(.supported).contains { $0.lowercased() == option }
    }

    func allows(_ method: SIPMethod) -> Bool { options(.allow).contains(method.name) }

    /// Whether a response may have a body of this type. Without Accept, a session description is allowed. An Accept
    /// that does not list the type forbids it (RFC 3261 §20.1).
    func mayAccept(_ type: MediaType) -> Bool {
        guard contains(.accept), let accepted = try? list(.accept, of: MediaType.self) else { return true }
        let family = type.name.prefix { $0 != "/" } + "/*"
        return accepted.contains { range in
            (range.name == type.name || range.name == family || range.name == "*/*")
                && !["0", "0.0", "0.00", "0.000"].contains(range.parameters["q"])
        }
    }

    /// Whether the sender may support a method. A sender without Allow may support any (RFC 3261 §20.5).
    func mayAllow(_ method: SIPMethod) -> Bool { !contains(.allow) || allows(method) }
}
