/// One call for as long as the program runs.
///
/// Both the machine and the lines create calls: a person here dials, or a line offers a call. Each side numbers its own
/// calls, so that no two calls ever share an identifier and no side waits for a number.
public struct CallID: Hashable, Codable, Sendable, CustomStringConvertible {
    public enum Origin: Hashable, Codable, Sendable {
        /// Dialled here; numbered by the machine.
        case phone
        /// Offered by a line; numbered by that line.
        case line(AccountID)
        /// Announced by caller info before any line offered it; numbered by the machine. Lines never see this
        /// identifier.
        case info
        /// A missed call of a former run; its number is that of its entry in the history.
        case past
    }

    public let origin: Origin
    public let number: UInt32

    public init(_ origin: Origin, _ number: UInt32) {
        self.origin = origin
        self.number = number
    }

    /// Whether a line offered it.
    public var isOffered: Bool {
        switch origin {
        case .line: true
        case .phone, .info, .past: false
        }
    }

    /// The form in which other programs name a call: `out-3`, `in-1.7`, `info-2`, `past-5`.
    public var description: String {
        switch origin {
        case .phone: "out-\(number)"
        case .line(let account): "in-\(account.rawValue).\(number)"
        case .info: "info-\(number)"
        case .past: "past-\(number)"
        }
    }
}
