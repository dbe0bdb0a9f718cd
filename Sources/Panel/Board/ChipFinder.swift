import Base
import CGPIO
import Glibc
import Platform

/// Finds chips by their labels, not by their numbers, because the numbers change from one kernel to the next.
struct ChipFinder {
    private static let chipsMaximum = 64

    private struct Chip {
        let path: String
        let label: String
        let error: Int32
    }

    private let chips: [Chip]

    /// Queries every chip of this machine once.
    init() {
        var found = [cgpio_chip](repeating: cgpio_chip(), count: Self.chipsMaximum)
        let count = unsafe Int(cgpio_chips(&found, found.count))
        chips = found.prefix(max(0, count)).map(Self.chip).sorted { $0.path < $1.path }
    }

    /// - Parameters:
    ///   - name: A label, or a path that begins with `/`, or several of these, separated by `, `. Of several, the first
    ///     that exists on this machine counts.
    ///   - key: The key of the line in the board file, for the error.
    /// - Returns: The chip's path with links resolved, so that one chip has one path under all its names.
    func path(of name: String, for key: String) throws(PanelError) -> String {
        let names = Self.names(in: name)
        let here = names.count > 1 ? names.first(where: isHere) : nil
        return try path(ofOne: here ?? name, for: key)
    }

    private func isHere(_ name: String) -> Bool {
        if name.hasPrefix("/") { return unsafe cgpio_describe(Self.withoutLinks(name)).error == 0 }
        return chips.contains { $0.label == name }
    }

    /// The alternatives in a chip's name. `LineSpec` writes them so.
    static func names(in chip: String) -> [String] {
        chip.parts(between: ", ").filter { !$0.isEmpty }.map(String.init)
    }

    private func path(ofOne name: String, for key: String) throws(PanelError) -> String {
        guard !name.hasPrefix("/") else {
            let path = Self.withoutLinks(name)
            let chip = unsafe Self.chip(cgpio_describe(path))
            guard chip.error == 0 else { throw unusable(chip, name, key) }
            return path
        }
        let matches = chips.filter { $0.error == 0 && $0.label == name }
        if matches.count > 1 { throw .chipAmbiguous(key: key, chip: name, paths: matches.map(\.path)) }
        if let match = matches.first { return match.path }
        // The chip may exist without being accessible. That is a different error from a missing chip.
        if let hidden = chips.first(where: { $0.error != 0 }) { throw unusable(hidden, name, key) }
        throw .chipNotFound(key: key, chip: name, present: chips.map(\.label))
    }

    /// Resolves links. A path that does not exist stays unchanged.
    static func withoutLinks(_ path: String) -> String {
        guard let real = unsafe realpath(path, nil) else { return path }
        defer { unsafe free(real) }
        return unsafe String(cString: real)
    }

    private func unusable(_ chip: Chip, _ name: String, _ key: String) -> PanelError {
        .chipUnusable(key: key, chip: name, reason: "\(chip.path): \(SystemError.text(chip.error))")
    }

    private static func chip(_ raw: cgpio_chip) -> Chip {
        Chip(path: CText.string(raw.path), label: CText.string(raw.label), error: raw.error)
    }
}

extension ChipFinder {
    /// All chips, as a person sees them: path, label, and why one cannot be used.
    var list: [GPIOChip] {
        chips.map { chip in
            GPIOChip(
                path: chip.path, label: chip.label, problem: chip.error == 0 ? nil : SystemError.text(chip.error))
        }
    }
}

/// Text in the fixed arrays of the C structs.
enum CText {
    /// - Parameter storage: A fixed array of C, which Swift imports as a tuple.
    /// - Returns: The text up to its zero byte. All characters but printable ASCII become `?`: a driver chooses the
    ///   label, and it could move a terminal's cursor.
    static func string<Storage: BitwiseCopyable>(_ storage: Storage) -> String {
        let bytes = unsafe withUnsafeBytes(of: storage) { unsafe Array($0.prefix { $0 != 0 }) }
        return String(decoding: bytes.map { (0x20..<0x7F).contains($0) ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
    }
}

/// A chip of this machine whose lines a board file may name.
public struct GPIOChip: Equatable, Sendable {
    public let path: String
    /// The driver's label for the chip; empty if it cannot be opened.
    public let label: String
    /// Why it cannot be used; nil: it is usable.
    public let problem: String?

    package init(path: String, label: String, problem: String? = nil) {
        (self.path, self.label, self.problem) = (path, label, problem)
    }

    /// The chips of this machine, ordered by path. Cost: one query for each.
    public static func all() -> [GPIOChip] { ChipFinder().list }
}

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
