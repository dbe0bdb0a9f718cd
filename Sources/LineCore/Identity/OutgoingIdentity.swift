import SIPCore

/// The identity that our call shows to the far end.
struct OutgoingIdentity: Equatable, Sendable {
    /// The address in From (RFC 3261 §8.1.1.3), without a tag.
    let from: NameAddress
    /// The identity that the account's own server may assert or not (RFC 3325 §9.2).
    let preferred: NameAddress?
    let isWithheld: Bool

    /// Servers know an account by its From. So a call with another number asks the server to show that number. Without
    /// a server, the number is in From. If the number is withheld, only the server learns the caller. A server that finds
    /// accounts by From needs a true one, and takes it off the call (RFC 3325 §7).
    /// - Parameter own: The line's own address.
    init(_ configuration: LineConfiguration, own: SIPURI, presentation: CallPresentation, isWithheld: Bool) {
        let name = presentation.callerName ?? configuration.displayName
        let numbered = presentation.callerNumber.map {
            NameAddress(.sip(SIPURI(user: $0, host: own.host, port: own.port)), displayName: name)
        }
        let hasServer = configuration.account != nil
        let usual = NameAddress(.sip(own), displayName: name)
        let shown = hasServer ? usual : numbered ?? usual
        self.isWithheld = isWithheld
        let isHidden = isWithheld && configuration.account?.hidesFrom != true
        from =
            isHidden
            // RFC 3323 §4.1.1.3.
            ? NameAddress(
                .sip(SIPURI(user: CallerClaim.anonymous, host: "anonymous.invalid")), displayName: "Anonymous") : shown
        preferred =
            hasServer
            ? numbered ?? configuration.preferredIdentity.map { NameAddress($0) } ?? (isWithheld ? shown : nil) : nil
    }

    func write(to headers: inout SIPHeaders) {
        if let preferred { headers.set(.pPreferredIdentity, preferred) }
        if isWithheld { headers.set(.privacy, Privacy(["id"])) }
    }
}

extension NameAddress {
    /// The Contact without the user part, so that it does not identify us.
    var withoutUser: NameAddress {
        guard case .sip(var uri) = uri else { return self }
        uri.userinfo = nil
        var address = self
        address.uri = .sip(uri)
        return address
    }
}
