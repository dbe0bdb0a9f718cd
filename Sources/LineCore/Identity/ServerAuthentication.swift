import Base
import SIPCore

/// Answers the challenges of the account's server, and of no other server (RFC 3261 §22, RFC 8760).
///
/// The proof never gets weaker than one that the server accepted in this process or an earlier one. The realm of that
/// proof stays fixed.
///
/// A challenge alone proves nothing about the server: a called party may challenge a call, and over UDP anybody may
/// forge a challenge. If a challenge counted, one strong forgery would keep the line from a server that knows only weak
/// proofs.
struct ServerAuthentication: Sendable {
    /// What to do about a challenge.
    enum Reaction: Equatable, Sendable {
        case proceed
        /// Send no proof to this challenger.
        case refuse
        /// Send no proof, because the challenge asks for a weaker one than this, which the server has accepted.
        case refuseWeaker(than: DigestStrength)
        /// Find out first who sent the challenge.
        case probe
    }

    private let hashes: DigestHashes
    /// Credentials for registering, sent before a challenge, and for calls, sent only after one. The far end can read
    /// what a proxy leaves in a call's request.
    private var registrar: DigestAuthenticator?
    private var calls: DigestAuthenticator?
    /// The former credentials of legs that began before the credentials changed. Such a call keeps its identity.
    private var former: [CallID: DigestAuthenticator?] = [:]
    /// The realm in which the account's server first accepted a proof. After that the line answers no other realm. A
    /// line that does not register uses the first realm that is named, because its first call needs a realm before the
    /// server accepts anything.
    private(set) var realm: String?
    /// The strongest proof that the server accepted, in this process or an earlier one. After that the line gives no
    /// weaker one in any realm. Otherwise an attacker would ask for it in a realm that this process has not seen.
    private var accepted: DigestStrength?
    /// The strongest proof that calls gave since the server accepted a registration. Calls give no weaker one until it
    /// accepts the next registration. It binds no registration and no later call, because the called party may have
    /// requested it.
    private var given: DigestStrength?
    /// Whether the account's server has shown that it is itself an end of each call, so that its 401 to calls counts.
    private var serverChallengesAsUAS = false

    init(_ configuration: LineConfiguration, hashes: DigestHashes) {
        self.hashes = hashes
        realm = configuration.account?.realm
        accepted = configuration.account?.trust.proof.map { DigestStrength($0) }
        registrar = configuration.digest(hashes)
        calls = registrar
    }

    // MARK: Credentials

    /// Changes the line's credentials, except in these calls.
    mutating func change(to configuration: LineConfiguration, exceptIn legs: some Sequence<CallID>) {
        for leg in legs where !former.keys.contains(leg) { former.updateValue(calls, forKey: leg) }
        registrar = configuration.digest(hashes)
        calls = registrar
    }

    mutating func forget(_ leg: CallID) { former[leg] = nil }

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

    /// Remembers the next nonce, if the server names one (RFC 7616 §3.5).
    mutating func registered(_ response: SIPResponse, to request: SIPRequest) {
        registrar?.receive(response, to: request)
    }

    /// The realm to answer. If our realm is known, only that one counts, even if the response has other realms. Before
    /// that, it is the only realm of the response.
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
        // Before the server has accepted a proof, each attempt answers one realm only. The next attempt may answer
        // another.
        if request.challenges > 0, let answered = request.request.answeredRealm, answered != named { return .refuse }
        if response.status == .unauthorized, !request.purpose.registers, !serverChallengesAsUAS {
            guard request.isProbe else { return .probe }
            serverChallengesAsUAS = true
        }
        let floor = floor(of: request.purpose)
        do throws(DigestAuthenticator.Refusal) {
            let strength = try digest.accept(
                response, to: request.request, in: named, atLeast: floor, clientNonce: clientNonce())
            // Nobody has accepted the answers in another realm.
            if request.purpose.registers { digest.forget(otherThan: named) }
            self[request.purpose] = digest
            if !request.purpose.registers { gave(strength, in: named) }
        } catch {
            if error == .weaker, let floor { return .refuseWeaker(than: floor) }
            return .refuse
        }
        return .proceed
    }

    /// The weakest proof that may be given for this purpose. Nil: any.
    private func floor(of purpose: Purpose) -> DigestStrength? {
        guard !purpose.registers, let given else { return accepted }
        return given.joined(accepted)
    }

    /// Makes calls give no weaker proof from now on, neither to new challenges nor to earlier ones.
    private mutating func gave(_ strength: DigestStrength, in named: String) {
        realm = named
        let strongest = strength.joined(given)
        given = strongest
        forgetInCalls(weakerThan: strongest)
    }

    /// Learns the strength of the proof in a request that the server accepted. From now on the line gives no weaker
    /// proof, neither to new challenges nor in advance to earlier ones.
    ///
    /// - Returns: The strongest proof that the server has accepted. Nil if the request had no proof.
    mutating func learn(from request: SIPRequest) -> DigestStrength? {
        guard let strength = DigestStrength(of: request) else { return nil }
        let strongest = strength.joined(accepted)
        (accepted, given) = (strongest, nil)
        realm = realm ?? request.answeredRealm
        registrar?.forget(weakerThan: strongest)
        forgetInCalls(weakerThan: strongest)
        return strongest
    }

    private mutating func forgetInCalls(weakerThan strength: DigestStrength) {
        calls?.forget(weakerThan: strength)
        for leg in former.keys { former[leg]??.forget(weakerThan: strength) }
    }
}

extension SIPRequest {
    /// The realm of its proofs.
    fileprivate var answeredRealm: String? {
        [SIPHeaderName.authorization, .proxyAuthorization].lazy.flatMap { headers.lines($0) }
            .compactMap { (try? Authentication($0))?.parameters["realm"] }.first
    }
}

/// Answers challenges (RFC 3261 §22): only of the account's own server, and only in the realm that it named first. It
/// never answers inside a call that a far end opened. A far end that challenges our BYE there would get a hash from
/// which it can guess the password.
extension LineMachine {
    /// Sends a challenged request again with credentials, if this account answers the challenge.
    mutating func answerChallenge(
        _ response: SIPResponse, to request: SentRequest, over flow: Flow, at now: Instant
    ) -> Bool {
        guard isOwnServer(flow), let named = authentication.realm(of: response),
            mayBeChallenged(request.purpose, in: named)
        else { return false }
        let reaction = authentication.accept(response, to: request, in: named) {
            context.identifiers.makeClientNonce()
        }
        switch reaction {
        case .refuse: return false
        case .refuseWeaker(let known):
            fault = "the server asks for a weaker proof of the password than before"
            report(.weakerProof(than: LineTrust.Proof(known)), at: now)
            return false
        case .probe: return probe(request, at: now)
        case .proceed:
            guard let again = again(request) else { return false }
            resend(again, for: request, challenges: request.challenges + 1, at: now)
            return true
        }
    }

    /// Finds out whether the server itself sent a 401 to a call. A proxy sends 407, so a 401 comes from the called
    /// party (RFC 3261 §22.2, §22.3). That may be anyone, and must not get a hash of the password. But a server that is
    /// itself an end of each call (a B2BUA) sends 401, too. It sends 401 again to a request that may not be forwarded
    /// (Max-Forwards: 0, §16.3). No far end ever sees such a request.
    private mutating func probe(_ request: SentRequest, at now: Instant) -> Bool {
        switch request.purpose {
        case .invite, .subscribe: break
        case .register, .unregister, .reinvite, .update, .prack, .bye, .info, .strayBye, .refer, .notify, .orphanBye,
            .options:
            return false
        }
        guard var again = again(request) else { return false }
        again.headers.set(.maxForwards, SIPNumber(0))
        resend(again, for: request, challenges: request.challenges, isProbe: true, at: now)
        return true
    }

    /// Whether a challenge to a request with this purpose may be answered. The line learns the realm from its first
    /// requests to the server: from REGISTER if the account registers, and never from a request inside a call.
    private func mayBeChallenged(_ purpose: Purpose, in named: String) -> Bool {
        let isKnown = authentication.realm != nil
        return switch purpose {
        case .register, .unregister: true
        // A server that did not challenge a registration, or has not answered it yet, does not challenge a call. Such a
        // challenge may come from a far end.
        case .invite, .subscribe: isKnown || configuration.account?.registers == false
        case .reinvite(let leg), .update(let leg), .prack(let leg, _), .bye(let leg), .info(let leg), .refer(let leg):
            leg.origin == .phone && isKnown
        // A far end whose REFER came outside the call opened the dialog of our NOTIFY.
        case .notify(let leg): leg.origin == .phone && isKnown && !referrals.isOutside(leg)
        case .orphanBye(let number): orphanByes.realm(of: number) == named
        // A challenge already shows that the server is there.
        case .strayBye, .options: false
        }
    }
}

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
