import SIPCore

/// The identity that a call of ours shows to the far end.
struct OutgoingIdentity: Equatable, Sendable {
    /// For From (RFC 3261 §8.1.1.3), without a tag.
    let from: NameAddress
    /// For the account's own server, which may assert it or not (RFC 3325 §9.2).
    let preferred: NameAddress?
    let isWithheld: Bool

    /// - Parameters:
    ///   - own: The line's own address.
    ///   - hasServer: Whether there is an account's server. Only the server learns who calls when the number is
    ///     withheld.
    init(_ configuration: LineConfiguration, own: URI, hasServer: Bool, isWithheld: Bool) {
        let shown = NameAddress(own, displayName: configuration.displayName)
        self.isWithheld = isWithheld
        from =
            isWithheld
            // RFC 3323 §4.1.1.3.
            ? NameAddress(
                .sip(SIPURI(user: CallerClaim.anonymous, host: "anonymous.invalid")), displayName: "Anonymous") : shown
        preferred =
            hasServer ? configuration.preferredIdentity.map { NameAddress($0) } ?? (isWithheld ? shown : nil) : nil
    }

    func write(to headers: inout SIPHeaders) {
        if let preferred { headers.set(.pPreferredIdentity, preferred) }
        if isWithheld { headers.set(.privacy, Privacy(["id"])) }
    }
}

extension NameAddress {
    /// The Contact without the user part, so that it does not tell who we are.
    var withoutUser: NameAddress {
        guard case .sip(var uri) = uri else { return self }
        uri.userinfo = nil
        var address = self
        address.uri = .sip(uri)
        return address
    }
}
