import Base
import Control
import JSON

/// The kiosk's page to all, and the test of its sound devices.
extension RehearsedKiosk {
    func pageDesks() throws -> String {
        let asked = MonotonicTime.now
        try kiosk.ask("startPage", ["group": 3])
        let heard = try [reception, guardRoom].map {
            try $0.wait(for: "pageStarted") { $0.fields["label"] == "desks" }.at
        }
        let shown = try kiosk.ask("getSnapshot")["sentPage"]?["label"]?.string
        try require(shown == "desks", "it shows \(shown ?? "no page")")
        try kiosk.ask("stopPage")
        try kiosk.wait(for: "pageSendingEnded") { $0.fields["reason"] == "stopped" }
        for desk in [reception, guardRoom] { try desk.wait(for: "pageEnded") }
        let latest = heard.max() ?? asked
        return "heard at both \(Int((latest - asked).milliseconds.rounded())) ms after, and over when it was"
    }

    /// The house's page is the reception's, the alarm is the guard's.
    func hearPages() throws -> String {
        func heard(_ label: String) throws -> Instant {
            try kiosk.wait(for: "pageStarted") { $0.fields["label"] == .string(label) }.at
        }
        try reception.ask("startPage", ["group": 2])
        _ = try heard("house")
        let asked = MonotonicTime.now
        try guardRoom.ask("startPage", ["group": 2])
        let alarm = try heard("alarm")
        try guardRoom.ask("stopPage")
        let back = try heard("house")
        try reception.ask("stopPage")
        try kiosk.wait(for: "pageEnded") { $0.fields["label"] == "house" && $0.at > back }
        let delay = Int((alarm - asked).milliseconds.rounded())
        return "the guard's, \(delay) ms after, in the reception's, which comes back"
    }

    /// A sound card of two files has no air from loudspeaker to microphone.
    func testSound() throws -> String {
        let asked = MonotonicTime.now
        try kiosk.ask("testSound")
        let result = try kiosk.wait(for: "soundTested")
        try require(result.fields["result"] == "silent", "it found \(result.fields["result"]?.string ?? "nothing")")
        let words = result.fields["message"]?.string ?? ""
        return "after \(Self.seconds(result.at - asked)): \(words)"
    }
}
