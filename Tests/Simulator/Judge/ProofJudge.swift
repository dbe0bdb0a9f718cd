import LineCore
import PhoneJudges
import SIPCore

/// What a phone proves with its password, judged on the wire: never less than it has proved before, or than a former process
/// has written down, in one realm only, and in a call only in the realm of its registration: of this process, or, to end a
/// call of a former one, of that.
struct ProofJudge: Sendable {
    /// The challenges that reached the phone, by their realm and nonce.
    private var asked: [String: DigestStrength] = [:]
    private var proved: DigestStrength?
    private var realm: String?
    /// What the process before proved in, which it wrote down with each call.
    private var formerRealm: String?
    /// The Via of every request that left.
    private var sent: Set<String> = []

    /// Another process, which knows what the former one wrote down, and nothing else.
    mutating func restart(knowing trust: LineTrust) {
        let former = realm ?? formerRealm
        self = ProofJudge()
        formerRealm = former
        proved = trust.proof.map { DigestStrength($0) }
    }

    mutating func hear(_ datagram: Datagram) {
        guard case .response(let response)? = try? SIPMessage(datagram.bytes.span) else { return }
        for challenge in (try? DigestChallenge.all(in: response)) ?? [] {
            asked[challenge.realm + " " + challenge.nonce] = DigestStrength(challenge)
        }
    }

    mutating func check(_ request: SIPRequest) throws(Violation) {
        // What is said again is no new proof: an ACK says what its INVITE said (RFC 3261 §22.1).
        guard request.method != .ack, let via = request.headers[.via], sent.insert(via).inserted else { return }
        for name in [SIPHeaderName.authorization, .proxyAuthorization] {
            for line in request.headers.lines(name) { try check(line, request.method) }
        }
    }

    private mutating func check(_ line: String, _ method: SIPMethod) throws(Violation) {
        guard let answer = try? Authentication(line), let named = answer.parameters["realm"],
            let strength = asked[named + " " + (answer.parameters["nonce"] ?? "")]
        else { throw Violation("a proof answers a challenge: \(line)") }
        guard proved.map(strength.isAtLeast) ?? true else {
            throw Violation("no weaker proof leaves the phone: \(line)")
        }
        guard realm == nil || realm == named else { throw Violation("only one realm is answered: \(line)") }
        guard method == .register || realm != nil || method == .bye && formerRealm == named else {
            throw Violation("a call teaches no realm: \(line)")
        }
        (proved, realm) = (strength.joined(proved), named)
    }
}
