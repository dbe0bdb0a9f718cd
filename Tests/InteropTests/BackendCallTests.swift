import Base
import Bench
import Control
import HostStalls
import JSON
import Rig
import Testing
import offhook

/// A whole phone with a backend over HTTPS, its broker of caller info, and Kamailio as the server of its accounts.
@Suite(
    .serialized, .stallsForgiven, .enabled(if: BackendServer.isThere, "needs the reference backend (Scripts/backend)"),
    .enabled(if: Kamailio.isInstalled, "needs kamailio (Scripts/setup test)"))
struct BackendCallTests {
    /// Ada works for two organisations, as 101 and as 103. Her account in the third has a wrong password.
    private final class Scene {
        let workplace: Workplace
        let server: Kamailio
        let backend: BackendServer
        let folder: PhoneFolder
        var desk: RigPhone

        init() throws {
            workplace = try Workplace()
            server = try Kamailio(folder: workplace.path + "/kamailio", algorithm: "SHA-256")
            backend = try BackendServer(broker: true)
            try backend.addAccounts(
                at: Kamailio.address,
                [
                    .init(organisation: 17, user: "101", password: Kamailio.password(of: "101")),
                    .init(organisation: 42, user: "103", password: Kamailio.password(of: "103")),
                    .init(organisation: "org_nord", user: "104", password: "wrong"),
                ])
            var settings = PhoneFolder.Settings(port: 29_800, firstMediaPort: 29_810)
            settings.more = backend.section(phone: "Front desk") + "\ncalls: {organization_keys: {2: \"17\"}}\n"
            folder = try workplace.phoneFolder("desk", settings)
            desk = try RigPhone(name: "desk", folder: folder, program: Workplace.phone)
        }

        /// Signs the phone in, until its account is registered.
        func signIn() throws {
            let signIn = try desk.signIn(at: backend)
            #expect(signIn.code["address"]?.string?.hasPrefix("https://localhost:") == true, "\(signIn.code)")
            let rows = signIn.code["completeAddress"]?.string.flatMap { SignInPicture.modules($0) }
            #expect(signIn.code["qr"] == rows.map { .array($0.map { .string($0) }) })
            let user = signIn.done.fields
            #expect(user["userName"] == "Ada Lovelace" && user["email"] == "ada@example.org")
            #expect(try server.knows("101"))
        }

        /// Presses the key of organisation 17, until the phone works for it.
        func pressKey() throws -> Bool {
            try desk.ask("pressKey", ["key": "speed-2"])
            let end = MonotonicTime.now + .seconds(5)
            while MonotonicTime.now < end {
                if try desk.ask("getSnapshot")["organization"]?["id"] == "17" { return true }
                MonotonicTime.sleep(.milliseconds(50))
            }
            return false
        }

        func switchTo(_ organisation: String) throws {
            try desk.ask("switchOrganization", ["organization": .string(organisation)])
        }

        func restartAfterCrash() throws {
            desk.process.signal(9)
            _ = desk.process.wait(upTo: .seconds(2))
            desk = try RigPhone(name: "desk", folder: folder, program: Workplace.phone)
            try desk.waitUntilReady()
        }
    }

    @Test(.limit(minutesEachTime: 2)) func signedInPhoneSwitchesAndRollsBack() throws {
        let scene = try Scene()
        try scene.signIn()
        #expect(try scene.desk.organisation() == "17")

        try scene.switchTo("42")
        #expect(try scene.server.knows("103"))
        #expect(try scene.desk.organisation() == "42")
        #expect(try scene.pressKey())
        #expect(try scene.server.knows("101") && scene.desk.organisation() == "17")
        try scene.switchTo("42")

        // The server rejects the password of this organisation's account.
        #expect { try scene.switchTo("org_nord") } throws: { "\($0)".contains("organizationSwitchFailed") }
        try scene.desk.waitUntilReady()
        #expect(try scene.server.knows("103"))
        #expect(try scene.desk.organisation() == "42")
        try scene.backend.wait(for: "switched", times: 4)

        // The backend refuses, with a sentence for people.
        try scene.backend.order([
            "do": "faults", "fault": "refuse", "path": "/api/voip/switch-org", "status": 409, "error": "busy",
            "message": "The organisation is closed.", "times": 1,
        ])
        #expect { try scene.switchTo("17") } throws: { "\($0)".contains("The organisation is closed.") }

        // After a crash the phone works for the organisation of its vault.
        try scene.restartAfterCrash()
        #expect(try scene.server.knows("103"))
        #expect(try scene.desk.ask("getSnapshot")["organization"]?["id"] == "42")

        try scene.desk.ask("signOut")
        try scene.backend.wait(for: "device-deleted")
        let end = MonotonicTime.now + .seconds(3)
        while try scene.server.knows("103"), MonotonicTime.now < end { MonotonicTime.sleep(.milliseconds(20)) }
        #expect(try !scene.server.knows("103"))
        #expect(scene.desk.process.stop().exit == .status(0))
    }

    /// The organisations of one user may be at servers of different kinds.
    @Test(
        .enabled(if: VertoServer.isPossible, "needs aiortc (Scripts/webrtc)"), .limit(minutesEachTime: 2)
    ) func organisationAtAnotherServerMovesTheLine() throws {
        let scene = try Scene()
        let verto = try VertoServer(folder: scene.workplace.path + "/verto", dialect: "freeswitch")
        try scene.backend.addAccounts(
            at: "127.0.0.1:\(verto.port)",
            [
                .init(
                    organisation: 42, user: "101", password: VertoServer.password(of: "101"), kind: "verto",
                    transport: "ws")
            ])
        // Nobody listens here.
        try scene.backend.addAccounts(at: "127.0.0.1:9", [.init(organisation: "org_nord", user: "104", password: "x")])
        try scene.signIn()

        try scene.switchTo("42")
        try verto.wait(for: "login")
        #expect(try scene.desk.organisation() == "42")
        let end = MonotonicTime.now + .seconds(3)
        while try scene.server.knows("101"), MonotonicTime.now < end { MonotonicTime.sleep(.milliseconds(20)) }
        #expect(try !scene.server.knows("101"), "the line has left the first server")

        // The roll-back returns to the server of another kind.
        #expect { try scene.switchTo("org_nord") } throws: { "\($0)".contains("organizationSwitchFailed") }
        try verto.wait(for: "login", times: 2)
        try scene.desk.waitUntilReady()
        #expect(try scene.desk.organisation() == "42")

        try scene.restartAfterCrash()
        try verto.wait(for: "login", times: 3)
        #expect(try scene.desk.ask("getSnapshot")["organization"]?["id"] == "42")

        try scene.switchTo("17")
        #expect(try scene.server.knows("101"))
        #expect(scene.desk.process.stop().exit == .status(0))
    }

    /// Scenario A across organisations: the phone rings by caller info alone, its answer changes the organisation, and
    /// the server's offer then connects.
    @Test(.limit(minutesEachTime: 2)) func answerOfCallForOtherOrganisationSwitchesFirst() throws {
        let scene = try Scene()
        try scene.signIn()
        let caller = try Kamailio.phone("bob", "102", "udp", port: 29_900, in: scene.workplace.place)
        try caller.waitUntilReady()
        let device = try scene.backend.wait(for: "device-registered")["device"] ?? .null
        try scene.backend.wait(for: "presence", upTo: .seconds(10))
        try scene.backend.order([
            "do": "caller-info", "device": device,
            "message": [
                "caller_number": "102", "caller_name": "Bob Bletchley", "organization_id": 42,
                "organization_name": "Bletchley Park", "channel_number": "+442079460042",
            ],
        ])
        let ring = try scene.desk.wait(for: "incomingCall")
        #expect(ring.fields["summary"]?["name"] == "Bob Bletchley")
        #expect(ring.fields["summary"]?["badge"] == "Bletchley Park")

        let answering = try ChildProcess(
            [Workplace.phone, "ctl", "answer", "--socket", scene.folder.socket],
            log: scene.workplace.path + "/answer.log")
        try scene.desk.wait(for: "organizationSwitched", upTo: .seconds(5)) { $0.fields["organization"] == "42" }
        #expect(try scene.server.knows("103"))
        try caller.ask("dial", ["target": "103"])
        try caller.wait(for: "callAnswered")
        let up = try scene.desk.wait(for: "callAnswered")
        #expect(up.fields["call"] == ring.fields["call"])
        #expect(answering.wait(upTo: .seconds(5)) == .status(0))
        try scene.desk.ask("hangup")
        #expect(caller.process.stop().exit == .status(0))
        #expect(scene.desk.process.stop().exit == .status(0))
    }
}
