import Base
import SIPCore

/// A digit in the body of an INFO, in the two forms that switches and phones use. No RFC defines either of them:
///
///     Content-Type: application/dtmf-relay        Content-Type: application/dtmf
///
///     Signal=5                                    5
///     Duration=160
enum DTMFInfoBody: Equatable, Sendable {
    case digit(DTMFSymbol)
    /// A hook flash, which is no digit.
    case other

    static let relay = "application/dtmf-relay"
    static let plain = "application/dtmf"
    /// The longest body that is read, in bytes.
    static let limit = 256

    /// Nil for a body that does not match its type.
    init?(_ body: [UInt8], type: String) {
        guard body.count <= Self.limit, let text = String(validating: body.filter { $0 != 0 }, as: UTF8.self) else {
            return nil
        }
        let lines = text.split { $0.isNewline || $0 == ";" }.map(\.trimmed).filter { !$0.isEmpty }
        let signals = lines.map { Self.field($0) }.filter { $0.name == "signal" }
        // Some devices confuse the two types.
        if signals.isEmpty, lines.count == 1 || type == Self.plain {
            self.init(written: lines.first ?? "")
        } else {
            guard signals.count == 1 else { return nil }
            self.init(written: signals[0].value)
        }
    }

    private init?(written text: Substring) {
        if let symbol = DTMFSymbol(written: text) ?? Self.names[text.lowercased()] ?? nil {
            self = .digit(symbol)
        } else if text == "!" || text.lowercased() == "flash" || text == "16" {
            self = .other
        } else {
            return nil
        }
    }

    private static let names = ["star": DTMFSymbol("*"), "pound": DTMFSymbol("#"), "hash": DTMFSymbol("#")]

    /// `name=value`. A colon may be in place of the equals sign, and the value in quotes. Another field may follow after
    /// a space.
    private static func field(_ line: Substring) -> (name: String, value: Substring) {
        let parts = line.split(maxSplits: 1, omittingEmptySubsequences: false) { $0 == "=" || $0 == ":" }
        let name = (parts.first ?? "").trimmed.lowercased()
        let value = (parts.count == 2 ? parts[1] : "").split { $0 == " " || $0 == "\t" || $0 == "\"" }.first
        return (name, value ?? "")
    }

    /// The body for a digit.
    static func body(_ symbol: DTMFSymbol, duration: Duration) -> [UInt8] {
        Array("Signal=\(symbol.character)\r\nDuration=\(Int(duration.milliseconds))\r\n".utf8)
    }
}
