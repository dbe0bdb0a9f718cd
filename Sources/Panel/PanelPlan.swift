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

/// One line as a backend must request it.
public struct LineRequest: Equatable, Sendable {
    public enum Role: Equatable, Sendable {
        /// Read, and its edges are told.
        case input
        case output
        /// Driven while active and let go of otherwise: two of them may be connected, as rows of a matrix are by keys.
        case openOutput
    }

    /// What the board file calls it: `panel.hook`.
    public let key: String
    public let address: LineAddress
    public let role: Role
    public let polarity: LineSpec.Polarity
    public let bias: LineSpec.Bias
}

/// All lines of a panel in one list, and which is which. A line is known by its index in the list.
package struct PanelPlan: Equatable, Sendable {
    package struct Button: Equatable, Sendable {
        package let key: Key
        package let line: Int
        package let debounce: Duration
    }

    package struct Hook: Equatable, Sendable {
        package let line: Int
        package let debounce: Duration
    }

    package struct Keypad: Equatable, Sendable {
        package let rows: [Int]
        package let columns: [Int]
        package let keys: [[Key?]]
        package let timing: MatrixTiming
    }

    package struct Output: Equatable, Sendable {
        package let part: PanelOutput
        package let line: Int
    }

    package private(set) var lines: [LineRequest] = []
    package private(set) var hook: Hook?
    package private(set) var keypad: Keypad?
    package private(set) var buttons: [Button] = []
    package private(set) var outputs: [Output] = []

    package init(_ layout: PanelLayout) {
        hook = layout.hook.map { Hook(line: add($0.line, .input, layout), debounce: $0.debounce) }
        keypad = layout.keypad.map { keypad in
            Keypad(
                rows: keypad.rows.map { add($0, .openOutput, layout) },
                columns: keypad.columns.map { add($0, .input, layout) }, keys: keypad.keys, timing: keypad.timing)
        }
        buttons = layout.buttons.map { key, button in
            Button(key: key, line: add(button.line, .input, layout), debounce: button.debounce)
        }
        outputs = layout.lamps.map { Output(part: .lamp($0.key), line: add($0.value, .output, layout)) }
        if let ringer = layout.ringer { outputs.append(Output(part: .ringer, line: add(ringer, .output, layout))) }
    }

    private mutating func add(_ spec: LineSpec, _ role: LineRequest.Role, _ layout: PanelLayout) -> Int {
        let address = LineAddress(chip: spec.chip ?? layout.chip, line: spec.line)
        lines.append(
            LineRequest(key: spec.key, address: address, role: role, polarity: spec.polarity, bias: spec.bias))
        return lines.count - 1
    }
}

/// A part of the panel that we switch on and off.
public enum PanelOutput: Hashable, Sendable {
    case lamp(Lamp)
    case ringer
}
