import Base
import Control
import JSON
import Trace

extension RehearsedBackend {
    var steps: [(title: String, run: () throws -> Void)] {
        [
            ("Sign-in: the phone has no keyboard, so it shows a code", signIn),
            ("Scenario A: the backend describes the caller before the call arrives", infoFirst),
            ("Scenario B: the call arrives before its description", offerFirst),
            ("Another phone answers", answerElsewhere),
            ("The backend reports that a call ended elsewhere", endElsewhere),
            ("A call for another organization: the answer switches the phone first", switchByAnswer),
            ("A switch that fails is rolled back", rollBack),
        ]
    }

    private func signIn() throws {
        let signIn = try desk.signIn(at: backend)
        let ready = MonotonicTime.now
        let (code, address) = (signIn.code["code"]?.string ?? "?", signIn.code["address"]?.string ?? "?")
        note("shows the code \(code) and the address \(address)", who: desk.name, at: signIn.shown)
        let (name, email) = (signIn.done.fields["userName"]?.string, signIn.done.fields["email"]?.string)
        note("signed in: \(name ?? "?"), \(email ?? "?")", who: desk.name, at: signIn.done.at)
        device = try backend.wait(for: "device-registered")["device"] ?? .null
        try waitUntilOnline()
        let isHers = name == "Ada Lovelace" && email == "ada@example.org"
        let isKnown = try server.knows(Self.user)
        expect("sign-in", isHers, "\(name ?? "nobody"), \(email ?? "no address")")
        expect(
            "account of the backend", isKnown,
            "\(Self.user) registered at Kamailio \(Self.milliseconds(ready - signIn.allowed)) after Ada allowed it")
    }

    /// The restarted phone connects to the broker again.
    private func waitUntilOnline() throws {
        let end = MonotonicTime.now + .seconds(10)
        while backend.events("presence").last?["payload"] != "online" {
            guard MonotonicTime.now < end else { throw Unmet(description: "the phone is not at the broker") }
            MonotonicTime.sleep(.milliseconds(5))
        }
    }

    private func infoFirst() throws {
        pause()
        let told = try tell("call-a")
        let ring = try next("incomingCall", at: desk)
        let bell = try next("ringerChanged", at: desk) { $0.fields["on"] == true }
        pause(.milliseconds(400))
        try dial(Self.user)
        try next("callRinging", at: charles)
        pause()
        try lift()
        let up = try next("callAnswered", at: desk)
        try next("callAnswered", at: charles)
        try hearEachOther()
        pause()
        try hangUp()
        expect(
            "A: rings without the call", bell.at - told < .milliseconds(500),
            "\(Self.milliseconds(bell.at - told)) after the backend published")
        expect("A: full display", Self.isFull(ring), EventStory.display(of: ring))
        let count = try announcements()
        expect(
            "A: one call", up.fields["call"] == ring.fields["call"] && count == 1,
            "the call merged with its description: announced \(Self.times(count)), voice both ways")
    }

    private func offerFirst() throws {
        try dial(Self.user)
        let ring = try next("incomingCall", at: desk)
        pause(.milliseconds(200))
        let told = try tell("call-b")
        let shown = try next("callDisplayUpdated", at: desk) { $0.fields["summary"]?["name"] != .null }
        pause()
        note("gives up", who: charles.name)
        try charles.ask("hangup")
        let missed = try next("missedCall", at: desk)
        let invite = try desk.signals().first {
            $0.at >= begun && $0.direction == .received && SignalReading($0.message).summary.hasPrefix("INVITE")
        }
        let delay = invite.map { ring.at - $0.at }
        let isPlain = ring.fields["summary"]?["number"] == .string(Self.charlesUser)
        expect(
            "B: rings with the number", isPlain && delay.map { $0 < .milliseconds(100) } == true,
            "\(EventStory.display(of: ring)), \(delay.map(Self.milliseconds) ?? "?") after the INVITE")
        let count = try announcements()
        expect(
            "B: display completed", Self.isFull(shown) && count == 1,
            "\(Self.milliseconds(shown.at - told)) after the backend published; announced \(Self.times(count))")
        expect("B: missed call", Self.isFull(missed), EventStory.display(of: missed))
    }

    private func answerElsewhere() throws {
        let lobby = try openLobby()
        note("registers as \(Self.user), too", who: lobby.name)
        try dial(Self.user)
        try next("incomingCall", at: desk)
        try next("incomingCall", at: lobby)
        try tell("call-c")
        try next("callDisplayUpdated", at: desk) { $0.fields["summary"]?["name"] != .null }
        pause()
        note("somebody answers", who: lobby.name)
        try lobby.ask("answer")
        let ended = try next("callEnded", at: desk)
        try tell("call-c", type: "call_ended")
        try next("callAnswered", at: charles)
        pause()
        note("hangs up", who: charles.name)
        try charles.ask("hangup")
        try next("callEnded", at: lobby)
        let isElsewhere = ended.fields["reason"] == "answeredElsewhere"
        try expectNotMissed("answered elsewhere", isElsewhere, "the desk stops ringing")
    }

    /// Only the backend knows these calls of Grace, and the end of the second overtakes its beginning. An offer of the
    /// same number is one of them for ten seconds, so Charles cannot be their caller.
    private func endElsewhere() throws {
        try tell("call-d", of: .grace)
        try next("incomingCall", at: desk)
        pause()
        let told = try tell("call-d", of: .grace, type: "call_ended")
        let ended = try next("callEnded", at: desk)
        let quiet = try next("ringerChanged", at: desk) { $0.fields["on"] == false && $0.at >= told }
        try tell("call-e", of: .grace, type: "call_ended")
        try tell("call-e", of: .grace)
        // An announcement takes some milliseconds.
        pause(.milliseconds(500))
        let count = try announcements()
        let isElsewhere = ended.fields["reason"] == "answeredElsewhere"
        try expectNotMissed(
            "ended by the backend", isElsewhere && count == 1,
            "bell off \(Self.milliseconds(quiet.at - told)) after; no ring if the end comes first")
    }

    private func expectNotMissed(_ name: String, _ held: Bool, _ detail: String) throws {
        try desk.collect()
        let missed = desk.all("missedCall").count { $0.at >= begun }
        expect(name, held && missed == 0, "\(detail); no missed call")
    }

    private func switchByAnswer() throws {
        try tell("call-f", organisation: 42)
        let ring = try next("incomingCall", at: desk)
        pause()
        try lift()
        let switched = try next("organizationSwitched", at: desk)
        try dial(Self.otherUser)
        let up = try next("callAnswered", at: desk)
        try hearEachOther()
        pause()
        try hangUp()
        let badge = ring.fields["summary"]?["badge"]?.string ?? "none"
        expect("badge of the organization", badge == "Bletchley Park", badge)
        let isThere = try server.knows(Self.otherUser) && desk.organisation() == .string(Self.otherOrganisation)
        expect(
            "switch, then answer", isThere && up.fields["call"] == ring.fields["call"],
            "\(switched.fields["organizationName"]?.string ?? "?"), account \(Self.otherUser); voice both ways")
    }

    private func rollBack() throws {
        do {
            try desk.ask("switchOrganization", ["organization": .string(Self.wrongOrganisation)])
        } catch ControlClientError.refused {
            // The events report it, too.
        }
        let failed = try next("organizationSwitchFailed", at: desk)
        try desk.waitUntilReady()
        // There, back again, and the switch of the step before.
        try backend.wait(for: "switched", times: 3)
        let took = failed.at - begun
        let isBack = try server.knows(Self.otherUser) && desk.organisation() == .string(Self.otherOrganisation)
        let reason = failed.fields["reason"]?.string ?? "?"
        expect(
            "failed switch", reason == "connection" && took < .milliseconds(4_500),
            "\(reason): Kamailio rejects the new password; \(Self.milliseconds(took))")
        expect("roll-back", isBack, "account \(Self.otherUser) is registered, and the backend agrees")
        try dial(Self.otherUser)
        let ring = try next("incomingCall", at: desk)
        pause()
        try lift()
        try next("callAnswered", at: desk)
        try hearEachOther()
        pause()
        try hangUp()
        expect("call after the roll-back", ring.at > failed.at, "Charles reaches Ada at \(Self.otherUser)")
    }

    // MARK: Words

    /// Whether name and full number are shown.
    private static func isFull(_ event: ControlEvent) -> Bool {
        let summary = event.fields["summary"]
        return summary?["name"] == .string(Caller.charles.name) && summary?["number"] == .string(Caller.charles.number)
    }

    private static func times(_ count: Int) -> String { count == 1 ? "once" : "\(count) times" }

    private static func milliseconds(_ duration: Duration) -> String {
        RehearsedCall.tenths(duration.milliseconds) + " ms"
    }
}
