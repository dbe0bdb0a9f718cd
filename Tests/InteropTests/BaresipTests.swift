import Base
import Bench
import Control
import Rig
import Testing

/// Calls with Debian's baresip, both ways: Opus, mandatory SRTP by SDES, voice checked at both ears.
@Suite(
    .serialized,
    .enabled(if: HostPair.isPossible && Baresip.isInstalled, "needs root, iproute2 and baresip (Scripts/setup test)"))
struct BaresipTests {
    /// A phone and a baresip, each on a host of its own.
    private final class Scene {
        let workplace: Workplace
        let hosts: HostPair
        let phone: RigPhone
        let peer: Baresip

        init() throws {
            workplace = try Workplace()
            hosts = try HostPair()
            var settings = PhoneFolder.Settings(port: 5_060, firstMediaPort: 30_000)
            settings.address = hosts.first.address
            settings.peers = [hosts.second.address]
            let folder = try workplace.phoneFolder("phone", settings)
            phone = try RigPhone(
                name: "phone", folder: folder, program: Workplace.phone, prefix: hosts.first.prefix)
            peer = try Baresip(
                folder: workplace.path + "/baresip", host: hosts.second, sound: try workplace.soundCard("peer"))
        }

        var conversation: Conversation {
            Conversation(
                first: (phone.mouth, phone.ear, workplace.alice), second: (peer.mouth, peer.ear, workplace.bob))
        }

        func finish() {
            #expect(phone.process.stop().exit == .status(0))
            _ = peer.process.stop()
        }
    }

    @Test(.timeLimit(.minutes(2))) func weCallBaresip() throws {
        let scene = try Scene()
        try scene.phone.ask("dial", ["target": .string("sip:bench@\(scene.hosts.second.address)")])
        try scene.peer.waitFor("CALL_INCOMING")
        try scene.peer.command("accept")
        try scene.phone.wait(for: "callAnswered")
        try scene.peer.waitFor("CALL_ESTABLISHED")
        scene.conversation.hold()
        try scene.phone.ask("hangup")
        try scene.peer.waitFor("CALL_CLOSED")
        let end = try scene.phone.wait(for: "callEnded")
        #expect(end.fields["reason"] == "hungUpHere")
        scene.finish()
    }

    @Test(.timeLimit(.minutes(2))) func baresipCallsUs() throws {
        let scene = try Scene()
        try scene.peer.command("dial", "sip:offhook@\(scene.hosts.first.address)")
        try scene.phone.wait(for: "ringerChanged") { $0.fields["on"] == true }
        try scene.phone.ask("liftHook")
        try scene.phone.wait(for: "callAnswered")
        try scene.peer.waitFor("CALL_ESTABLISHED")
        scene.conversation.hold()
        try scene.peer.command("hangup")
        let end = try scene.phone.wait(for: "callEnded")
        #expect(end.fields["reason"] == "hungUpThere")
        scene.finish()
    }
}
