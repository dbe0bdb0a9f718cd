import CGPIO
import Glibc
import Platform

/// Finds chips by their labels, never by their numbers: those change from one kernel to the next.
struct ChipFinder {
    private static let chipsMaximum = 64

    private struct Chip {
        let path: String
        let label: String
        let error: Int32
    }

    private let chips: [Chip]

    /// Looks at every chip of this machine once.
    init() {
        var found = [cgpio_chip](repeating: cgpio_chip(), count: Self.chipsMaximum)
        let count = unsafe Int(cgpio_chips(&found, found.count))
        chips = found.prefix(max(0, count)).map(Self.chip).sorted { $0.path < $1.path }
    }

    /// - Parameters:
    ///   - name: A label, or a path beginning with `/`.
    ///   - key: Whose chip it is, for the error.
    /// - Returns: The chip's path.
    func path(of name: String, for key: String) throws(PanelError) -> String {
        guard !name.hasPrefix("/") else {
            let chip = unsafe Self.chip(cgpio_describe(name))
            guard chip.error == 0 else { throw unusable(chip, name, key) }
            return name
        }
        let matches = chips.filter { $0.error == 0 && $0.label == name }
        if matches.count > 1 { throw .chipAmbiguous(key: key, chip: name, paths: matches.map(\.path)) }
        if let match = matches.first { return match.path }
        // It may be there and hidden from us: that is another trouble than its absence.
        if let hidden = chips.first(where: { $0.error != 0 }) { throw unusable(hidden, name, key) }
        throw .chipNotFound(key: key, chip: name, present: chips.map(\.label))
    }

    private func unusable(_ chip: Chip, _ name: String, _ key: String) -> PanelError {
        .chipUnusable(key: key, chip: name, reason: "\(chip.path): \(SystemError.text(chip.error))")
    }

    private static func chip(_ raw: cgpio_chip) -> Chip {
        Chip(path: CText.string(raw.path), label: CText.string(raw.label), error: raw.error)
    }
}

/// Text in the fixed arrays of the shim's structs.
enum CText {
    /// - Parameter storage: A fixed array of C, which Swift shows as a tuple.
    /// - Returns: The text up to its zero, without what would move a terminal's cursor: a label comes from a driver.
    static func string<Storage: BitwiseCopyable>(_ storage: Storage) -> String {
        let bytes = unsafe withUnsafeBytes(of: storage) { unsafe Array($0.prefix { $0 != 0 }) }
        return String(decoding: bytes.map { (0x20..<0x7F).contains($0) ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
    }
}
