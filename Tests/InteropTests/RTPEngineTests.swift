import Bench
import HostStalls
import Rig
import Testing

/// A phone with ICE and DTLS, and one without either, with Debian's rtpengine between them as an end of both.
@Suite(
    .serialized, .stallsForgiven,
    .enabled(
        if: NATNeighbours.isPossible && RTPEngine.isInstalled,
        "needs root, iproute2, nftables, kamailio, coturn and rtpengine-daemon (Scripts/setup test)"))
struct RTPEngineTests {
    @Test(.limit(minutesEachTime: 2)) func phoneWithICEAndDTLSIsCalled() throws {
        let neighbours = try NATNeighbours(.portDependent, .endpointIndependent, hasVoice: true)
        let server = neighbours.world.server
        let alice = try neighbours.phone(0)
        let bob = try neighbours.phone(1, protection: "mandatory", ice: "off")
        try neighbours.call(alice, bob)
        #expect(neighbours.paths(alice).allSatisfy { $0.contains("is to \(server.address) ") })
        #expect(try alice.protection() == "dtls")
        #expect(try bob.protection() == "sdes")
        try alice.ask("hold")
        try alice.wait(for: "callHeld")
        try alice.ask("resume")
        try alice.wait(for: "callResumed")
        neighbours.converse(alice, bob)
        try neighbours.hangUp(alice)
        #expect(neighbours.stopEngine() == .status(0))
    }

    /// It offers ICE and DTLS, and the phone answers.
    @Test(.limit(minutesEachTime: 2), .wholeMatrixOnly) func phoneWithICEAndDTLSCalls() throws {
        let neighbours = try NATNeighbours(.portDependent, .endpointIndependent, hasVoice: true)
        let alice = try neighbours.phone(0, ice: "answered")
        let bob = try neighbours.phone(1, protection: "mandatory", ice: "off")
        try neighbours.ready([alice, bob])
        try bob.ask("dial", ["target": "101"])
        try alice.wait(for: "incomingCall")
        try alice.ask("answer")
        for phone in [alice, bob] { try phone.wait(for: "callAnswered") }
        neighbours.converse(alice, bob)
        #expect(try alice.protection() == "dtls")
        try neighbours.hangUp(bob)
        #expect(neighbours.stopEngine() == .status(0))
    }
}
