import SIPCore

/// Answers the challenges of the account's server, and of no other one (RFC 3261 §22, RFC 8760).
///
/// The proof never gets weaker. The realm stays the one that the server named first. After an answer with a strong
/// algorithm no answer with a weaker one is given, also if the stronger answer was given by an earlier process.
struct Authentication: Sendable {
    /// What to do about a challenge.
    enum Reaction: Equatable, Sendable {
        case proceed
        /// Send no proof to this challenger.
        case refuse
        /// Send no proof, because the challenge asks for a weaker one than this, which is known of the server.
        case refuseWeaker(than: DigestStrength)
        /// Find out first who sent the challenge.
        case probe
    }

    private let hashes: DigestHashes
    /// Credentials for registering, sent before a challenge, and for calls, sent only after one: what a proxy leaves in
    /// a call's request reaches the far end.
    private var registrar: DigestAuthenticator?
    private var calls: DigestAuthenticator?
    /// The former credentials of legs that are older than a change of credentials. Such a call keeps its identity.
    private var former: [LegID: DigestAuthenticator?] = [:]
    /// The realm that the account's server named first. After that no other realm is answered.
    private(set) var realm: String?
    /// The strongest proof that was given to the server, by this process or an earlier one. After that no weaker one is
    /// given, in no realm: otherwise an attacker would ask for it in the name of a realm that is new to this process.
    private var proof: DigestStrength?
    /// Whether the account's server has shown that it is itself one end of each call, and so challenges calls by 401.
    private var serverChallengesAsUAS = false

    init(_ configuration: LineConfiguration, hashes: DigestHashes) {
        self.hashes = hashes
        realm = configuration.account?.realm
        proof = configuration.account?.trust.proof.map { DigestStrength($0) }
        registrar = configuration.digest(hashes)
        calls = registrar
    }

    // MARK: Credentials

    /// From now on the line has other credentials, except in these calls.
    mutating func change(to configuration: LineConfiguration, exceptIn legs: some Sequence<LegID>) {
        for leg in legs where !former.keys.contains(leg) { former.updateValue(calls, forKey: leg) }
        registrar = configuration.digest(hashes)
        calls = registrar
    }

    mutating func forget(_ leg: LegID) { former[leg] = nil }

    /// The credentials for a request.
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

    // MARK: Proof

    /// Writes credentials into a request that goes to the account's own server.
    mutating func authorize(_ request: inout SIPRequest, for purpose: Purpose, challenges: Int) {
        guard purpose.registers || challenges > 0 else { return }
        self[purpose]?.authorize(&request)
    }

    /// The server may name its next nonce (RFC 7616 §3.5).
    mutating func registered(_ response: SIPResponse, to request: SIPRequest) {
        registrar?.receive(response, to: request)
    }

    /// The realm to answer. Once our realm is known, it is that one, even if other realms are in the response. Before
    /// that it is the only realm of the response.
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
            if error == .weaker, let proof { return .refuseWeaker(than: proof) }
            return .refuse
        }
        realm = named
        return .proceed
    }

    /// From now on no weaker proof is given: neither to new challenges nor, unasked, to earlier ones.
    private mutating func strengthen(_ strength: DigestStrength) {
        let strongest = strength.joined(proof)
        proof = strongest
        registrar?.forget(weakerThan: strongest)
        calls?.forget(weakerThan: strongest)
        for leg in former.keys { former[leg]??.forget(weakerThan: strongest) }
    }
}
