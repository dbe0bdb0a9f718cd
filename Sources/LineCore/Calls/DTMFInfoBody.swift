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
        guard body.count <= Self.limit, let text = String(validating: body, as: UTF8.self) else { return nil }
        if type == Self.plain {
            self.init(written: text.trimmed)
        } else {
            let fields = text.split(whereSeparator: \.isNewline).map { Self.field($0) }
            let signals = fields.filter { $0.name == "signal" }
            guard signals.count == 1 else { return nil }
            self.init(written: signals[0].value)
        }
    }

    private init?(written text: Substring) {
        if let symbol = DTMFSymbol(written: text) {
            self = .digit(symbol)
        } else if text == "!" || text.lowercased() == "flash" || text == "16" {
            self = .other
        } else {
            return nil
        }
    }

    private static func field(_ line: Substring) -> (name: String, value: Substring) {
        let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = (parts.first ?? "").trimmed.lowercased()
        return (name, parts.count == 2 ? parts[1].trimmed : "")
    }

    /// The body for a digit.
    static func body(_ symbol: DTMFSymbol, duration: Duration) -> [UInt8] {
        Array("Signal=\(symbol.character)\r\nDuration=\(Int(duration.milliseconds))\r\n".utf8)
    }
}
