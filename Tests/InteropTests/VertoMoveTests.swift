import Bench
import HostStalls
import Rig
import Testing

/// Goal: a call over Verto outlives another address of the phone's host, and voice is back soon. Method: the server and
/// Bob are on one host, Alice is on another, with a real wire between them; both hum all the time.
@Suite(
    .serialized, .stallsForgiven,
    .enabled(
        if: VertoServer.isPossible && HostPair.isPossible, "needs aiortc (Scripts/webrtc), root and iproute2"))
struct VertoMoveTests {
    /// Goal of the specification: 1.5 s. A machine that is busy with other tests takes longer.
    private static let limit = Duration.seconds(5)

    private let workplace: Workplace
    private let hosts: HostPair

    init() throws {
        (workplace, hosts) = (try Workplace(), try HostPair())
        try hosts.waitUntilUp()
    }

    private func phone(_ user: String, on host: HostPair.Host, _ server: VertoServer) throws -> RigPhone {
        var settings = PhoneFolder.Settings(port: 5_060, firstMediaPort: 30_000)
        settings.address = "0.0.0.0"
        let folder = try workplace.phoneFolder("phone-\(user)", settings)
        let secret = folder.path + "/password"
        try TextFile.write(VertoServer.password(of: user), to: secret)
        try folder.addAccount(
            program: Workplace.phone, label: "desk", user: user, server: "\(hosts.second.address):\(server.port)",
            more: ["--kind", "telnyx", "--transport", "ws", "--password-file", secret])
        let phone = try RigPhone(
            name: "phone-\(user)", folder: folder, program: Workplace.phone, prefix: host.prefix)
        try phone.waitUntilLine(is: ["registered"])
        try phone.waitUntilConnected()
        return phone
    }

    /// - Parameter way: where the media are: at the server, or at the other phone.
    @Test(.limit(minutesEachTime: 1), arguments: Matrix.cases([[]], others: [["--bypass-media"]]))
    func aCallOutlivesAnotherAddress(way: [String]) throws {
        let server = try VertoServer(
            folder: workplace.path + "/verto", dialect: "telnyx", on: hosts.second, more: way)
        let alice = try phone("101", on: hosts.first, server)
        let bob = try phone("102", on: hosts.second, server)
        try alice.ask("dial", ["target": "102"])
        try bob.wait(for: "incomingCall")
        try bob.ask("answer")
        for phone in [alice, bob] { try phone.wait(for: "callAnswered") }
        let humming = Humming([(alice.mouth, alice.ear), (bob.mouth, bob.ear)])
        #expect(humming.back(after: Wire.now, within: Self.limit) != nil, "they hear each other")

        try hosts.readdressFirst()
        // No connection leads from the address of before, and the phone does not believe in the other one yet.
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
