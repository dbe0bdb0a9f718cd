import PhoneCore
import YAML

/// The panel of a board: what there is, and which line each part hangs on. Every part may be absent.
public struct PanelLayout: YAMLReadable, Equatable {
    public enum Backend: String, CaseIterable, Sendable {
        /// The kernel's lines, by libgpiod.
        case gpiod
        /// No hardware; driven by `SimulatedBackend.stimulate`.
        case simulated
    }

    public struct Hook: YAMLReadable, Equatable {
        /// Active while the handset is lifted.
        public let line: LineSpec
        public let debounce: Duration

        public init(from section: inout YAMLSection) throws(YAMLError) {
            line = try LineSpec(from: &section)
            debounce = try section.optional("debounce", .debounce()) ?? .milliseconds(30)
        }
    }

    public struct Button: YAMLReadable, Equatable {
        /// Active while the button is pressed.
        public let line: LineSpec
        public let debounce: Duration

        public init(from section: inout YAMLSection) throws(YAMLError) {
            line = try LineSpec(from: &section)
            debounce = try section.optional("debounce", .debounce()) ?? .milliseconds(10)
        }
    }

    public let backend: Backend
    /// The chip of every line that does not name another: its label, or its path.
    public let chip: String
    public let hook: Hook?
    public let keypad: KeypadSpec?
    public let buttons: [(key: Key, value: Button)]
    public let lamps: [(key: Lamp, value: LineSpec)]
    /// Active while the bell sounds.
    public let ringer: LineSpec?

    public init(from section: inout YAMLSection) throws(YAMLError) {
        backend = try section.required("backend", .choice())
        chip = try section.required("chip", LineSpec.chipShape)
        hook = try section.optional("hook", .section())
        keypad = try section.optional("keypad", .section())
        buttons = try section.optional("buttons", .table(of: .key(), to: .section(), count: 1...24)) ?? []
        lamps = try section.optional("lamps", .table(of: .choice(), to: .section(), count: 1...6)) ?? []
        ringer = try section.optional("ringer", .section())
        try refuseDuplicates(in: section)
    }

    private func refuseDuplicates(in section: YAMLSection) throws(YAMLError) {
        let matrix = keypad?.keys.flatMap { $0 }.compactMap { $0 } ?? []
        for key in buttons.map(\.key) where matrix.contains(key) {
            throw section.error("buttons", "key \"\(key.name)\" is in the keypad too")
        }
        var users: [LineAddress: String] = [:]
        for request in PanelPlan(self).lines {
            if let first = users.updateValue(request.key, forKey: request.address) {
                let address = request.address
                throw section.error(
                    "backend",
                    "line \(address.line) of chip \"\(address.chip)\" serves both \(first) and \(request.key)")
            }
        }
    }

    public static func == (left: PanelLayout, right: PanelLayout) -> Bool {
        left.backend == right.backend && left.chip == right.chip && left.hook == right.hook
            && left.keypad == right.keypad && left.ringer == right.ringer
            && left.buttons.elementsEqual(right.buttons) { $0 == $1 }
            && left.lamps.elementsEqual(right.lamps) { $0 == $1 }
    }
}

extension YAMLShape<Duration> {
    static func debounce() -> YAMLShape { .duration(in: .zero ... .seconds(1)) }
}

extension YAMLShape<Key> {
    static func key() -> YAMLShape {
        .scalar("a key (0 to 9, \"*\", \"#\", A to D, hold, mute, speaker, headset, redial, volume-up, volume-down)") {
            Key(name: $0)
        }
    }
}
