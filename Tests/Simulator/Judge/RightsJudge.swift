import Base
import LineCore
import PhoneCore
import PhoneJudges
import SIPCore

/// Every effect of a phone has a cause that its owner's policy permits: its effects are compared with people's actions
/// and the server's messages.
struct RightsJudge: Sendable {
    private let policy: PhonePolicy
    private let vouchesForFrom: Bool
    private var witness: Witness
    private var trust: TrustJudge
    private var relays: RelayJudge
    private let voice = VoiceJudge()
    private var proofs = ProofJudge()

    init(policy: PhonePolicy, vouchesForFrom: Bool) {
        (self.policy, self.vouchesForFrom) = (policy, vouchesForFrom)
        witness = Witness(Testimony(vouchesForFrom: vouchesForFrom))
        trust = TrustJudge(policy: policy)
        relays = RelayJudge(policy: policy)
    }

    /// Another process, which has received nothing yet.
    mutating func restart() {
        witness = Witness(Testimony(vouchesForFrom: vouchesForFrom))
        trust = TrustJudge(policy: policy)
        relays.restart()
        proofs.restart()
    }

    /// The phone stores its facts about its server.
    func check(_ trust: LineTrust) throws(Violation) { try proofs.check(trust) }

    /// Whether the phone must be registered at a server that challenges like ours. It need not be if an enemy spoke as
    /// that server and accepted a stronger digest.
    var knowsTheServer: Bool { proofs.mayAnswer(Proxy.strength, in: Proxy.realm) }

    /// A message arrives that is not from a stranger.
    mutating func hear(_ datagram: Datagram) {
        witness.testimony.hear(datagram)
        proofs.hear(datagram)
    }

    /// A message leaves.
    mutating func check(_ datagram: Datagram, at now: Instant) throws(Violation) {
        guard case .request(let request)? = try? SIPMessage(datagram.bytes.span) else { return }
        try proofs.check(request)
        guard request.method == .invite, ((try? request.headers.to.tag) ?? nil) == nil else { return }
        guard request.uri.sip?.user != Enemy.premium || trust.mayHaveAgreed(at: now) else {
            throw Violation("every call has a person's request")
        }
    }

    /// Whether the server named this host for the call.
    func names(_ host: String, in callID: String) -> Bool {
        witness.testimony.calls[callID]?.hosts.contains(host) ?? false
    }

    /// - Parameters:
    /// - before: The phone's former snapshot.
    /// - after: Its current one.
    /// - callIDs: Those of its line's calls.
    mutating func check(
        _ event: PhoneEvent, _ effects: [PhoneEffect], _ before: PhoneSnapshot, _ after: PhoneSnapshot,
        callIDs: [CallID: String], at now: Instant
    ) throws(Violation) {
        witness.callIDs = callIDs
        witness.take(event, effects)
        try relays.check(event, effects, before, witness, at: now)
        try trust.check(event, effects, witness, at: now)
        try trust.check(after, witness)
        try voice.check(effects, witness)
    }
}
