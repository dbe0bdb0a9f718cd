import SIPCore

/// Faults that a line once had, planted around it: it gets a false source or a changed message.
extension PlantedBug {
    /// The message as the line gets it.
    /// - Parameter home: The flow to the account's server.
    func shown(_ bytes: [UInt8], over flow: Flow, home: Flow) -> (bytes: [UInt8], flow: Flow) {
        switch self {
        case .believesAddress: return (bytes, flow.remote.host == Proxy.endpoint.host ? home : flow)
        case .believesTransport:
            return (bytes, flow.remote == Proxy.endpoint && flow.opener == .us ? home : flow)
        case .believesDialog:
            guard case .request(let request)? = try? SIPMessage(bytes.span),
                ((try? request.headers.to.tag) ?? nil) != nil
            else { return (bytes, flow) }
            return (bytes, home)
        case .believesBranch:
            guard case .response(let response)? = try? SIPMessage(bytes.span) else { return (bytes, flow) }
            let isStream = response.headers[.via]?.hasPrefix("SIP/2.0/TCP") == true
            return (bytes, isStream ? Flow(.tcp, local: flow.local, remote: Proxy.endpoint) : home)
        case .weakProof:
            let text = String(decoding: bytes, as: UTF8.self)
            guard text.contains(Enemy.nonce) else { return (bytes, flow) }
            return (Array(text.replacing("algorithm=MD5", with: "algorithm=SHA-256, qop=\"auth\"").utf8), flow)
        case .doubleEnd, .leakedGuard, .lateActivation, .ringAfterElsewhere, .refusesUnseen, .lostDeadline,
            .followsReferral,
            .anybodyIsListed, .forgetsDomain, .verifiesAnybody, .neverLocks, .speaksBeforeACK,
            .crossesVoice, .dropsProtection:
            return (bytes, flow)
        }
    }
}
