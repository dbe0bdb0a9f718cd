import Base
import Bench
import Control
import Foundation
import HostStalls
import Rig
import Testing

/// A phone with an account gets another address in a call. An independent server and the far end follow.
@Suite(
    .serialized, .stallsForgiven,
    .enabled(if: HostPair.isPossible && Kamailio.isInstalled, "needs root, iproute2 and kamailio (Scripts/setup test)"))
struct KamailioMovingTests {
    /// A busy machine takes longer than the 1.5 s of the specification.
    private static let limit = Duration.seconds(5)

    private let workplace: Workplace
    private let hosts: HostPair
    private let server: KamailioProcess

    init() throws {
        (workplace, hosts) = (try Workplace(), try HostPair())
        let script = Kamailio.script(algorithm: "MD5", authority: nil)
            .replacingOccurrences(of: Kamailio.address, with: hosts.second.address + ":5060")
        server = try KamailioProcess(
            folder: workplace.path + "/kamailio", script: script, prefix: hosts.second.prefix,
            isUp: { identifier in
                // The sockets of its host; 5060 is 13C4.
                let sockets = try? String(contentsOfFile: "/proc/\(identifier)/net/udp", encoding: .utf8)
                return sockets?.contains(":13C4 ") == true
            })
    }

    private func phone(
        _ name: String, _ user: String, _ ice: String, on host: HostPair.Host, port: UInt16
    ) throws -> RigPhone {
        let phone = try Kamailio.phone(
            name, user, "udp", port: port, in: workplace.place, server: hosts.second.address + ":5060", ice: ice,
            prefix: host.prefix
        ) { $0.address = "0.0.0.0" }
        try phone.waitUntilReady()
        // Otherwise the link's new carrier would cause a second move.
        try phone.waitUntilConnected()
        return phone
    }

    /// With ICE both ends find another path to the new address.
    @Test(.limit(minutesEachTime: 1), arguments: ["answered", "always"])
    func callAndAccountMove(ice: String) throws {
        let alice = try phone("alice", "101", ice, on: hosts.first, port: 28_200)
        let bob = try phone("bob", "102", ice, on: hosts.second, port: 28_400)
        try alice.ask("dial", ["target": "102"])
        try bob.wait(for: "incomingCall")
        try bob.ask("answer")
        try alice.wait(for: "callAnswered")
        let humming = Humming([(alice.mouth, alice.ear), (bob.mouth, bob.ear)])
        #expect(humming.back(after: Wire.now, within: Self.limit) != nil, "they hear each other")

        try hosts.batch(
            hosts.first,
            [
                "addr del 10.77.0.1/24 dev wire", "addr add 10.77.0.9/24 dev wire",
                "route replace default via 10.77.0.2",
            ])
        let back = try #require(humming.back(after: Wire.now, within: Self.limit), "voice does not come back")
        print("test: voice is back \(back.nanoseconds / 1_000_000) ms after the path (through a server, ICE \(ice))")
        try alice.wait(for: "callReconnected")
        try alice.waitUntilLine(is: ["registered"])

        // A caller now reaches her at the new address.
        try alice.ask("hangup")
        try bob.wait(for: "callEnded")
        try bob.ask("dial", ["target": "101"])
        try alice.wait(for: "incomingCall")
        try bob.ask("hangup")
        for phone in [alice, bob] { #expect(phone.process.stop().exit == .status(0)) }
        #expect(server.stop() == .status(0))
    }
}
