import Base
import JSON

/// A backend's message about a call, as it was sent. Its texts are untrusted.
///
/// `timestamp` and `organization_id` are strings or numbers. Unknown keys are ignored, and `null` is a missing value.
public struct CallerInfoMessage: Equatable, Sendable {
    public enum Kind: String, Sendable {
        case incomingCall = "incoming_call"
        case callEnded = "call_ended"
    }

    public var kind: Kind
    public var callID: String?
    public var sessionID: String?
    public var controlID: String?
    /// Empty only if the call has an identifier.
    public var callerNumber = ""
    public var callerName: String?
    /// The address of a picture.
    public var callerAvatar: String?
    /// Which of our numbers was called.
    public var channelNumber: String?
    public var organisationID: String?
    public var organisationName: String?
    public var organisationSlug: String?
    /// When the backend sent the message, in nanoseconds since 1970.
    public var sent: Int64

    public init(kind: Kind, sent: Int64) { (self.kind, self.sent) = (kind, sent) }

    /// The call's identifiers, without repetitions.
    public var ids: [String] {
        [callID, sessionID, controlID].reduce(into: []) { known, id in
            if let id, !known.contains(id) { known.append(id) }
        }
    }
}

extension CallerInfoMessage {
    /// Why bytes are not a message.
    public enum Invalid: Error, Equatable, Sendable, CustomStringConvertible {
        case json(JSONError)
        case notObject
        case missing(String)
        case wrongType(String)
        /// The text of this key is longer than any that a backend needs.
        case tooLong(String)
        /// `type` has a value that this version does not know.
        case unknownKind
        /// `timestamp` is not a time in seconds.
        case badTime
        /// The call has neither a number nor an identifier.
        case anonymous

        public var description: String {
            switch self {
            case .json(let error): "it is not JSON: \(error.description)"
            case .notObject: "it is not a JSON object"
            case .missing(let key): "\(key) is missing"
            case .wrongType(let key): "\(key) has the wrong type"
            case .tooLong(let key): "\(key) is too long"
            case .unknownKind: "its type is neither incoming_call nor call_ended"
            case .badTime: "timestamp is not a time in seconds"
            case .anonymous: "it has neither a number nor an id of the call"
            }
        }
    }

    /// The most bytes of a value that identifies something.
    static let longestName = 128
    /// The most bytes of a text that is only shown. The phone shortens it further.
    static let longestText = 2_048

    /// Reads a message. The cost is linear in its length; the caller limits the length.
    public init(parsing payload: [UInt8]) throws(Invalid) {
        let value: JSONValue
        do throws(JSONError) { value = try JSONValue(parsing: payload) } catch { throw .json(error) }
        guard case .object(let members) = value else { throw .notObject }
        let fields = Fields(members: members)
        guard let type = try fields.text("type") else { throw .missing("type") }
        guard let kind = Kind(rawValue: type) else { throw .unknownKind }
        self.init(kind: kind, sent: try fields.time("timestamp"))
        callID = try fields.text("call_id")
        sessionID = try fields.text("call_session_id")
        controlID = try fields.text("call_control_id")
        callerNumber = try fields.text("caller_number") ?? ""
        callerName = try fields.text("caller_name", upTo: Self.longestText)
        callerAvatar = try fields.text("caller_avatar", upTo: Self.longestText)
        channelNumber = try fields.text("channel_number")
        organisationID = try fields.textOrNumber("organization_id")
        organisationName = try fields.text("organization_name", upTo: Self.longestText)
        organisationSlug = try fields.text("organization_slug")
        if callerNumber.isEmpty {
            guard kind == .callEnded else { throw .missing("caller_number") }
            guard !ids.isEmpty else { throw .anonymous }
        }
    }
}

/// The members of a message.
private struct Fields {
    typealias Invalid = CallerInfoMessage.Invalid

    let members: [String: JSONValue]

    /// An empty text is a missing one.
    func text(_ key: String, upTo limit: Int = CallerInfoMessage.longestName) throws(Invalid) -> String? {
        switch members[key] {
        case nil, .null: return nil
        case .string(let text):
            guard text.utf8.count <= limit else { throw .tooLong(key) }
            return text.isEmpty ? nil : text
        case .bool, .integer, .unsigned, .number, .array, .object: throw .wrongType(key)
        }
    }

    func textOrNumber(_ key: String) throws(Invalid) -> String? {
        if case .integer(let number) = members[key] { return "\(number)" }
        return try text(key)
    }

    /// A time in seconds since 1970, as nanoseconds. Years beyond 2200 are no times of a call.
    func time(_ key: String) throws(Invalid) -> Int64 {
        let latest = 7_258_118_400.0
        let seconds: Double?
        switch members[key] {
        case nil, .null: throw .missing(key)
        case .integer, .unsigned, .number: seconds = members[key]?.double
        case .string: seconds = try text(key).flatMap { Self.decimal($0) }
        case .bool, .array, .object: throw .wrongType(key)
        }
        guard let seconds, (0...latest).contains(seconds) else { throw .badTime }
        return Int64(seconds * 1e9)
    }

    /// Digits with an optional fraction. `Double(_:)` alone would also read `inf` and hexadecimal numbers.
    private static func decimal(_ text: String) -> Double? {
        text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: ".") }
            ? Double(text) : nil
    }
}
