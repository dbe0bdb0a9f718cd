import Base
import Bench
import Rig
import SIPCore
import HostStalls
import Testing

/// A phone that answers listed callers automatically, and a spoofed INVITE with a listed address.
@Suite(.serialized, .stallsForgiven) struct UnacknowledgedTests {
    @Test(.limit(minutesEachTime: 1)) func voiceWaitsForACK() throws {
        let (workplace, server, elsewhere) = (try Workplace(), try DatagramPeer(), try DatagramPeer(host: "127.0.0.9"))
        var settings = PhoneFolder.Settings(port: 26_060, firstMediaPort: 26_100)
        settings.more = "calls: { auto_answer: { callers: [200], only_when_asked: false, route: handset } }"
        let folder = try workplace.phoneFolder("bob", settings)
        try folder.addAccount(
            program: Workplace.phone, label: "desk", user: "102", server: "127.0.0.1:\(server.port)",
            more: ["--no-register", "--no-password"])
        let bob = try RigPhone(name: "bob", folder: folder, program: Workplace.phone)
        try bob.waitUntilReady()

        let caller = ScriptedCaller(at: server)
        let invite = caller.request(
            .invite, body: ScriptedCaller.session(at: elsewhere.host, elsewhere.port),
            extra: [(.pAssertedIdentity, "<sip:200@127.0.0.1>")])
        try server.say(invite, to: settings.port)
        let tag = try #require(try server.response(.ok).headers.to.tag)
        // The 2xx is repeated after 500 ms and after 1 s more: time for 75 packets of voice.
        let answer = server.transcript.last
        for _ in 0..<2 { #expect(server.hear() == answer) }
        #expect(elsewhere.heardSoFar().isEmpty)
        try bob.collect()
        #expect(bob.all("callAnswered").isEmpty)

        try server.say(caller.request(.ack, branch: "ack", toTag: tag), to: settings.port)
        let voice = try #require(elsewhere.hear())
        #expect(voice.count > 12 && voice[0] >> 6 == 2)
        try server.say(caller.request(.bye, sequence: 2, toTag: tag), to: settings.port)
        #expect(try bob.wait(for: "callEnded").fields["reason"] == "hungUpThere")
        #expect(bob.process.stop().exit == .status(0))
    }
}
