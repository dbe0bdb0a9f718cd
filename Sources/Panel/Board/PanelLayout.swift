import PhoneCore
import YAML

/// The panel of a board: its parts, and the line of each part. Every part is optional.
public struct PanelLayout: YAMLReadable, Equatable {
    public enum Backend: String, CaseIterable, Sendable {
        /// The kernel's lines, through libgpiod.
        case gpiod
        /// No hardware. `SimulatedBackend.stimulate` moves the contacts.
        case simulated
    }

    public struct Hook: YAMLReadable, Equatable {
        /// Active while the handset is lifted.
        public let line: LineSpec
        public let debounce: Duration

        public init(from section: inout YAMLSection) throws(YAMLError) {
            line = try LineSpec(from: &section)
            debounce = try section.optional("debounce", .debounce()) ?? Debouncer.usual
        }
    }

    public struct Button: YAMLReadable, Equatable {
        /// Active while the button is pressed.
        public let line: LineSpec
        public let debounce: Duration

        public init(from section: inout YAMLSection) throws(YAMLError) {
            line = try LineSpec(from: &section)
            debounce = try section.optional("debounce", .debounce()) ?? Debouncer.usualOfButton
        }
    }

    /// A contact that is not a key, such as a lid's or a door's.
    public struct Input: YAMLReadable, Equatable {
        /// Active while the condition in the input's name holds.
        public let line: LineSpec
        public let debounce: Duration

        public init(from section: inout YAMLSection) throws(YAMLError) {
            line = try LineSpec(from: &section)
            debounce = try section.optional("debounce", .debounce()) ?? Debouncer.usual
        }
    }

    public let backend: Backend
    /// The label or path of the chip for every line that does not name another.
    public let chip: String
    public let hook: Hook?
    public let keypad: KeypadSpec?
    public let dial: DialSpec?
    /// A volume knob.
    public let encoder: EncoderSpec?
    public let buttons: [(key: Key, value: Button)]
    public let inputs: [(key: String, value: Input)]
    public let lamps: [(key: Lamp, value: LampSpec)]
    public let bell: BellSpec?
    /// Active while the relay is on. The first is relay 1.
    public let relays: [OutputSpec]
    public let display: DisplaySpec?

    public init(from section: inout YAMLSection) throws(YAMLError) {
        backend = try section.required("backend", .choice())
        chip = try section.required("chip", LineSpec.chipShape)
        hook = try section.optional("hook", .section())
        keypad = try section.optional("keypad", .section())
        dial = try section.optional("dial", .section())
        encoder = try section.optional("encoder", .section())
        let keys = 1...Key.names.count
        buttons = try section.optional("buttons", .table(of: .key(), to: .section(), count: keys)) ?? []
        inputs = try section.optional("inputs", .table(of: .inputName, to: .section(), count: 1...16)) ?? []
        let lampCount = 1...Lamp.allCases.count
        lamps = try section.optional("lamps", .table(of: .lamp, to: .section(), count: lampCount)) ?? []
        bell = try section.optional("ringer", .section())
        relays = try section.optional("relays", .list(of: .section(), count: 1...8)) ?? []
        display = try section.optional("display", .section())
        try refuseDuplicates(in: section)
    }

    /// All keys that a person can press or turn, except the digits of a rotary dial.
    public var allKeys: Set<Key> {
        Set(matrixKeys + buttons.map(\.key) + (encoder == nil ? [] : [.volumeUp, .volumeDown]))
    }

    private var matrixKeys: [Key] { keypad?.keys.flatMap { $0 }.compactMap { $0 } ?? [] }

    private func refuseDuplicates(in section: YAMLSection) throws(YAMLError) {
        for key in buttons.map(\.key) where matrixKeys.contains(key) {
            throw section.error("buttons", "key \"\(key.name)\" is also in the keypad")
        }
        var users: [LineAddress: String] = [:]
        for request in PanelPlan(self).lines {
            if let first = users.updateValue(request.key, forKey: request.address) {
                let address = request.address
                let part = request.key.dropFirst(section.path.count + 1).prefix { $0 != "." && $0 != "[" }
                throw section.error(
                    String(part),
                    "line \(address.line) of chip \"\(address.chip)\" serves both \(first) and \(request.key)")
            }
        }
    }

    public static func == (left: PanelLayout, right: PanelLayout) -> Bool {
        left.backend == right.backend && left.chip == right.chip && left.hook == right.hook
            && left.keypad == right.keypad && left.dial == right.dial && left.bell == right.bell
            && left.relays == right.relays && left.encoder == right.encoder
            && left.display == right.display
            && left.buttons.elementsEqual(right.buttons) { $0 == $1 }
            && left.inputs.elementsEqual(right.inputs) { $0 == $1 }
            && left.lamps.elementsEqual(right.lamps) { $0 == $1 }
    }
}

extension YAMLShape<Duration> {
    static func debounce() -> YAMLShape { .duration(in: .zero ... .seconds(1)) }
}

extension YAMLShape<Key> {
    static func key() -> YAMLShape {
        .scalar(
            "a key (0 to 9, \"*\", \"#\", A to D, hold, mute, speaker, headset, redial, volume-up, volume-down, flash, "
                + "transfer, conference, do-not-disturb, voicemail, line-1 to line-\(Key.lineKeys.upperBound), "
                + "speed-1 to speed-\(Key.speedDials.upperBound), "
                + "page-1 to page-\(Key.pages.upperBound))"
        ) { Key(name: $0) }
    }
}

extension YAMLShape<Lamp> {
    static var lamp: YAMLShape { .choice(Lamp.allCases.map { ($0.rawValue, $0) }) }
}

extension YAMLShape<String> {
    public static var inputName: YAMLShape {
        .scalar(
            "an input's name: 1 to 32 of a-z, 0-9 and -", example: "input", pattern: "^[a-z0-9-]{1,32}$"
        ) { text in
            let isName = text.allSatisfy { ("a"..."z").contains($0) || ("0"..."9").contains($0) || $0 == "-" }
            return isName && (1...32).contains(text.count) ? text : nil
        }
    }
}

/// A rotary encoder for the volume: a knob with two contacts that close one after the other.
public struct EncoderSpec: YAMLReadable, Equatable {
    /// The contact that moves first when the knob is turned clockwise.
    public let leading: LineSpec
    public let trailing: LineSpec
    /// Contact changes per detent of the knob, both contacts together.
    public let changes: Int

    public init(from section: inout YAMLSection) throws(YAMLError) {
        leading = try section.required("a", .section())
        trailing = try section.required("b", .section())
        changes = try section.optional("changes", .choice([("1", 1), ("2", 2), ("4", 4)])) ?? 4
    }
}
