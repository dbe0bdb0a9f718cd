import Base
import Panel
import PhoneCore
import YAML

/// A board file while it is learnt: its contents and its text.
package struct LearntBoard {
    /// A contact's line.
    package struct Contact {
        package let line: LineSelector
        package let polarity: LineSpec.Polarity
        package let debounce: Duration

        package init(line: LineSelector, polarity: LineSpec.Polarity, debounce: Duration) {
            (self.line, self.polarity, self.debounce) = (line, polarity, debounce)
        }
    }

    /// The line of a lamp, of the bell or of a relay.
    package struct Output {
        package let line: LineSelector
        package let polarity: LineSpec.Polarity

        package init(line: LineSelector, polarity: LineSpec.Polarity) { (self.line, self.polarity) = (line, polarity) }
    }

    /// A matrix of keys.
    package struct Keypad {
        package let rows: [LineSelector]
        package let columns: [LineSelector]
        package let polarity: LineSpec.Polarity
        /// The names of the keys by row, then column; nil for no key.
        package let keys: [[String?]]

        package init(
            rows: [LineSelector], columns: [LineSelector], polarity: LineSpec.Polarity, keys: [[String?]]
        ) {
            (self.rows, self.columns, self.polarity, self.keys) = (rows, columns, polarity, keys)
        }
    }

    package var name = "My board"
    /// The chip's label or path.
    package let chip: String
    /// The bias that holds the level of all contacts.
    package let bias: LineSpec.Bias
    package var hook: Contact?
    package var keypad: Keypad?
    package var buttons: [(key: String, value: Contact)] = []
    package var inputs: [(key: String, value: Contact)] = []
    package var lamps: [(key: String, value: Output)] = []
    package var bell: Output?
    package var relays: [Output] = []

    package init(chip: String, bias: LineSpec.Bias) { (self.chip, self.bias) = (chip, bias) }

    package var isEmpty: Bool { users.isEmpty }

    /// Every line in use, and the part that uses it.
    package var users: [(line: LineSelector, part: String)] {
        var users = hook.map { [($0.line, "the hook")] } ?? []
        users += ((keypad?.rows ?? []) + (keypad?.columns ?? [])).map { ($0, "in the keypad") }
        users += buttons.map { ($0.value.line, "key \($0.key)") } + inputs.map { ($0.value.line, "input \($0.key)") }
        users += lamps.map { ($0.value.line, "lamp \($0.key)") }
        users += bell.map { [($0.line, "the bell")] } ?? []
        return users + relays.enumerated().map { ($1.line, "relay \($0 + 1)") }
    }

    /// Why the phone could not read the file; nil if it can.
    package var problem: YAMLError.Problem? {
        do throws(YAMLError) { _ = try board(file: "") } catch { return error.problem }
        return nil
    }

    /// The board as the phone will read it from the file.
    package func board(file: String) throws(YAMLError) -> Board {
        try YAMLDocument(Array(text.utf8), file: file).read()
    }
}

extension LearntBoard {
    package var text: String {
        var text = """
            # Written by `offhook board learn`. `offhook board watch` and `offhook board test` try it.

            name: \(YAMLText.scalar(name))
            panel:
              backend: gpiod
              chip: \(YAMLText.scalar(chip))

            """
        if let hook { text += "\n  hook: \(words(hook))\n" }
        if let keypad { text += words(keypad) }
        text += section("buttons", buttons, words) + section("inputs", inputs, words)
        text += section("lamps", lamps, words)
        if let bell { text += "\n  ringer: \(words(bell))\n" }
        if !relays.isEmpty { text += "\n  relays:\n" + relays.map { "    - \(words($0))\n" }.joined() }
        return text
    }

    private func section<Part>(
        _ title: String, _ parts: [(key: String, value: Part)], _ words: (Part) -> String
    ) -> String {
        guard !parts.isEmpty else { return "" }
        return "\n  \(title):\n"
            + parts.map { "    \(YAMLText.scalar($0.key)): \(words($0.value))\n" }.joined()
    }

    private func words(_ keypad: Keypad) -> String {
        let rows = keypad.keys.map { row in
            "      - [\(row.map { $0.map(YAMLText.scalar) ?? "\"-\"" }.joined(separator: ", "))]\n"
        }
        return """

              keypad:
                rows: [\(keypad.rows.map(selector).joined(separator: ", "))]
                columns: [\(keypad.columns.map(selector).joined(separator: ", "))]
                polarity: \(keypad.polarity.rawValue)
                bias: \(bias.rawValue)
                keys:

            """ + rows.joined()
    }

    private func words(_ contact: Contact) -> String {
        "{ line: \(selector(contact.line)), polarity: \(contact.polarity.rawValue), bias: \(bias.rawValue), "
            + "debounce: \(contact.debounce.nanoseconds / 1_000_000) ms }"
    }

    private func words(_ output: Output) -> String {
        let polarity = output.polarity == .activeHigh ? "" : ", polarity: \(output.polarity.rawValue)"
        return "{ line: \(selector(output.line))\(polarity) }"
    }

    private func selector(_ line: LineSelector) -> String {
        switch line {
        case .name(let name): YAMLText.scalar(name)
        case .offset(let offset): "\(offset)"
        }
    }
}
