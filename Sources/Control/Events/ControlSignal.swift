import Base
import JSON
import PhoneCore

/// One signalling message of a line, without secrets, as stored for clients.
public struct ControlSignal: Equatable, Sendable {
    public enum Direction: String, CaseIterable, Sendable { case sent, received }

    public var at: Instant
    public var account: AccountID
    public var direction: Direction
    /// `udp`, `tcp`, …
    public var transport: String
    /// Numeric addresses, without brackets.
    public var localHost: String
    public var localPort: UInt16
    public var remoteHost: String
    public var remotePort: UInt16
    public var message: [UInt8]

    public init(
        at instant: Instant, account: AccountID, direction: Direction, transport: String,
        local: (host: String, port: UInt16), remote: (host: String, port: UInt16), message: [UInt8]
    ) {
        at = instant
        self.account = account
        self.direction = direction
        self.transport = transport
        (localHost, localPort) = local
        (remoteHost, remotePort) = remote
        self.message = message
    }
}

extension ControlSignal {
    /// The longest message that is sent as text, in bytes. Escaped, it may become six times as long.
    private static let longestText = 32_768

    /// - Parameter label: The account's label, for people.
    func json(label: String?) -> JSONValue {
        var members: [String: JSONValue] = [
            "at": .integer(at.nanoseconds), "account": .integer(account.rawValue),
            "direction": .string(direction.rawValue), "transport": .string(transport),
            "local": ["host": .string(localHost), "port": .integer(Int64(localPort))],
            "remote": ["host": .string(remoteHost), "port": .integer(Int64(remotePort))],
        ]
        members["label"] = label.map { .string($0) }
        if let text = readable {
            members["message"] = .string(text)
        } else {
            members["hex"] = .string(message.hexadecimal)
        }
        return .object(members)
    }

    /// Nil for JSON that is no signal of a `getSignals` answer.
    public init?(_ json: JSONValue) {
        guard let at = json["at"]?.integer, let account = json["account"]?.integer,
            let direction = json["direction"]?.string.flatMap(Direction.init),
            let transport = json["transport"]?.string,
            let local = Self.end(json["local"]), let remote = Self.end(json["remote"]),
            let message = json["message"]?.string.map({ Array($0.utf8) }) ?? json["hex"]?.string.flatMap(Self.bytes)
        else { return nil }
        self.init(
            at: Instant(nanoseconds: at), account: AccountID(account), direction: direction, transport: transport,
            local: local, remote: remote, message: message)
    }

    private static func end(_ json: JSONValue?) -> (host: String, port: UInt16)? {
        guard let host = json?["host"]?.string, let port = json?["port"]?.integer.flatMap(UInt16.init(exactly:)) else {
            return nil
        }
        return (host, port)
    }

    /// The message as text; nil if the text would not give the same bytes again, or is too long.
    private var readable: String? {
        let isPlain = message.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x0D || $0 == 0x0A || $0 == 0x09 }
        guard isPlain, message.count <= Self.longestText else { return nil }
        return String(validating: message, as: UTF8.self)
    }

    private static func bytes(hex: String) -> [UInt8]? {
        let digits = hex.utf8.map { Character(Unicode.Scalar($0)).hexDigitValue }
        guard digits.count.isMultiple(of: 2), digits.allSatisfy({ $0 != nil }) else { return nil }
        return stride(from: 0, to: digits.count, by: 2).map { UInt8((digits[$0] ?? 0) << 4 | (digits[$0 + 1] ?? 0)) }
    }
}
