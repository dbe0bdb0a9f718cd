import SIPCore

/// How the line proves who it is: the answers to challenges of the account's server, for it alone (RFC 3261 §22, RFC 8760).
///
/// Proof never weakens: the realm stays the one that the server named first, and what was once proved by a strong algorithm is
/// not proved by a weak one again.
struct Authentication: Sendable {
    /// What to do about a challenge.
    enum Reaction: Equatable, Sendable {
        case proceed
        /// Nothing is proved to whoever asks.
        case refuse
        /// It is to be found out first who asks.
        case probe
    }

    private let hashes: DigestHashes
    /// Credentials for registering, which go on before they are asked for, and for calls, which do not: what a proxy
    /// leaves in a call's request reaches the far end.
    private var registrar: DigestAuthenticator?
    private var calls: DigestAuthenticator?
    /// What legs are challenged with that are older than a change of credentials: a call stays who it was.
    private var former: [LegID: DigestAuthenticator?] = [:]
    /// The realm that the account's server named first; no other one is answered after it.
    private(set) var realm: String?
    /// The strongest proof that was given in it. Nothing weaker is given after it.
    private var proof: DigestStrength?
    /// Whether the account's server has shown that it challenges calls itself by 401, as one end of each call.
    private var serverChallengesAsUAS = false

    init(_ configuration: LineConfiguration, hashes: DigestHashes) {
        self.hashes = hashes
        realm = configuration.account?.realm
        registrar = configuration.digest(hashes)
        calls = registrar
    }

    // MARK: Who we are

    /// The line has other credentials from now on, but not in these calls.
    mutating func change(to configuration: LineConfiguration, exceptIn legs: some Sequence<LegID>) {
        for leg in legs where !former.keys.contains(leg) { former.updateValue(calls, forKey: leg) }
        registrar = configuration.digest(hashes)
        calls = registrar
    }

    /// A leg is over.
    mutating func forget(_ leg: LegID) { former[leg] = nil }

    /// Who we are in a request.
    private subscript(purpose: Purpose) -> DigestAuthenticator? {
        get {
            if purpose.registers { return registrar }
            return purpose.leg.flatMap { former[$0] } ?? calls
        }
        set {
            if purpose.registers {
                registrar = newValue
            } else if let leg = purpose.leg, former.keys.contains(leg) {
                former.updateValue(newValue, forKey: leg)
            } else {
                calls = newValue
            }
        }
    }

    // MARK: Proving it

    /// Writes credentials into a request that goes to the account's own server.
    mutating func authorize(_ request: inout SIPRequest, for purpose: Purpose, challenges: Int) {
        guard purpose.registers || challenges > 0 else { return }
        self[purpose]?.authorize(&request)
    }

    /// The server may name its next nonce (RFC 7616 §3.5).
    mutating func registered(_ response: SIPResponse, to request: SIPRequest) {
        registrar?.receive(response, to: request)
    }

    /// The realm to answer: ours, once we know it, whoever else asks beside it; before that the only one that asks.
    func realm(of response: SIPResponse) -> String? {
        let challenges: [DigestChallenge]
        do throws(SIPParseError) { challenges = try DigestChallenge.all(in: response) } catch { return nil }
        let realms = Set(challenges.map(\.realm))
        if let realm { return realms.contains(realm) ? realm : nil }
        return realms.count == 1 ? realms.first : nil
    }

    /// Takes a challenge of the account's own server, in a realm that may be answered.
    mutating func accept(
        _ response: SIPResponse, to request: SentRequest, in named: String, clientNonce: () -> String
    ) -> Reaction {
        guard var digest = self[request.purpose], request.challenges < SentRequest.challengeLimit else {
            return .refuse
        }
        if response.status == .unauthorized, !request.purpose.registers, !serverChallengesAsUAS {
            guard request.isProbe else { return .probe }
            serverChallengesAsUAS = true
        }
        do throws(DigestAuthenticator.Refusal) {
            let strength = try digest.accept(
                response, to: request.request, in: named, atLeast: proof, clientNonce: clientNonce())
            self[request.purpose] = digest
            strengthen(strength)
        } catch {
            return .refuse
        }
        realm = named
        return .proceed
    }

    /// From now on nothing weaker is proved in the realm: neither to new challenges nor, unasked, to those of before.
    private mutating func strengthen(_ strength: DigestStrength) {
        let strongest = strength.joined(proof)
        proof = strongest
        registrar?.forget(weakerThan: strongest)
        calls?.forget(weakerThan: strongest)
        for leg in former.keys { former[leg]??.forget(weakerThan: strongest) }
    }
}
