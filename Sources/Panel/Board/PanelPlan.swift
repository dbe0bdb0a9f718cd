import PhoneCore

/// A chip, by label or path, and one of its lines.
public struct LineAddress: Hashable, Sendable {
    public let chip: String
    public let line: LineSelector

    public init(chip: String, line: LineSelector) {
        self.chip = chip
        self.line = line
    }
}

/// One line, as a backend must request it.
public struct LineRequest: Equatable, Sendable {
    public enum Role: Equatable, Sendable {
        /// The line is read, and its edges are reported.
        case input
        case output(OutputSpec.Drive)
    }

    /// The line's key in the board file, such as `panel.hook`.
    public let key: String
    public let address: LineAddress
    public let role: Role
    public let polarity: LineSpec.Polarity
    public let bias: LineSpec.Bias
}

/// All lines of a panel in one list, and the use of each. A line is identified by its index in the list.
package struct PanelPlan: Equatable, Sendable {
    /// An input whose level alone has a meaning, unlike that of a line of a matrix or a dial.
    package struct Contact: Equatable, Sendable {
        package enum Part: Equatable, Sendable {
            case hook
            case button(Key)
            case input(String)
        }

        package let part: Part
        package let line: Int
        package let debounce: Duration
    }

    package struct Keypad: Equatable, Sendable {
        package let rows: [Int]
        package let columns: [Int]
        package let keys: [[Key?]]
        package let timing: MatrixTiming
    }

    package struct Dial: Equatable, Sendable {
        package let pulse: Int
        package let offNormal: Int?
        package let timing: DialTiming
        package let map: DialMap
    }

    package struct Encoder: Equatable, Sendable {
        package let leading: Int
        package let trailing: Int
        package let changes: Int
    }

    package struct Output: Equatable, Sendable {
        package let part: PanelOutput
        package let line: Int
        /// How the line switches while the part is on; nil: it stays on.
        package let carrier: OutputCarrier?
    }

    package private(set) var lines: [LineRequest] = []
    package private(set) var contacts: [Contact] = []
    package private(set) var keypad: Keypad?
    package private(set) var dial: Dial?
    package private(set) var encoder: Encoder?
    package private(set) var outputs: [Output] = []

    package init(_ layout: PanelLayout) {
        if let hook = layout.hook { add(.hook, hook.line, hook.debounce, layout) }
        keypad = layout.keypad.map { keypad in
            Keypad(
                rows: keypad.rows.map { add($0, .output($0.polarity.driveWhileActive), layout) },
                columns: keypad.columns.map { add($0, .input, layout) }, keys: keypad.keys, timing: keypad.timing)
        }
        dial = layout.dial.map { dial in
            Dial(
                pulse: add(dial.pulse, .input, layout), offNormal: dial.offNormal.map { add($0, .input, layout) },
                timing: dial.timing, map: dial.map)
        }
        encoder = layout.encoder.map { encoder in
            Encoder(
                leading: add(encoder.leading, .input, layout), trailing: add(encoder.trailing, .input, layout),
                changes: encoder.changes)
        }
        for (key, button) in layout.buttons { add(.button(key), button.line, button.debounce, layout) }
        for (name, input) in layout.inputs { add(.input(name), input.line, input.debounce, layout) }
        for (lamp, spec) in layout.lamps {
            add(.lamp(lamp), spec.output, spec.brightness < 100 ? .dimmed(to: spec.brightness) : nil, layout)
        }
        for (output, carrier) in layout.bell?.lines ?? [] { add(.bell, output, carrier, layout) }
        for (index, relay) in layout.relays.enumerated() { add(.relay(UInt8(index + 1)), relay, nil, layout) }
    }

    /// The outputs in the order for switching off. Relays come first, because one may hold a door open.
    package var outputsRelaysFirst: [Output] {
        outputs.filter(\.part.isRelay) + outputs.filter { !$0.part.isRelay }
    }

    package var hook: Contact? { contacts.first { $0.part == .hook } }

    private mutating func add(_ part: Contact.Part, _ line: LineSpec, _ debounce: Duration, _ layout: PanelLayout) {
        contacts.append(Contact(part: part, line: add(line, .input, layout), debounce: debounce))
    }

    private mutating func add(
        _ part: PanelOutput, _ spec: OutputSpec, _ carrier: OutputCarrier?, _ layout: PanelLayout
    ) {
        outputs.append(Output(part: part, line: add(spec.line, .output(spec.drive), layout), carrier: carrier))
    }

    private mutating func add(_ spec: LineSpec, _ role: LineRequest.Role, _ layout: PanelLayout) -> Int {
        let address = LineAddress(chip: spec.chip ?? layout.chip, line: spec.line)
        lines.append(
            LineRequest(key: spec.key, address: address, role: role, polarity: spec.polarity, bias: spec.bias))
        return lines.count - 1
    }
}

/// An output of the panel: a part that we switch on and off.
public enum PanelOutput: Hashable, Sendable {
    case lamp(Lamp)
    case bell
    /// Counted from 1.
    case relay(UInt8)

    var isRelay: Bool { if case .relay = self { true } else { false } }
}

extension PanelEffect {
    /// The output of this effect. A newer order for the same output replaces an older one.
    var part: PanelOutput {
        switch self {
        case .lamp(let lamp, _): .lamp(lamp)
        case .bell: .bell
        case .relay(let number, on: _), .pulse(let number, until: _): .relay(number)
        }
    }
}
