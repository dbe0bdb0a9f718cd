import Bench
import Control
import Rig
import HostStalls
import Testing

/// Three phones: Alice connects Bob and Carol in a conference, one by Opus, one by PCMU.
@Suite(.serialized, .stallsForgiven) struct ThreePhonesTests {
    private let workplace: Workplace
    private let alice: RigPhone
    private let bob: RigPhone
    private let carol: RigPhone

    init() throws {
        let workplace = try Workplace()
        // Like `PhonePair`, at other addresses.
        func phone(
            _ name: String, _ user: String, _ port: UInt16, media: UInt16, codecs: [String] = [],
            servers: [(label: String, port: UInt16)]
        ) throws -> RigPhone {
            var settings = PhoneFolder.Settings(port: port, firstMediaPort: media)
            // Alice's second line calls from a port that the kernel chose.
            if name == "carol" { settings.peers = ["127.0.0.1"] }
            settings.codecs = codecs
            let folder = try workplace.phoneFolder(name, settings)
            for server in servers {
                try folder.addAccount(
                    program: Workplace.phone, label: server.label, user: user, server: "127.0.0.1:\(server.port)",
                    more: ["--no-register", "--no-password"])
            }
            return try RigPhone(name: name, folder: folder, program: Workplace.phone)
        }
        self.workplace = workplace
        alice = try phone("alice", "101", 27_160, media: 27_200, servers: [("first", 27_170), ("second", 27_180)])
        bob = try phone("bob", "102", 27_170, media: 27_300, servers: [("desk", 27_160)])
        carol = try phone("carol", "103", 27_180, media: 27_400, codecs: ["pcmu"], servers: [("desk", 27_160)])
        for phone in [alice, bob, carol] { try phone.waitUntilReady() }
    }

    /// Alice calls from one of her accounts, and is answered.
    private func call(_ phone: RigPhone, _ number: String, _ method: String, by account: String) throws {
        try alice.ask(method, ["target": .string(number), "account": .string(account)])
        try phone.wait(for: "incomingCall")
        try phone.ask("answer")
        try phone.wait(for: "callAnswered")
        try alice.wait(for: "callAnswered")
    }

    /// Each speaks, and the others understand the speech.
    private func talk(_ turns: [(speaker: RigPhone, ears: [RigPhone])]) {
        for (speaker, ears) in turns {
            let words = speaker.name == "alice" ? workplace.alice : workplace.bob
            Conversation(
                ears.map {
                    Conversation.Voice("\(speaker.name) at \($0.name)", words: words, mouth: speaker.mouth, ear: $0.ear)
                }
            ).expectUnderstood()
        }
    }

    @Test(.limit(minutesEachTime: 3)) func threePhonesHearEachOther() throws {
        try call(bob, "102", "call", by: "first")
        try call(carol, "103", "consult", by: "second")
        let joined = try Command(["ctl", "conference", "--socket", alice.folder.socket], in: workplace)
        #expect(joined.exit == .status(0), "\(joined)")
        try bob.wait(for: "callResumed")
        #expect(try alice.ask("getSnapshot")["conference"] == true)
        talk([(alice, [bob, carol]), (bob, [alice, carol]), (carol, [alice, bob])])
        try carol.ask("hangup")
        try alice.wait(for: "callEnded")
        #expect(try alice.ask("getSnapshot")["conference"] == false)
        talk([(alice, [bob]), (bob, [alice])])
        for phone in [alice, bob, carol] { #expect(phone.process.stop().exit == .status(0)) }
    }
}
