/// One account of the vault. The direct line, which needs no account, has the identifier 0.
public struct AccountID: Hashable, Codable, Sendable, CustomStringConvertible {
    public let rawValue: Int64
    public init(_ rawValue: Int64) { self.rawValue = rawValue }
    public static let direct = AccountID(0)
    public var description: String { rawValue == 0 ? "direct" : "account-\(rawValue)" }
}

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

/// One request to the phone, which is settled exactly once: fulfilled or failed.
public struct ActionID: Hashable, Codable, Sendable, CustomStringConvertible {
    public enum Source: Hashable, Codable, Sendable {
        /// A key, the hook, or the machine on a person's behalf; numbered by the machine.
        case panel
        /// Another program; numbered by Control.
        case control
    }

    public let source: Source
    public let number: UInt64

    public init(_ source: Source, _ number: UInt64) {
        self.source = source
        self.number = number
    }

    public var description: String { "\(source)-\(number)" }
}
