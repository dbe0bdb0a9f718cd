import Bench
import HostStalls
import Rig
import Testing

/// Goal: a Verto call survives a new address of the phone's host, and voice returns soon. Method: the server and Bob
/// are on one host, Alice is on another, with a real link between them. Both hum all the time.
@Suite(
    .serialized, .stallsForgiven,
    .enabled(
        if: VertoServer.isPossible && HostPair.isPossible, "needs aiortc (Scripts/webrtc), root and iproute2"))
struct VertoMoveTests {
    /// The specification's goal is 1.5 s. A machine that runs other tests takes longer.
    private static let limit = Duration.seconds(5)

    /// - Parameter way: where the media are, at the server or at the other phone, and whether a server's certificate
    ///   stays.
    @Test(
        .limit(minutesEachTime: 1),
        arguments: Matrix.cases([["--one-certificate"]], others: [[], ["--bypass-media"]]))
    func callSurvivesNewAddress(way: [String]) throws {
        let scene = try VertoScene(more: way)
        let (hosts, server) = (scene.hosts, scene.server)
        let (alice, bob) = (try scene.phone("101", on: hosts.first), try scene.phone("102", on: hosts.second))
        try alice.ask("dial", ["target": "102"])
        try bob.wait(for: "incomingCall")
        try bob.ask("answer")
        for phone in [alice, bob] { try phone.wait(for: "callAnswered") }
        let humming = Humming([(alice.mouth, alice.ear), (bob.mouth, bob.ear)])
        #expect(humming.back(after: Wire.now, within: Self.limit) != nil, "they hear each other")

        try hosts.readdressFirst()
        // No connection works from the old address, and the phone does not use the other one yet.
        try alice.ask("sendDTMF", ["digits": "5"])
        let back = try #require(humming.back(after: Wire.now, within: Self.limit), "voice does not come back")
        print("test: voice is back \(back.nanoseconds / 1_000_000) ms after the path (over Verto)")
        try server.wait(for: "attached")
        try alice.waitUntilLine(is: ["registered"])
        try alice.ask("hangup")
        for phone in [alice, bob] { try phone.wait(for: "callEnded") }
        for name in ["fault", "refused"] { #expect(server.events(name).isEmpty) }
        for phone in [alice, bob] { #expect(phone.process.stop().exit == .status(0)) }
    }
}
