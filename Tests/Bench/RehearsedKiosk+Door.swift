import Base
import Control
import JSON

/// The door and the case.
extension RehearsedKiosk {
    func openByCode() throws -> String {
        try type("4711#")
        let tried = try kiosk.wait(for: "codeTried")
        try require(tried.fields["outcome"] == "right", "the code was \(tried.fields["outcome"]?.string ?? "?")")
        return "4 7 1 1 # at its keys; the relay was on for \(Self.seconds(try openTime()))"
    }

    func openByProgram() throws -> String {
        try kiosk.ask("relay", ["number": 1, "order": "pulse"])
        return "the relay was on for \(Self.seconds(try openTime()))"
    }

    func lockCodes() throws -> String {
        for expected in ["wrong", "wrong", "locked"] { try dial("0000#", expecting: expected) }
        let locked = try dial("4711#", expecting: "locked")
        let seconds = locked.fields["seconds"]?.integer ?? 0
        MonotonicTime.sleep(.milliseconds(200))
        try kiosk.collect()
        let opened = kiosk.all("line").contains {
            $0.fields["line"] == "relay.1" && $0.fields["level"] == true && $0.at > locked.at
        }
        try require(!opened && seconds > 50, "opened: \(opened); locked for \(seconds) s")
        return "three times 0 0 0 0 #; then the right one opens nothing, for \(seconds) s more"
    }

    func raiseAlarm() throws -> String {
        let moved = try moveCase(open: true)
        let raised = try kiosk.wait(for: "alarmRaised")
        try require(raised.fields["outcome"] == "called", "the alarm is \(raised.fields["outcome"]?.string ?? "?")")
        let rang = try guardRoom.wait(for: "incomingCall")
        try guardRoom.ask("liftHook")
        try hearEachOther(guardRoom)
        try replaceHook(guardRoom)
        try kiosk.wait(for: "callEnded") { $0.fields["call"] == raised.fields["call"] }
        return "the guard rang \(Int((rang.at - moved.at).milliseconds)) ms after, lifted, and hears the kiosk"
    }

    func shakeContact() throws -> String {
        let times = 5
        let before = kiosk.all("callStarted").count
        for _ in 0..<times {
            try moveCase(open: false)
            try moveCase(open: true)
        }
        let outcome = try kiosk.wait(for: "alarmRaised").fields["outcome"]?.string ?? "?"
        try require(outcome == "waiting", "the alarm is \(outcome)")
        try moveCase(open: false)
        let calls = try kiosk.ask("getSnapshot")["calls"]?.array?.count ?? -1
        try kiosk.collect()
        let started = kiosk.all("callStarted").count - before
        try require(calls == 0 && started == 0, "it has \(calls) calls, \(started) new ones")
        return "opened and shut \(times) times more within the pause; nobody was called"
    }

    /// A contact without an alarm calls nobody.
    func openDoor() throws -> String {
        let before = kiosk.all("callStarted").count
        for isOpen in [true, false] {
            try kiosk.ask("setLine", ["name": "inputs.door-open", "level": isOpen ? 1 : 0])
            try kiosk.wait(for: "panelChanged") {
                $0.fields["input"] == "door-open" && $0.fields["active"] == .bool(isOpen)
            }
        }
        try require(kiosk.all("callStarted").count == before, "it starts a call")
        return "opened and shut: programs get the event, and nobody is called"
    }

    // MARK: Shared by steps

    @discardableResult
    private func dial(_ code: String, expecting outcome: String) throws -> ControlEvent {
        try type(code)
        let tried = try kiosk.wait(for: "codeTried")
        let found = tried.fields["outcome"]?.string ?? "?"
        try require(found == outcome, "\(code) was \(found) instead of \(outcome)")
        return tried
    }

    /// The guard presses keys in a call.
    private func type(_ code: String) throws {
        for digit in code {
            try guardRoom.ask("pressKey", ["key": .string(String(digit)), "holdMs": 60])
            try guardRoom.wait(for: "panelChanged") { $0.fields["key"] == .string(String(digit)) }
            try kiosk.wait(for: "dtmfReceived") { $0.fields["digit"] == .string(String(digit)) }
            // The same key counts again after its release.
            MonotonicTime.sleep(.milliseconds(120))
        }
    }

    /// How long the relay's line is high.
    private func openTime() throws -> Duration {
        let on = try kiosk.wait(for: "line") { $0.fields["line"] == "relay.1" && $0.fields["level"] == true }
        let off = try kiosk.wait(for: "line") { $0.fields["line"] == "relay.1" && $0.fields["level"] == false }
        let time = off.at - on.at
        try require(abs(time.milliseconds - 1_000) < 200, "it was on for \(Self.seconds(time))")
        return time
    }

    @discardableResult
    private func moveCase(open: Bool) throws -> ControlEvent {
        try kiosk.ask("setLine", ["name": "inputs.tamper", "level": open ? 1 : 0])
        return try kiosk.wait(for: "panelChanged") {
            $0.fields["input"] == "tamper" && $0.fields["active"] == .bool(open)
        }
    }
}
