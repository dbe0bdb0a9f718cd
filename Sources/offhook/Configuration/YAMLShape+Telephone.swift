import Base
import PhoneCore
import YAML

extension YAMLShape where Value == String {
    /// An address that needs no DNS.
    static func numericAddress() -> YAMLShape {
        .scalar("a numeric address such as 192.0.2.7 or \"2001:db8::7\"", example: "192.0.2.7") { text in
            IPAddress(text) == nil ? nil : text
        }
    }

    /// Digits that a keypad can dial.
    static func digits(count: ClosedRange<Int>) -> YAMLShape {
        .scalar(
            "\(count.lowerBound) to \(count.upperBound) of 0-9 * #",
            example: String(repeating: "1", count: count.lowerBound),
            pattern: "^[0-9*#]{\(count.lowerBound),\(count.upperBound)}$"
        ) { text in
            count.contains(text.count) && text.allSatisfy { "0123456789*#".contains($0) } ? text : nil
        }
    }

    /// An account's label.
    static func accountLabel() -> YAMLShape { .text("an account's label", length: 1...256) }

    static func ringName() -> YAMLShape { .text("a ring's name", length: 1...64) }

    /// A number, with the separators that people write, or a SIP address. The dial plan checks it later.
    static func target() -> YAMLShape {
        .scalar(
            "a number or a SIP address", example: "200",
            pattern: "^([Ss][Ii][Pp][Ss]?:.+|[0-9*#+ \\-./()]*[0-9][0-9*#+ \\-./()]*)$"
        ) { text in
            guard text.utf8.count <= 256 else { return nil }
            let isAddress = ["sip:", "sips:"].contains { text.lowercased().hasPrefix($0) && text.count > $0.count }
            let isNumber = text.contains(where: \.isNumber) && text.allSatisfy { "0123456789*#+ -./()".contains($0) }
            return isAddress || isNumber ? text : nil
        }
    }

    /// A number or a user's name, as shown in calls.
    static func caller() -> YAMLShape {
        .scalar("a caller's number or name", example: "200") { text in
            text.utf8.count <= 256 && text.contains { $0.isLetter || $0.isNumber } ? text : nil
        }
    }
}

extension YAMLShape where Value == [String] {
    /// One address of this machine, or all of both families.
    static func listeningAddress() -> YAMLShape {
        .scalar("any, or a numeric address such as 192.0.2.7 or \"2001:db8::7\"", example: "any") { text in
            guard text != "any" else { return ["0.0.0.0", "::"] }
            return IPAddress(text) == nil ? nil : [text]
        }
    }
}

extension YAMLShape where Value == ListedCaller {
    /// A caller who gets a right. Either a number of the account's own domain, a number of another domain, or every
    /// caller from a numeric address.
    static func listedCaller() -> YAMLShape {
        .scalar("a number or name such as 200 or 200@pbx.example, or a numeric address", example: "200") { text in
            guard text.utf8.count <= 256 else { return nil }
            if IPAddress(text) != nil { return ListedCaller(nil, domain: text) }
            let parts = text.split(separator: "@", omittingEmptySubsequences: false).map(String.init)
            guard parts.count <= 2, parts[0].contains(where: { $0.isLetter || $0.isNumber }) else { return nil }
            if parts.count == 1 { return ListedCaller(parts[0]) }
            return parts[1].isEmpty ? nil : ListedCaller(parts[0], domain: parts[1])
        }
    }
}

extension YAMLShape where Value == [DTMFSymbol] {
    /// The code that a far end dials to switch a relay. The value excludes the final `#`.
    static func relayCode() -> YAMLShape {
        let lengths = RelayCode.lengths
        let terminator = RelayCode.terminator.character
        return .scalar(
            "\(lengths.lowerBound) to \(lengths.upperBound) of 0-9 * A-D, then a \(terminator), such as \"4711#\"",
            example: "4711#",
            pattern: "^[0-9*A-Da-d]{\(lengths.lowerBound),\(lengths.upperBound)}\(terminator)$"
        ) { text in
            let symbols = text.compactMap { DTMFSymbol($0) }
            guard symbols.count == text.count, symbols.last == RelayCode.terminator else { return nil }
            let code = Array(symbols.dropLast())
            return RelayCode.isCode(code) ? code : nil
        }
    }
}

extension YAMLShape where Value == [Duration] {
    /// The cadence of a ring: sound and pause, alternately.
    static func phases() -> YAMLShape {
        .list(of: .duration(in: .milliseconds(20) ... .seconds(60)), count: 2...16)
    }
}

extension YAMLSection {
    /// A mapping from numbers; empty if the key is missing.
    mutating func numbered<Value>(
        _ key: String, _ numbers: ClosedRange<UInt8>, _ shape: YAMLShape<Value>
    ) throws(YAMLError) -> [UInt8: Value] {
        let table = YAMLShape.table(of: .integer(in: numbers), to: shape, count: 0...numbers.count)
        return Dictionary(uniqueKeysWithValues: try optional(key, table)?.map { ($0, $1) } ?? [])
    }
}
