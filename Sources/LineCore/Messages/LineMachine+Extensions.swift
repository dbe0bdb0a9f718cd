import SIPCore

/// What this line speaks beyond RFC 3261, and what it says to those who ask for more.
extension LineMachine {
    static let allowed: [SIPMethod] = [
        .invite, .ack, .cancel, .bye, .options, .notify, .info, .message, .refer, .prack, .update,
    ]

    /// The options of RFC 3262, RFC 4028, RFC 3891, RFC 4488 and RFC 4538.
    static let extensions = ["100rel", "timer", "replaces", "norefersub", "tdialog"]
}

extension LineContext {
    /// Who we are and what we can do: what every request and response says that makes or renews a dialog
    /// (RFC 3261 §13.2.1, RFC 3311 §5).
    func introduce(_ headers: inout SIPHeaders, contact: NameAddress) {
        headers.set(.contact, contact)
        headers.set(.allow, tokens: LineMachine.allowed.map(\.name))
        headers.set(.supported, tokens: LineMachine.extensions)
        headers[.userAgent] = configuration.userAgent
    }

    /// What an INVITE and its 2xx say besides the dialog (RFC 3261 §13.2.1).
    func complete(_ headers: inout SIPHeaders, contact: NameAddress) {
        introduce(&headers, contact: contact)
        headers.set(.contentType, MediaType.sdp)
    }
}

extension SIPRequest {
    /// Nil when it requires nothing that we do not know.
    /// - Parameter known: What makes sense in such a request.
    func refusalOfExtensions(knowing known: [String] = LineMachine.extensions) -> RequestRefusal? {
        let unknown = headers.options(.require).filter { !known.contains($0.lowercased()) }
        return unknown.isEmpty ? nil : .badExtension(unknown)
    }
}

extension SIPHeaders {
    /// The option tags under a name; none when it does not read.
    fileprivate func options(_ name: SIPHeaderName) -> [String] { (try? tokens(name)) ?? [] }

    func requires(_ option: String) -> Bool { options(.require).contains { $0.lowercased() == option } }

    /// Who requires something knows it, whether it says so or not.
    func supports(_ option: String) -> Bool {
        requires(option) || options(.supported).contains { $0.lowercased() == option }
    }

    func allows(_ method: SIPMethod) -> Bool { options(.allow).contains(method.name) }

    /// Whether a response may have a body of this type. Whoever says nothing takes a session description, and whoever says
    /// nothing of this one does not (RFC 3261 §20.1).
    func mayAccept(_ type: MediaType) -> Bool {
        guard contains(.accept), let accepted = try? list(.accept, of: MediaType.self) else { return true }
        let family = type.name.prefix { $0 != "/" } + "/*"
        return accepted.contains { range in
            (range.name == type.name || range.name == family || range.name == "*/*")
                && !["0", "0.0", "0.00", "0.000"].contains(range.parameters["q"])
        }
    }

    /// Who does not say what it takes may take anything (RFC 3261 §20.5).
    func mayAllow(_ method: SIPMethod) -> Bool { !contains(.allow) || allows(method) }
}
