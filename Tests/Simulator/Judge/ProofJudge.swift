import LineCore
import PhoneJudges
import SIPCore

/// The strength of a phone's digest answers, judged on the wire. They are never weaker than its server was seen to
/// accept, by this process or a former one. In calls they are never weaker than an earlier answer. An answer in one
/// realm only counts after the server accepted it. In a call, only the realm of its registration is answered: this
/// process's, or, to end a former process's call, that one's.
///
/// Only an accepted registration teaches a phone the server's level.
struct ProofJudge: Sendable {
    /// A registration without a final response.
    private struct Asking: Sendable {
        /// The weakest of its digests.
        var strength: DigestStrength?
        var realm: String?
        var unregisters = false
        /// The phone has registered in another dialog since this unregistration.
        var isLate = false
    }

    /// The challenges that reached the phone, by their realm and nonce.
    private var asked: [String: DigestStrength] = [:]
    private var accepted: DigestStrength?
    /// What the phone must have learned of that. It waits some time only for the response to an unregistration, so a
    /// later one teaches it nothing.
    private var known: DigestStrength?
    private var given: DigestStrength?
    private var realm: String?
    /// The realm of the former process, which it stored with each call.
    private var formerRealm: String?
    /// Registrations without a final response, by Call-ID and CSeq: a stopping phone unregisters before it learned
    /// that it is registered.
    private var asking: [String: Asking] = [:]
    /// The Via of every sent request.
    private var sent: Set<String> = []

    /// Another process, which knows only what the server has accepted.
    mutating func restart() {
        let former = (realm: realm ?? formerRealm, accepted: accepted, known: known)
        self = ProofJudge()
        (formerRealm, accepted, known) = (former.realm, former.accepted, former.known)
    }

    /// Whether the phone answers a challenge in this way, in this realm.
    func mayAnswer(_ strength: DigestStrength, in named: String) -> Bool {
        (known.map(strength.isAtLeast) ?? true) && (realm == nil || realm == named)
    }

    mutating func hear(_ datagram: Datagram) {
        guard case .response(let response)? = try? SIPMessage(datagram.bytes.span) else { return }
        for challenge in (try? DigestChallenge.all(in: response)) ?? [] {
            asked[challenge.realm + " " + challenge.nonce] = DigestStrength(challenge)
        }
        guard response.status.isFinal, let name = Self.name(response.headers),
            let answered = asking.removeValue(forKey: name), response.status.isSuccess, let strength = answered.strength
        else { return }
        accepted = strength.joined(accepted)
        if !answered.isLate { (known, given) = (strength.joined(known), nil) }
        realm = realm ?? answered.realm
    }

    /// The phone's stored facts about its server.
    func check(_ trust: LineTrust) throws(Violation) {
        guard let known = trust.proof.map({ DigestStrength($0) }) else { return }
        guard let accepted, accepted.isAtLeast(known) else {
            throw Violation("only accepted levels of a server are learned: \(known)")
        }
    }

    mutating func check(_ request: SIPRequest) throws(Violation) {
        // A repetition is no new proof: an ACK repeats its INVITE's credentials (RFC 3261 §22.1).
        guard request.method != .ack, let via = request.headers[.via], sent.insert(via).inserted else { return }
        let name = Self.name(request.headers)
        if let name {
            let unregisters = request.headers[.expires] == "0"
            for (other, before) in asking where before.unregisters && !unregisters {
                if !other.hasPrefix((request.headers[.callID] ?? "") + " ") { asking[other]?.isLate = true }
            }
            asking[name] = Asking(unregisters: unregisters)
        }
        for header in [SIPHeaderName.authorization, .proxyAuthorization] {
            for line in request.headers.lines(header) { try check(line, request.method, registering: name) }
        }
    }

    private static func name(_ headers: SIPHeaders) -> String? {
        guard let sequence = headers[.cSeq], sequence.hasSuffix("REGISTER") else { return nil }
        return (headers[.callID] ?? "") + " " + sequence
    }

    /// - Parameter registering: the name of its registration.
    private mutating func check(
        _ line: String, _ method: SIPMethod, registering: String?
    ) throws(Violation) {
        guard let answer = try? Authentication(line), let named = answer.parameters["realm"],
            let strength = asked[named + " " + (answer.parameters["nonce"] ?? "")]
        else { throw Violation("a digest answers a challenge: \(line)") }
        let least = method == .register ? known : given.map { $0.joined(known) } ?? known
        guard least.map(strength.isAtLeast) ?? true else {
            throw Violation("no weaker digest leaves the phone: \(line)")
        }
        guard realm == nil || realm == named else { throw Violation("only one realm is answered: \(line)") }
        if let registering {
            let weakest = asking[registering]?.strength?.met(strength) ?? strength
            asking[registering]?.strength = weakest
            asking[registering]?.realm = named
            return
        }
        guard realm != nil || method == .bye && formerRealm == named else {
            throw Violation("a call teaches no realm: \(line)")
        }
        given = strength.joined(given)
    }
}
