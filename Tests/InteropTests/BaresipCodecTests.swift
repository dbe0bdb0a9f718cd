import Bench
import Rig
import HostStalls
import Testing

/// Calls with Debian's baresip in each codec of desk phones, both ways: mandatory SRTP by SDES, voice checked at both
/// ears. baresip has only that codec.
@Suite(
    .serialized, .stallsForgiven,
    .enabled(if: HostPair.isPossible && Baresip.isInstalled, "needs root, iproute2 and baresip (Scripts/setup test)"))
struct BaresipCodecTests {
    private static let (mu, a, wide) = ("PCMU/8000/1", "PCMA/8000/1", "G722/16000/1")

    private let ours: HostedPhone

    init() throws { ours = try HostedPhone() }

    private func peer(_ codec: String) throws -> Baresip {
        try Baresip(
            folder: ours.workplace.path + "/baresip", host: ours.hosts.second,
            sound: try ours.workplace.soundCard("peer"), codec: codec)
    }

    @Test(.limit(minutesEachTime: 2), arguments: Matrix.cases([a, wide], others: [mu]))
    func phoneCallsBaresip(codec: String) throws {
        let peer = try peer(codec)
        try ours.dial()
        try peer.waitFor("CALL_INCOMING")
        try peer.command("accept")
        try ours.phone.wait(for: "callAnswered")
        try peer.waitFor("CALL_ESTABLISHED")
        ours.converse(with: peer)
        try ours.phone.ask("hangup")
        try ours.expectEnd("hungUpHere")
        ours.finish()
        _ = peer.process.stop()
    }

    /// A call with hold and digits, whose clock is the codec's.
    @Test(.limit(minutesEachTime: 2), arguments: Matrix.cases([mu], others: [a, wide]))
    func baresipCallsPhone(codec: String) throws {
        let peer = try peer(codec)
        try peer.command("dial", ours.address)
        try ours.lift()
        try ours.phone.wait(for: "callAnswered")
        try peer.waitFor("CALL_ESTABLISHED")
        try ours.phone.ask("sendDTMF", ["digits": "5#"])
        for digit in ["5", "#"] { try peer.waitFor("CALL_DTMF_START", saying: "\"param\":\"\(digit)\"") }
        try peer.command("sndcode", "7")
        #expect(try ours.phone.wait(for: "dtmfReceived").fields["digit"]?.string == "7")
        try ours.phone.ask("hold")
        try ours.phone.ask("resume")
        try ours.phone.wait(for: "callResumed")
        ours.converse(with: peer)
        try peer.command("hangup")
        try ours.expectEnd("hungUpThere")
        ours.finish()
        _ = peer.process.stop()
    }
}
