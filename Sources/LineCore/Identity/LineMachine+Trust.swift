import Base
import SIPCore

/// Learns the security of the account's server, and rejects anything weaker.
extension LineMachine {
    /// The longest realm that is reported, in bytes.
    private static let realmLimit = 128

    /// Learns from a request that the server has accepted, and from nothing else. Otherwise one forged strong challenge
    /// would make the line reject, for good, a server that supports only weak proofs. It learns the strength of the
    /// proof from registrations only, because a called party that challenges a call accepts the proof, too. A line that
    /// does not register has only its calls to learn from.
    mutating func learn(from request: SentRequest, over flow: Flow) {
        guard let account = configuration.account, isOwnServer(flow) else { return }
        var grown = trust
        if request.purpose.registers || !account.registers,
            let strength = authentication.learn(from: request.request)
        {
            grown.proof = LineTrust.Proof(strength)
            grown.realm = authentication.realm?.shown(bytes: Self.realmLimit)
        }
        // If a person has configured the transport, there is nothing to learn about it.
        if account.server.namedTransport == nil, flow.transport.isSecure { grown.isOverTLS = true }
        guard grown != trust else { return }
        trust = grown
        outputs.append(.trust(.learned(grown)))
    }

    mutating func report(_ breach: TrustBreach, at now: Instant) {
        if limits.breaches.admit(at: now) { outputs.append(.trust(.refused(breach))) }
    }
}

extension DigestStrength {
    package init(_ proof: LineTrust.Proof) {
        switch proof.hash {
        case .md5: self.init(.md5, hasQuality: proof.hasClientNonce)
        case .sha2: self.init(.sha2, hasQuality: proof.hasClientNonce)
        }
    }
}

extension LineTrust.Proof {
    init(_ strength: DigestStrength) {
        switch strength.hash {
        case .md5: self.init(.md5, hasClientNonce: strength.hasQuality)
        case .sha2: self.init(.sha2, hasClientNonce: strength.hasQuality)
        }
    }
}
