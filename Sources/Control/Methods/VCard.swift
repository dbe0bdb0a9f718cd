import Base
import PhoneCore

/// Parses and writes contacts as vCards (RFC 6350), one contact for each number.
///
/// Accepts versions 2.1 to 4.0, as telephones write them. Takes the name from `FN`, otherwise from `N`, and the numbers
/// from `TEL`. Ignores all other properties, and text that it cannot parse.
public enum VCard {
    /// The largest number of contacts in a file. Further ones are ignored.
    public static let contactLimit = 1_000
    /// The longest text of a contact, in bytes.
    private static let longestText = 256

    /// The contacts of a file. A card with several numbers gives several contacts. Names contain no control characters.
    public static func entries(in text: String) -> [ContactEntry] {
        var entries: [ContactEntry] = []
        var card: Card?
        for line in unfolded(text) {
            guard let property = Property(line) else { continue }
            switch (property.name, property.value.uppercased()) {
            case ("BEGIN", "VCARD"): card = Card()
            case ("END", "VCARD"):
                entries += card?.entries ?? []
                card = nil
            default: card?.take(property)
            }
            guard entries.count < contactLimit else { break }
        }
        return Array(entries.prefix(contactLimit))
    }

    /// The contacts as one file of version 4.0.
    public static func text(of contacts: [Contact]) -> String {
        contacts.map { contact in
            var lines = ["BEGIN:VCARD", "VERSION:4.0", "FN:" + escaped(contact.name)]
            lines.append("TEL;VALUE=text:" + escaped(contact.number))
            if let ring = contact.ring { lines.append("X-OFFHOOK-RING:" + escaped(ring)) }
            if contact.isBlocked { lines.append("X-OFFHOOK-BLOCKED:true") }
            lines.append("END:VCARD")
            return lines.map { folded($0) + "\r\n" }.joined()
        }.joined()
    }

    // MARK: Lines

    /// A line that begins with a blank continues the previous one (RFC 6350 §3.2). Only CR and LF end a line, because
    /// Unicode's other line separators may occur in a name.
    private static func unfolded(_ text: String) -> [String] {
        var lines: [String.UnicodeScalarView] = []
        for line in text.unicodeScalars.split(whereSeparator: { $0 == "\r" || $0 == "\n" }) {
            if let first = line.first, first == " " || first == "\t", !lines.isEmpty {
                lines[lines.count - 1] += line.dropFirst()
            } else {
                lines.append(String.UnicodeScalarView(line))
            }
        }
        return lines.map { String($0) }
    }

    /// Folds a line: at most 75 bytes each, without breaking a character.
    private static func folded(_ line: String) -> String {
        var (folded, length) = ("", 0)
        for character in line.unicodeScalars {
            let size = String(character).utf8.count
            if length + size > 75 { (folded, length) = (folded + "\r\n ", 1) }
            folded.unicodeScalars.append(character)
            length += size
        }
        return folded
    }

    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\", ",", ";":
                escaped += "\\"
                escaped.unicodeScalars.append(scalar)
            case "\n": escaped += "\\n"
            case "\u{0}"..<" ", "\u{7F}"..."\u{9F}": escaped += " "
            case _ where scalar.separatesLines: escaped += " "
            case _ where scalar.changesDirection: break
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    // MARK: Cards

    private struct Property {
        /// The property's name in capitals, without its group.
        let name: String
        let value: String

        init?(_ line: String) {
            // A colon in a quoted parameter does not end the name (RFC 6350 §3.3).
            var isQuoted = false
            let colon = line.firstIndex { character in
                if character == "\"" { isQuoted.toggle() }
                return character == ":" && !isQuoted
            }
            guard let colon else { return nil }
            let head = line[..<colon].prefix { $0 != ";" }
            name = String(head.split(separator: ".").last ?? "").uppercased()
            value = String(line[line.index(after: colon)...].trimmed)
        }
    }

    private struct Card {
        var formattedName: String?
        var structuredName: String?
        var numbers: [String] = []
        var ring: String?
        var isBlocked: Bool?

        mutating func take(_ property: Property) {
            let text = VCard.plain(property.value)
            switch property.name {
            case "FN": formattedName = text
            case "N": structuredName = VCard.name(of: property.value)
            case "TEL" where numbers.count < VCard.contactLimit: numbers.append(VCard.number(text))
            case "X-OFFHOOK-RING": ring = text
            case "X-OFFHOOK-BLOCKED": isBlocked = text == "true"
            default: break
            }
        }

        var entries: [ContactEntry] {
            let names = [formattedName, structuredName].compactMap { $0 }.filter { !$0.isEmpty }
            return numbers.filter { !$0.isEmpty }.map {
                ContactEntry(name: names.first, number: $0, ring: ring, isBlocked: isBlocked)
            }
        }
    }

    /// The name from `N`, given name first. `N` has family name, given name and more (RFC 6350 §6.2.2).
    private static func name(of value: String) -> String {
        let parts = value.split(separator: ";", omittingEmptySubsequences: false).prefix(2).map { plain(String($0)) }
        return limited(parts.reversed().filter { !$0.isEmpty }.joined(separator: " "))
    }

    /// The number of a `tel:` address.
    private static func number(_ text: String) -> String {
        guard text.lowercased().hasPrefix("tel:") else { return text }
        return String(text.dropFirst(4).prefix { $0 != ";" })
    }

    /// Unescapes a text, and makes it safe to show.
    private static func plain(_ value: String) -> String {
        var plain = String.UnicodeScalarView()
        var isEscaped = false
        for scalar in value.unicodeScalars {
            if !isEscaped, scalar == "\\" {
                isEscaped = true
                continue
            }
            let isBreak = isEscaped && (scalar == "n" || scalar == "N")
            isEscaped = false
            switch scalar {
            case "\u{0}"..<" ", "\u{7F}"..."\u{9F}": plain.append(" ")
            default: plain.append(isBreak ? " " : scalar)
            }
        }
        return limited(String(plain))
    }

    private static func limited(_ text: String) -> String { String(text.shown(bytes: longestText).trimmed) }
}
