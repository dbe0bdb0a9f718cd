import Base

/// The lines of a chip, from which a person chooses those to watch and those of lamps.
package struct LineChoice: Sendable {
    /// Why a line is rejected, as text for people.
    package struct Refusal: Error, Equatable, Sendable, CustomStringConvertible {
        package let description: String

        package init(_ description: String) { self.description = description }
    }

    /// The kernel's limit of lines in one request.
    package static let most = 64

    package let lines: [GPIOLine]

    package init(_ lines: [GPIOLine]) { self.lines = lines }

    /// The free input lines. If the board gives the lines of its header names such as `GPIO5`, only those lines count.
    /// Other lines lead to the board's own parts, and some are in use without the kernel's knowledge.
    package var usual: [GPIOLine] {
        let free = lines.filter { $0.consumer == nil && !$0.isOutput }
        let header = free.filter { $0.name.hasPrefix("GPIO") && UInt32($0.name.dropFirst(4)) != nil }
        return Array((header.isEmpty ? free : header).prefix(Self.most))
    }

    /// The lines in use.
    package var taken: [GPIOLine] { lines.filter { $0.consumer != nil } }

    /// - Parameter text: Names, numbers, or ranges of numbers such as `5-27`, separated by commas or spaces.
    package func inputs(_ text: String) throws(Refusal) -> [GPIOLine] {
        var chosen: [GPIOLine] = []
        for word in text.split(whereSeparator: { $0 == "," || $0 == " " }) {
            for line in try named(String(word)) where !chosen.contains(line) { chosen.append(try free(line)) }
        }
        if let output = chosen.first(where: \.isOutput) {
            throw Refusal("line \(selector(output)) is an output, but a contact needs an input")
        }
        guard !chosen.isEmpty else { throw Refusal("name at least one line") }
        guard chosen.count <= Self.most else { throw Refusal("more than \(Self.most) lines at once") }
        return chosen
    }

    /// - Parameter text: A name or a number.
    package func output(_ text: String) throws(Refusal) -> GPIOLine {
        guard let line = one(text) else { throw unknown(text) }
        return try free(line)
    }

    /// The line's name in a board file: its kernel name, unless that is missing, shared, or reads as a number.
    package func selector(_ line: GPIOLine) -> LineSelector {
        let isUsable = (1...31).contains(line.name.utf8.count) && UInt32(line.name) == nil
        return isUsable && lines.count { $0.name == line.name } == 1 ? .name(line.name) : .offset(line.offset)
    }

    private func named(_ word: String) throws(Refusal) -> [GPIOLine] {
        if let line = one(word) { return [line] }
        let ends = word.split(separator: "-").map { UInt32($0) }
        guard ends.count == 2, let first = ends[0], let last = ends[1], first <= last else { throw unknown(word) }
        // A range skips lines in use and outputs, because nobody asked for them by name.
        return lines.filter { (first...last).contains($0.offset) && $0.consumer == nil && !$0.isOutput }
    }

    private func one(_ word: String) -> GPIOLine? {
        lines.first { $0.name == word && !word.isEmpty }
            ?? UInt32(word).flatMap { offset in
                lines.first { $0.offset == offset }
            }
    }

    private func free(_ line: GPIOLine) throws(Refusal) -> GPIOLine {
        guard let consumer = line.consumer else { return line }
        let user = consumer.isEmpty ? "" : " by \"\(consumer)\""
        throw Refusal("line \(selector(line)) is in use\(user)")
    }

    private func unknown(_ word: String) -> Refusal {
        Refusal("the chip has no line \"\(word.withoutCommands)\"")
    }
}

extension LineRequest {
    /// Requests for lines that are only watched. High is active, so that a press shows the polarity.
    package static func watching(_ lines: [GPIOLine], of chip: String, bias: LineSpec.Bias) -> [LineRequest] {
        lines.map { line in
            LineRequest(
                key: "learn", address: LineAddress(chip: chip, line: .offset(line.offset)), role: .input,
                polarity: .activeHigh, bias: bias)
        }
    }
}
