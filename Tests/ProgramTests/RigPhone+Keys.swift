import Base
import Bench
import JSON

extension RigPhone {
    /// Presses a key of the simulated panel, and releases it. A keypad that is scanned late on a busy machine misses a
    /// key; then the finger presses again.
    func press(_ key: String) throws {
        for isLast in [false, false, true] {
            try ask("pressKey", ["key": .string(key), "holdMs": 80])
            do {
                try wait(for: "panelChanged", upTo: isLast ? .seconds(5) : .seconds(1)) {
                    $0.fields["key"] == .string(key)
                }
                break
            } catch  where !isLast { continue }
        }
        // The release of a key is not reported, and must happen before it is pressed again.
        MonotonicTime.sleep(.milliseconds(180))
    }
}
