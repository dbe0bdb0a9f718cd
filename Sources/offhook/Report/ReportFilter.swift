import Base
import Cryptography
import JSON

/// Removes secrets from the texts of a support report, and numbers if a person wants that.
///
/// The texts should have no secret. This is the second line of defence: it finds each known secret wherever it is.
package struct ReportFilter {
    /// The text in the place of a secret.
    package static let removed = "(removed)"
    /// A shorter secret is also part of harmless texts, so it is not searched for, in bytes.
    private static let shortestSecret = 4
    /// The beginning of each token of the page.
    private static let tokenMark = Array("ohk_".utf8)
    /// Sections of the configuration whose numbers are all numbers of people.
    private static let numberSections = ["calls", "relays", "alarms"]

    private let secrets: [[UInt8]]
    /// Makes the placeholders of this report differ from those of others. Nil: numbers stay.
    private let salt: [UInt8]?

    /// - Parameter secrets: Passwords, tokens and the like.
    package init(secrets: [String], hidesNumbers: Bool) {
        let known = Set(secrets).filter { $0.utf8.count >= Self.shortestSecret }
        let forms = Set(
            known.flatMap { [$0, String(JSONValue.string($0).text.dropFirst().dropLast()), $0.percentEncoded] })
        // The longest first, because one may be a part of another.
        self.secrets = forms.map { Array($0.utf8) }.sorted { $0.count > $1.count }
        salt = hidesNumbers ? (0..<16).map { _ in UInt8.random(in: .min ... .max) } : nil
    }

    /// The text without secrets. Takes time in proportion to its length and the number of secrets.
    package func clean(_ text: String) -> [UInt8] {
        var bytes = Array(text.utf8)
        for secret in secrets { bytes = Self.replacing(secret, in: bytes) }
        bytes = Self.withoutTokens(bytes)
        guard let salt else { return bytes }
        return NumberHiding(salt: salt).hiding(bytes, least: 7, quoted: 3)
    }

    /// The same for a configuration, whose numbers need no quotes.
    package func clean(configuration text: String) -> [UInt8] {
        var isNumbers = false
        var lines: [UInt8] = []
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if let first = line.first, first.isLetter {
                isNumbers = Self.numberSections.contains(String(line.prefix { $0 != ":" }))
            }
            let cleaned = clean(String(line))
            lines +=
                salt.map { isNumbers ? NumberHiding(salt: $0).hiding(cleaned, least: 3, quoted: 3) : cleaned }
                ?? cleaned
            lines.append(UInt8(ascii: "\n"))
        }
        return lines.dropLast()
    }

    private static func replacing(_ secret: [UInt8], in bytes: [UInt8]) -> [UInt8] {
        var (output, place): ([UInt8], Int) = ([], 0)
        while place < bytes.count {
            if bytes[place] == secret[0], bytes[place...].starts(with: secret) {
                output += removed.utf8
                place += secret.count
            } else {
                output.append(bytes[place])
                place += 1
            }
        }
        return output
    }

    /// Tokens of the page, which the vault does not know: it has only their digests.
    private static func withoutTokens(_ bytes: [UInt8]) -> [UInt8] {
        var (output, place): ([UInt8], Int) = ([], 0)
        while place < bytes.count {
            guard bytes[place] == tokenMark[0], bytes[place...].starts(with: tokenMark) else {
                output.append(bytes[place])
                place += 1
                continue
            }
            output += removed.utf8
            place += tokenMark.count
            while place < bytes.count, bytes[place].isDigit || bytes[place].isLetter || "-_".utf8.contains(bytes[place])
            {
                place += 1
            }
        }
        return output
    }
}

/// Replaces numbers of people by placeholders. Equal numbers of one report have equal placeholders.
private struct NumberHiding {
    let salt: [UInt8]

    /// - Parameters:
    ///   - least: The digits of a number outside quotes, at least. Shorter ones are times and sizes.
    ///   - quoted: The same within quotes, where the phone writes numbers of callers.
    func hiding(_ bytes: [UInt8], least: Int, quoted: Int) -> [UInt8] {
        var (output, place, isQuoted): ([UInt8], Int, Bool) = ([], 0, false)
        while place < bytes.count {
            let byte = bytes[place]
            switch byte {
            case UInt8(ascii: "\""): isQuoted.toggle()
            case UInt8(ascii: "\n"): isQuoted = false
            default: break
            }
            let end = numberEnd(bytes, from: place)
            let digits = bytes[place..<end].count(where: \.isDigit)
            let isLong = digits >= (isQuoted || byte == UInt8(ascii: "+") ? quoted : least)
            if isLong, !isInWord(bytes, place, end) {
                output += placeholder(bytes[place..<end].filter(\.isDigit))
            } else {
                output += bytes[place..<max(end, place + 1)]
            }
            place = max(end, place + 1)
        }
        return output
    }

    /// Where a number that begins here ends: digits, after a plus sign also with spaces and dashes between them.
    private func numberEnd(_ bytes: [UInt8], from start: Int) -> Int {
        let isInternational = bytes[start] == UInt8(ascii: "+")
        guard isInternational || bytes[start].isDigit else { return start }
        var end = start + 1
        while end < bytes.count {
            let isGap =
                isInternational && " -()/".utf8.contains(bytes[end]) && end + 1 < bytes.count
                && (bytes[end + 1].isDigit || " -()/".utf8.contains(bytes[end + 1]))
            guard bytes[end].isDigit || isGap else { break }
            end += 1
        }
        return end
    }

    /// Digits of an address, a decimal or an identifier.
    private func isInWord(_ bytes: [UInt8], _ start: Int, _ end: Int) -> Bool {
        func isPart(_ place: Int) -> Bool {
            guard bytes.indices.contains(place) else { return false }
            return bytes[place].isLetter || bytes[place] == UInt8(ascii: "_")
        }
        func isPoint(_ place: Int, before: Int) -> Bool {
            bytes.indices.contains(place) && bytes[place] == UInt8(ascii: ".") && bytes.indices.contains(before)
                && bytes[before].isDigit
        }
        return isPart(start - 1) || isPart(end) || isPoint(start - 1, before: start - 2)
            || isPoint(end, before: end + 1)
    }

    private func placeholder(_ digits: [UInt8]) -> [UInt8] {
        let digest = Digest.sha256(salt + digits)
        // Digits after a letter are no number, so a second pass leaves a placeholder as it is.
        return Array("#n\(Array(digest.prefix(3)).hexadecimal)".utf8)
    }
}
