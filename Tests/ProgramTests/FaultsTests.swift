import Base
import Bench
import Foundation
import Glibc
import HostStalls
import Rig
import SIPCore
import Testing

/// A fault is in the log, in the status and in the events, from the first moment on.
@Suite(.serialized, .stallsForgiven) struct FaultsTests {
    private static func log(_ folder: PhoneFolder) throws -> String {
        try String(contentsOfFile: folder.log, encoding: .utf8)
    }

    private static func status(_ phone: RigPhone, in workplace: Workplace) throws -> String {
        try Command(["ctl", "status", "--socket", phone.folder.socket], in: workplace).output
    }

    /// An account with mandatory encryption, at a server without it, both ways.
    @Test(.limit(minutesEachTime: 2)) func missingEncryptionIsReportedToBothPeople() throws {
        let (workplace, server) = (try Workplace(), try DatagramPeer())
        let settings = PhoneFolder.Settings(port: 27_160, firstMediaPort: 27_200)
        let folder = try workplace.phoneFolder("bob", settings)
        try folder.addAccount(
            program: Workplace.phone, label: "desk", user: "102", server: "127.0.0.1:\(server.port)",
            more: ["--no-register", "--no-password", "--protection", "mandatory"])
        let bob = try RigPhone(name: "bob", folder: folder, program: Workplace.phone)
        try bob.waitUntilReady()

        // The far end accepts no offered protection.
        let dialling = try ChildProcess(
            [Workplace.phone, "ctl", "dial", "200", "--socket", folder.socket], log: workplace.path + "/dial")
        try server.say(try server.request(.invite).response(.notAcceptableHere, tag: "far"), to: settings.port)
        #expect(dialling.wait(upTo: .seconds(10)) == .status(1))
        let ended = try bob.wait(for: "callFailed")
        let reason = try #require(ended.fields["message"]?.string)
        let said = try String(contentsOfFile: workplace.path + "/dial", encoding: .utf8)
        #expect(!reason.isEmpty && said.contains(reason), "\(said)")

        // The far end offers no other protection.
        let clear = ScriptedCaller.session(at: server.host, 7_000).replacing("SAVP", with: "AVP")
            .split(separator: "\r\n").filter { !$0.hasPrefix("a=crypto") }.map { $0 + "\r\n" }.joined()
        let caller = ScriptedCaller(at: server)
        let invite = caller.request(.invite, body: clear, extra: [(.pAssertedIdentity, "<sip:200@127.0.0.1>")])
        try server.say(invite, to: settings.port)
        let tag = try server.response(.notAcceptableHere).headers.to.tag
        try server.say(caller.request(.ack, branch: "INVITE-1", toTag: tag), to: settings.port)
        #expect(try bob.wait(for: "callRefused").fields["message"]?.string?.contains("no encryption") == true)
        try bob.wait(for: "missedCall")
        #expect(try bob.ask("getSnapshot")["missedCount"] == 1)
        #expect(try Self.log(folder).contains("the caller offers no encryption; `--protection offered` would allow it"))
        #expect(bob.process.stop().exit == .status(0))
    }

    @Test(.limit(minutesEachTime: 1)) func missingSoundDeviceIsReportedAtStart() throws {
        let workplace = try Workplace()
        var settings = PhoneFolder.Settings(port: 27_160, firstMediaPort: 27_200)
        settings.device = "absent"
        let folder = try workplace.phoneFolder("phone", settings)
        let phone = try RigPhone(name: "phone", folder: folder, program: Workplace.phone)
        try Self.waitUntil { try Self.status(phone, in: workplace).contains("no sound device") }
        #expect(try Self.log(folder).contains("absent"))
        #expect(phone.process.stop().exit == .status(0))
    }

    /// It comes later, or never: the phone runs, and reports what it waits for.
    @Test(.limit(minutesEachTime: 1)) func missingAddressDoesNotPreventStart() throws {
        let workplace = try Workplace()
        var settings = PhoneFolder.Settings(port: 27_160, firstMediaPort: 27_200)
        settings.address = "198.51.100.77"
        let folder = try workplace.phoneFolder("phone", settings)
        let socket = workplace.path + "/notify"
        let listener = try NotifySocket(path: socket)
        let phone = try RigPhone(
            name: "phone", folder: folder, program: Workplace.phone, prefix: ["env", "NOTIFY_SOCKET=\(socket)"])
        #expect(listener.next(within: .seconds(20)) == "READY=1")
        try Self.waitUntil {
            try Self.status(phone, in: workplace).contains("198.51.100.77 is not an address of this machine")
        }
        #expect(phone.process.wait(upTo: .seconds(3)) == nil, "it ended by itself")
        #expect(phone.process.stop().exit == .status(0))
    }

    private static func waitUntil(_ isTrue: () throws -> Bool) throws {
        let end = MonotonicTime.now + .seconds(10)
        while try !isTrue() {
            try #require(MonotonicTime.now < end)
            MonotonicTime.sleep(.milliseconds(50))
        }
    }
}
