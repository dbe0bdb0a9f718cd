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
        case .null, .bool, .unsigned, .number, .array, .object: throw fault(key, .wrongType)
        }
    }

    func organisationID(_ key: String) throws(BackendParseFault) -> BackendOrganisationID {
        try needed(key, try organisationIDIfAny(key))
    }
}

extension Int64 {
    /// Seconds since 1970 of a time such as `2026-11-28T06:40:19.5+01:00` (RFC 3339 §5.6). Fractions are cut off.
    ///
    /// Nil for years before 1970, for days that a month does not have, and for everything else that is not such a time.
    package init?(rfc3339 text: String) {
        let bytes = Array(text.utf8)
        func number(_ start: Int, _ count: Int) -> Int64? {
            guard bytes.count >= start + count else { return nil }
            var number: Int64 = 0
            for byte in bytes[start..<start + count] {
                guard byte.isDigit else { return nil }
                number = number * 10 + Int64(byte - UInt8(ascii: "0"))
            }
            return number
        }
        func isMark(_ place: Int, _ marks: String) -> Bool { bytes.count > place && marks.utf8.contains(bytes[place]) }
        guard let year = number(0, 4), isMark(4, "-"), let month = number(5, 2), isMark(7, "-"),
            let day = number(8, 2), isMark(10, "Tt "), let hour = number(11, 2), isMark(13, ":"),
            let minute = number(14, 2), isMark(16, ":"), let second = number(17, 2)
        else { return nil }
        guard year >= 1970, (1...12).contains(month), (1...Self.days(of: month, year)).contains(day), hour < 24,
            minute < 60, second <= 60
        else { return nil }
        var place = 19
        if isMark(place, ".") {
            place += 1
            let digits = bytes[place...].prefix(while: \.isDigit)
            guard !digits.isEmpty else { return nil }
            place += digits.count
        }
        var offset: Int64 = 0
        if isMark(place, "Zz") {
            place += 1
        } else {
            guard isMark(place, "+-"), let hours = number(place + 1, 2), isMark(place + 3, ":"),
                let minutes = number(place + 4, 2), hours < 24, minutes < 60
            else { return nil }
            offset = (hours * 60 + minutes) * (bytes[place] == UInt8(ascii: "-") ? -60 : 60)
            place += 6
        }
        guard place == bytes.count else { return nil }
        self = (Self.days(before: year, month) + day - 1) * 86_400 + hour * 3_600 + minute * 60 + second - offset
        if self < 0 { return nil }
    }

    private static func isLeap(_ year: Int64) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

    private static func days(of month: Int64, _ year: Int64) -> Int64 {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// The days from 1970 to the first day of a month.
    private static func days(before year: Int64, _ month: Int64) -> Int64 {
        let past = year - 1
        let years = 365 * (year - 1970) + (past / 4 - past / 100 + past / 400) - (1969 / 4 - 1969 / 100 + 1969 / 400)
        return (1..<month).reduce(years) { $0 + days(of: $1, year) }
    }
}
