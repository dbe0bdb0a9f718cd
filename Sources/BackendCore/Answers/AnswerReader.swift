import Base
import JSON

/// Reads the members of an object, and names the wrong one.
///
/// A member that is `null` is missing. Unknown members are ignored.
struct AnswerReader {
    private let members: [String: JSONValue]
    /// The object's place in the answer: `credentials.`, or empty.
    private let path: String

    /// Reads a body.
    init(_ body: [UInt8], limit: Int = BackendLimits.bodyBytes) throws(BackendParseFault) {
        guard body.count <= limit else { throw BackendParseFault("", .tooLong) }
        let value: JSONValue
        do throws(JSONError) { value = try JSONValue(parsing: body) } catch { throw BackendParseFault("", .notJSON) }
        try self.init(value, at: "")
    }

    /// - Parameter place: The name of the value in the answer. Empty: the answer.
    init(_ value: JSONValue, at place: String) throws(BackendParseFault) {
        guard case .object(let members) = value else { throw BackendParseFault(place, .wrongType) }
        (self.members, path) = (members, place.isEmpty ? "" : place + ".")
    }

    func fault(_ key: String, _ problem: BackendParseFault.Problem) -> BackendParseFault {
        BackendParseFault(path + key, problem)
    }

    func value(_ key: String) -> JSONValue? {
        switch members[key] {
        case nil, .null: nil
        case .some(let value): value
        }
    }

    private func needed<Value>(_ key: String, _ value: Value?) throws(BackendParseFault) -> Value {
        guard let value else { throw fault(key, .missing) }
        return value
    }

    // MARK: Texts

    /// Any text, unchanged.
    private func text(_ key: String, bytes limit: Int) throws(BackendParseFault) -> String? {
        guard let value = value(key) else { return nil }
        guard let text = value.string else { throw fault(key, .wrongType) }
        guard text.utf8.count <= limit else { throw fault(key, .tooLong) }
        return text
    }

    /// A text for people, cleaned and cut. Nil if nothing is left.
    func shownIfAny(_ key: String, bytes limit: Int = BackendLimits.nameBytes) throws(BackendParseFault) -> String? {
        guard let value = value(key) else { return nil }
        guard let text = value.string else { throw fault(key, .wrongType) }
        let shown = text.shown(bytes: limit)
        return shown.isEmpty ? nil : shown
    }

    /// A text of visible ASCII: an identifier, a token, a host name. It may become part of a request or of a header.
    func visibleIfAny(_ key: String, bytes limit: Int) throws(BackendParseFault) -> String? {
        guard let text = try text(key, bytes: limit) else { return nil }
        guard !text.isEmpty else { throw fault(key, .empty) }
        guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { throw fault(key, .characters) }
        return text
    }

    func visible(_ key: String, bytes limit: Int) throws(BackendParseFault) -> String {
        try needed(key, try visibleIfAny(key, bytes: limit))
    }

    func secretIfAny(_ key: String, bytes limit: Int) throws(BackendParseFault) -> Redacted<String>? {
        try visibleIfAny(key, bytes: limit).map(Redacted.init)
    }

    func secret(_ key: String, bytes limit: Int = BackendLimits.tokenBytes) throws(BackendParseFault) -> Redacted<
        String
    > {
        Redacted(try visible(key, bytes: limit))
    }

    /// A user name or password: any text of one line.
    func lineIfAny(_ key: String, bytes limit: Int = BackendLimits.fieldBytes) throws(BackendParseFault) -> String? {
        guard let text = try text(key, bytes: limit) else { return nil }
        guard !text.isEmpty else { throw fault(key, .empty) }
        guard text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) else {
            throw fault(key, .characters)
        }
        return text
    }

    func line(_ key: String, bytes limit: Int = BackendLimits.fieldBytes) throws(BackendParseFault) -> String {
        try needed(key, try lineIfAny(key, bytes: limit))
    }

    /// An address of a server.
    func addressIfAny(_ key: String) throws(BackendParseFault) -> BackendURL? {
        guard let text = try text(key, bytes: BackendURL.longest) else { return nil }
        do throws(BackendURL.Fault) { return try BackendURL(text) } catch {
            switch error {
            case .clear, .notAbsolute: throw fault(key, .insecure)
            case .tooLong: throw fault(key, .tooLong)
            case .userInfo, .fragment, .characters: throw fault(key, .characters)
            }
        }
    }

    func address(_ key: String) throws(BackendParseFault) -> BackendURL {
        try needed(key, try addressIfAny(key))
    }

    // MARK: Numbers and times

    func numberIfAny(_ key: String, in range: ClosedRange<Int64>) throws(BackendParseFault) -> Int64? {
        guard let value = value(key) else { return nil }
        guard let number = value.integer else { throw fault(key, .wrongType) }
        guard range.contains(number) else { throw fault(key, .outOfRange) }
        return number
    }

    func number(_ key: String, in range: ClosedRange<Int64>) throws(BackendParseFault) -> Int64 {
        try needed(key, try numberIfAny(key, in: range))
    }

    /// Seconds since 1970, which may have a fraction (RFC 7519 §2, NumericDate).
    func numericDate(_ key: String) throws(BackendParseFault) -> Int64 {
        let value = try needed(key, value(key))
        guard let number = value.double else { throw fault(key, .wrongType) }
        guard (0...4e11).contains(number) else { throw fault(key, .outOfRange) }
        return Int64(number)
    }

    /// A time as RFC 3339 writes it, in seconds since 1970.
    func timeIfAny(_ key: String) throws(BackendParseFault) -> Int64? {
        guard let text = try text(key, bytes: 40) else { return nil }
        guard let time = Int64(rfc3339: text) else { throw fault(key, .characters) }
        return time
    }

    func flagIfAny(_ key: String) throws(BackendParseFault) -> Bool? {
        guard let value = value(key) else { return nil }
        guard let flag = value.bool else { throw fault(key, .wrongType) }
        return flag
    }

    // MARK: Parts

    func partIfAny(_ key: String) throws(BackendParseFault) -> AnswerReader? {
        guard let value = value(key) else { return nil }
        return try AnswerReader(value, at: path + key)
    }

    func part(_ key: String) throws(BackendParseFault) -> AnswerReader {
        try needed(key, try partIfAny(key))
    }

    func elements(_ key: String) throws(BackendParseFault) -> [JSONValue] {
        let value = try needed(key, value(key))
        guard let elements = value.array else { throw fault(key, .wrongType) }
        return elements
    }

    func organisationIDIfAny(_ key: String) throws(BackendParseFault) -> BackendOrganisationID? {
        guard let value = value(key) else { return nil }
        switch value {
        case .integer(let number): return .number(number)
        case .string:
            guard let text = try text(key, bytes: BackendLimits.idBytes) else { return nil }
            guard !text.isEmpty else { throw fault(key, .empty) }
            guard text.shown(bytes: BackendLimits.idBytes) == text else { throw fault(key, .characters) }
            return .text(text)
        case .null, .bool, .number, .array, .object: throw fault(key, .wrongType)
        }
    }

    func organisationID(_ key: String) throws(BackendParseFault) -> BackendOrganisationID {
        try needed(key, try organisationIDIfAny(key))
    }
}
