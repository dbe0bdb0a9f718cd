import Base
import Control
import JSON

/// A kiosk at a door and two desks, through every function of a kiosk intercom (spec §13).
///
/// Real programs, real sockets; the button, the door and the case are contacts of a simulated board.
public final class RehearsedKiosk {
    /// A step's failure.
    public struct Unmet: Error, Equatable, Sendable, CustomStringConvertible {
        public let description: String
    }

    public struct Phones {
        public let kiosk: RigPhone
        public let reception: RigPhone
        public let guardRoom: RigPhone

        public init(kiosk: RigPhone, reception: RigPhone, guardRoom: RigPhone) {
            (self.kiosk, self.reception, self.guardRoom) = (kiosk, reception, guardRoom)
        }
    }

    let kiosk: RigPhone
    let reception: RigPhone
    let guardRoom: RigPhone
    /// The kiosk's number at a desk.
    let kioskNumber: String
    /// When the call of the button was answered.
    var answered = Instant.zero

    public init(_ phones: Phones, kioskNumber: String) {
        (kiosk, reception, guardRoom) = (phones.kiosk, phones.reception, phones.guardRoom)
        self.kioskNumber = kioskNumber
    }

    /// Runs the steps in order, and reports each with its facts. Throws at the first failure.
    public func run(tell: (_ step: String, _ facts: String) -> Void) throws {
        for (name, step) in steps {
            do {
                tell(name, try step())
            } catch {
                throw Unmet(description: "\(name): \(error)")
            }
        }
    }

    private var steps: [(name: String, run: () throws -> String)] {
        [
            ("one button, the next target", callByButton), ("the desk opens the door", openByCode),
            ("wrong codes lock the door", lockCodes), ("the longest call ends", waitForLongestCall),
            ("a program opens the door", openByProgram), ("an open case calls", raiseAlarm),
            ("a loose contact does not", shakeContact), ("a listed caller is answered", answerListed),
            ("another one rings", ringForOther), ("an open door is reported", openDoor),
            ("a page to both desks", pageDesks), ("a page gives way to an alarm", hearPages),
            ("a dead part is found", testSound),
        ]
    }

    // MARK: The button

    private func callByButton() throws -> String {
        try kiosk.ask("pressKey", ["key": "speed-1"])
        let rang = try reception.wait(for: "incomingCall")
        let gaveUp = try reception.wait(for: "callEnded", upTo: .seconds(10))
        try guardRoom.wait(for: "incomingCall")
        try guardRoom.ask("liftHook")
        answered = try kiosk.wait(for: "callAnswered").at
        try hearEachOther(guardRoom)
        return "the reception rang for \(Self.seconds(gaveUp.at - rang.at)), then the guard lifted; both hear"
    }

    private func waitForLongestCall() throws -> String {
        let end = try kiosk.wait(for: "callEnded", upTo: .seconds(40)) { $0.fields["reason"] == "tooLong" }
        try guardRoom.wait(for: "callEnded") { $0.fields["reason"] == "hungUpThere" }
        try replaceHook(guardRoom)
        let length = end.at - answered
        try require(abs(length.milliseconds - 25_000) < 1_000, "it lasted for \(Self.seconds(length))")
        return "by itself, after \(Self.seconds(length))"
    }

    // MARK: Callers

    private func answerListed() throws -> String {
        try reception.ask("dial", ["target": .string(kioskNumber)])
        try kiosk.wait(for: "callAnswered")
        try hearEachOther(reception)
        let route = try kiosk.ask("getSnapshot")["route"]?.string ?? "?"
        try require(route == "speaker", "its route is \(route)")
        try reception.ask("hangup")
        try kiosk.wait(for: "callEnded")
        return "the reception, on the speaker, and nobody touched the kiosk"
    }

    private func ringForOther() throws -> String {
        let dialled = MonotonicTime.now
        try guardRoom.ask("dial", ["target": .string(kioskNumber)])
        let call = try kiosk.wait(for: "incomingCall") { $0.at > dialled }
        try kiosk.wait(for: "ringerChanged") { $0.at > dialled && $0.fields["on"] == true }
        // The listed caller was answered within a tenth of this.
        MonotonicTime.sleep(.seconds(2))
        let calls = try kiosk.ask("getSnapshot")["calls"]?.array ?? []
        let phases = calls.compactMap { $0["phase"]?.string }
        try require(phases == ["ringingIn"], "its calls are \(phases)")
        try guardRoom.ask("hangup")
        let end = try kiosk.wait(for: "callEnded") { $0.fields["call"] == call.fields["call"] }
        return "the guard, for \(Self.seconds(end.at - call.at)), and was not answered"
    }

    // MARK: Shared by steps

    func hearEachOther(_ desk: RigPhone) throws {
        try kiosk.wait(for: "firstVoice")
        try desk.wait(for: "firstVoice")
    }

    func replaceHook(_ desk: RigPhone) throws {
        try desk.ask("replaceHook")
        try desk.wait(for: "panelChanged") { $0.fields["hook"] == "onHook" }
    }

    func require(_ held: Bool, _ otherwise: @autoclosure () -> String) throws {
        guard held else { throw Unmet(description: otherwise()) }
    }

    static func seconds(_ duration: Duration) -> String {
        let tenths = Int((duration.milliseconds / 100).rounded())
        return "\(tenths / 10).\(tenths % 10) s"
    }
}
