import Base
import Control
import JSON

extension RehearsedCall {
    /// A phone's ear until `isRight` accepts the last `atLeast`; the instant by which it did.
    func hearing(
        _ phone: RigPhone, atLeast window: Duration, upTo limit: Duration, _ isRight: ([Int16]) -> Bool
    ) throws -> Instant? {
        let frames = Int(window.nanoseconds / 1_000) * Wire.rate / 1_000_000
        let end = MonotonicTime.now + limit
        while MonotonicTime.now < end {
            let now = Wire.now
            if isRight(phone.ear.heard(now - frames..<now)) { return MonotonicTime.now - window }
            MonotonicTime.sleep(.milliseconds(10))
        }
        return nil
    }

    /// The next changes of the bell's line, beginning with its rise.
    func bellChanges(of phone: RigPhone, count: Int) throws -> [ControlEvent] {
        var changes = phone.all("line").filter { $0.fields["line"] == "ringer" }
        while changes.count < count {
            let change = try phone.wait(for: "line", upTo: .seconds(6)) { $0.fields["line"] == "ringer" }
            if !changes.contains(change) { changes.append(change) }
        }
        return Array(changes.prefix(count))
    }

    static func after(_ duration: Duration) -> String { tenths(duration.milliseconds) + " ms after" }

    static func tenths(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return "\(tenths < 0 ? "-" : "")\(abs(tenths) / 10).\(abs(tenths) % 10)"
    }
}
