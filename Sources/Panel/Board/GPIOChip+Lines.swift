import CGPIO

/// A line of a chip, for a person who writes a board file.
public struct GPIOLine: Equatable, Sendable {
    public let offset: UInt32
    /// The line's name in the kernel; empty for a line without a name.
    public let name: String
    /// The name that the line's user gave; nil: the line is free.
    public let consumer: String?
    public let isOutput: Bool

    package init(offset: UInt32, name: String, consumer: String? = nil, isOutput: Bool = false) {
        (self.offset, self.name, self.consumer, self.isOutput) = (offset, name, consumer, isOutput)
    }
}

extension GPIOChip {
    /// All lines of the chip; empty if it cannot be opened. Cost: one query for each.
    public func lines() -> [GPIOLine] {
        let chip = unsafe cgpio_describe(path)
        guard chip.error == 0 else { return [] }
        return (0..<chip.line_count).compactMap { offset in
            var info = cgpio_line_info()
            guard unsafe cgpio_describe_line(path, offset, &info) == 0 else { return nil }
            return GPIOLine(
                offset: offset, name: CText.string(info.name), consumer: info.used ? CText.string(info.consumer) : nil,
                isOutput: info.output)
        }
    }
}
