import Panel
import PhoneCore

/// A part of a telephone, and the lines that a person connects it to.
struct BoardPart {
    enum Symbol { case contact, lamp, output, bridge, encoder, keypad, display }

    struct Wire {
        /// The line, and its header pin if that is known.
        let line: String
        let pin: String
        /// The line's role in the part, such as `row 1`. Empty for a part with one line.
        let role: String
    }

    let symbol: Symbol
    let name: String
    /// How to connect it, for people.
    let note: String
    let wires: [Wire]

    /// All parts of a board, in the order of its file.
    static func all(of panel: PanelLayout) -> [BoardPart] {
        keys(of: panel) + panel.inputs.map { contact("contact \($0.key)", $0.value.line, "active", of: panel) }
            + lamps(of: panel) + bell(of: panel) + relays(of: panel) + display(of: panel)
    }

    private static func keys(of panel: PanelLayout) -> [BoardPart] {
        var parts: [BoardPart] = []
        if let hook = panel.hook { parts.append(contact("hook", hook.line, "lifted", of: panel)) }
        if let keypad = panel.keypad {
            let keys = keypad.keys.map { row in row.map { $0?.name ?? "-" }.joined(separator: " ") }
            let rows = keypad.rows.enumerated().map { Wire($1, "row \($0 + 1)", of: panel) }
            let columns = keypad.columns.enumerated().map { Wire($1, "column \($0 + 1)", of: panel) }
            parts.append(
                BoardPart(
                    symbol: .keypad, name: "keypad", note: keys.joined(separator: " / "), wires: rows + columns))
        }
        if let dial = panel.dial {
            parts.append(contact("dial pulse", dial.pulse, "the contact is broken", of: panel))
            if let line = dial.offNormal {
                parts.append(contact("dial off-normal", line, "the dial is turned", of: panel))
            }
        }
        if let knob = panel.encoder {
            parts.append(
                BoardPart(
                    symbol: .encoder, name: "volume knob", note: "both contacts to ground",
                    wires: [Wire(knob.leading, "a", of: panel), Wire(knob.trailing, "b", of: panel)]))
        }
        return parts + panel.buttons.map { contact("key \($0.key.name)", $0.value.line, "pressed", of: panel) }
    }

    private static func lamps(of panel: PanelLayout) -> [BoardPart] {
        panel.lamps.map { lamp, spec in
            let share = spec.brightness < 100 ? ", at \(spec.brightness) %" : ""
            return BoardPart(
                symbol: .lamp, name: "lamp \(lamp.rawValue)",
                note: "through a resistor\(share)\(words(spec.output.drive))",
                wires: [Wire(spec.output.line, "", of: panel)])
        }
    }

    private static func bell(of panel: PanelLayout) -> [BoardPart] {
        switch panel.bell {
        case .none: []
        case .line(let output):
            [
                BoardPart(
                    symbol: .output, name: "bell", note: "switches its supply\(words(output.drive))",
                    wires: [Wire(output.line, "", of: panel)])
            ]
        case .bridge(let forward, let backward, let hertz):
            [
                BoardPart(
                    symbol: .bridge, name: "bell", note: "H-bridge, \(hertz) Hz",
                    wires: [Wire(forward.line, "forward", of: panel), Wire(backward.line, "backward", of: panel)])
            ]
        }
    }

    private static func relays(of panel: PanelLayout) -> [BoardPart] {
        panel.relays.enumerated().map { index, output in
            BoardPart(
                symbol: .output, name: "relay \(index + 1)",
                note: "through its driver\(words(output.drive)); off without the phone",
                wires: [Wire(output.line, "", of: panel)])
        }
    }

    private static func words(_ drive: OutputSpec.Drive) -> String {
        drive == .pushPull ? "" : ", \(drive.rawValue)"
    }

    private static func display(of panel: PanelLayout) -> [BoardPart] {
        guard let display = panel.display else { return [] }
        let size = "\(display.size.columns) by \(display.size.rows) characters"
        let note = "\(display.controller.rawValue), \(size), at 0x\(String(display.address, radix: 16))"
        let wire = Wire(line: display.bus, pin: "SDA, SCL", role: "")
        return [BoardPart(symbol: .display, name: "display", note: note, wires: [wire])]
    }

    private static func contact(
        _ name: String, _ line: LineSpec, _ active: String, of panel: PanelLayout
    ) -> BoardPart {
        let end = line.bias == .pullDown ? "3.3 V" : "ground"
        let isClosed = (line.polarity == .activeLow) == (line.bias != .pullDown)
        return BoardPart(
            symbol: .contact, name: name, note: "to \(end), \(isClosed ? "closed" : "open") while \(active)",
            wires: [Wire(line, "", of: panel)])
    }
}

extension BoardPart.Wire {
    fileprivate init(_ spec: LineSpec, _ role: String, of panel: PanelLayout) {
        let address = LineAddress(chip: spec.chip ?? panel.chip, line: spec.line)
        switch spec.line {
        case .name(let name): line = name
        case .offset(let offset): line = "\(address.chip):\(offset)"
        }
        pin = HeaderPin.of(address) ?? ""
        self.role = role
    }
}
