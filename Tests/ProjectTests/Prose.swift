/// A sentence of a document or comment with the figures that the project limits.
struct Sentence: Sendable {
    let words: Int
    /// How many words or phrases of `Prose.listed` occur.
    let listed: Int
    let text: String
    /// Path from the project's root.
    let file: String
}

/// Splits text into sentences and counts their words. Works on bytes: regular expressions would take minutes for the tree.
enum Prose {
    /// Words and phrases of a private dialect. Rewrite the sentence; do not just swap the word.
    static let listed: [String] = [
        "whoever", "whomever", "whom", "whichever", "anew", "whence", "thereby", "hereby", "thereof", "wherein",
        "of ours", "of theirs", "of yours", "of its own", "is none", "are none", "was none", "as none",
        "are others'", "of others'", "all the same", "meanwhile", "by itself alone", "is told", "are told",
        "was told", "were told", "is said", "are said", "tells of", "told of", "says so", "said so", "in words",
        "stands here", "stands there", "stands elsewhere", "stands in", "goes by", "went by", "nobody's",
        "no longer so",
    ]

    private static let phrases = listed.map { Array($0.utf8) }
    private static let starts: Set<UInt8> = Set(phrases.map { $0[0] })
    private static let abbreviations = ["e.g", "i.e", "cf", "etc", "vs", "No", "Fig", "Sec"].map { Array($0.utf8) }

    /// The sentences of a text that have three words or more.
    static func sentences(of text: [UInt8], file: String = "") -> [Sentence] {
        let plain = withoutAbbreviations(withoutLinks(withoutCode(text)))
        return parts(of: plain).compactMap { part in
            let words = wordCount(part)
            guard words >= 3 else { return nil }
            let line = collapsed(part)
            return Sentence(
                words: words, listed: listedCount(line), text: String(decoding: line, as: UTF8.self), file: file)
        }
    }

    /// Counts runs of letters, with the apostrophes and hyphens inside them, and runs of digits.
    static func wordCount(_ text: some Collection<UInt8>) -> Int {
        var count = 0
        var kind = Kind.other
        var before: (UInt8, UInt8) = (0, 0)
        for byte in text {
            let continuesWord = kind == .letter && (byte == UInt8(ascii: "'") || byte == UInt8(ascii: "-"))
            // The bytes E2 80 99 are a typographic apostrophe.
            let isApostrophe =
                kind == .letter && (byte == 0xE2 || byte == 0x80 || (before == (0xE2, 0x80) && byte == 0x99))
            if !continuesWord && !isApostrophe {
                let next = Kind(byte)
                if next != kind, next != .other { count += 1 }
                kind = next
            }
            before = (before.1, byte)
        }
        return count
    }

    private enum Kind {
        case letter, digit, other

        init(_ byte: UInt8) {
            self = byte.isLetter ? .letter : byte.isDigit ? .digit : .other
        }
    }

    /// Replaces each text in backticks by one word.
    private static func withoutCode(_ text: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(text.count)
        var index = 0
        while index < text.count {
            if text[index] == .backtick, let end = text[(index + 1)...].firstIndex(of: .backtick) {
                result += Array("CODE".utf8)
                index = end + 1
            } else {
                result.append(text[index])
                index += 1
            }
        }
        return result
    }

    /// Keeps of each link only the words that are shown.
    private static func withoutLinks(_ text: [UInt8]) -> [UInt8] {
        guard text.contains(UInt8(ascii: "[")) else { return text }
        var result: [UInt8] = []
        var index = 0
        while index < text.count {
            if text[index] == UInt8(ascii: "["), let close = text[index...].firstIndex(of: UInt8(ascii: "]")),
                close + 1 < text.count, text[close + 1] == UInt8(ascii: "("),
                let end = text[close...].firstIndex(of: UInt8(ascii: ")"))
            {
                result += text[(index + 1)..<close]
                index = end + 1
            } else {
                result.append(text[index])
                index += 1
            }
        }
        return result
    }

    /// Drops the full stop of "e.g." and others, which ends no sentence.
    private static func withoutAbbreviations(_ text: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(text.count)
        for (index, byte) in text.enumerated() {
            let ends =
                byte == UInt8(ascii: ".")
                && abbreviations.contains { word in
                    let start = index - word.count
                    return start >= 0 && text[start..<index].elementsEqual(word)
                        && (start == 0 || !text[start - 1].isWordPart)
                }
            if !ends { result.append(byte) }
        }
        return result
    }

    /// Splits after a full stop, question or exclamation mark before a capital, and at empty lines.
    private static func parts(of text: [UInt8]) -> [ArraySlice<UInt8>] {
        var parts: [ArraySlice<UInt8>] = []
        var start = 0
        var index = 0
        while index < text.count {
            guard text[index].isSpace else {
                index += 1
                continue
            }
            let end = text[index...].firstIndex { !$0.isSpace } ?? text.count
            let follows = end < text.count && (text[end].isCapital || "\"'(`".utf8.contains(text[end]))
            let isEnd = index > 0 && ".!?".utf8.contains(text[index - 1]) && follows
            if isEnd || text[index..<end].count(where: { $0 == .newline }) > 1 {
                parts.append(text[start..<index])
                start = end
            }
            index = end
        }
        parts.append(text[start...])
        return parts
    }

    /// One space for each run of white space.
    private static func collapsed(_ text: ArraySlice<UInt8>) -> [UInt8] {
        Array(text.split(whereSeparator: \.isSpace).joined(separator: [UInt8(ascii: " ")]))
    }

    private static func listedCount(_ line: [UInt8]) -> Int {
        let line = line.map(\.lowercased)
        var count = 0
        var index = 0
        while index < line.count {
            let isStart = starts.contains(line[index]) && (index == 0 || !line[index - 1].isWordPart)
            let match = isStart ? phrase(in: line, at: index) : nil
            count += match == nil ? 0 : 1
            index += match?.count ?? 1
        }
        return count
    }

    private static func phrase(in line: [UInt8], at index: Int) -> [UInt8]? {
        phrases.first { line[index...].starts(with: $0) && isBoundary(line, index + $0.count) }
    }

    /// Whether a word ends or begins here. After an apostrophe that belongs to a phrase, a word has to begin.
    private static func isBoundary(_ line: [UInt8], _ index: Int) -> Bool {
        line[index - 1].isWordPart != (index < line.count && line[index].isWordPart)
    }
}

extension UInt8 {
    static var newline: UInt8 { UInt8(ascii: "\n") }
    static var backtick: UInt8 { UInt8(ascii: "`") }

    var isCapital: Bool { UInt8(ascii: "A") <= self && self <= UInt8(ascii: "Z") }
    var lowercased: UInt8 { isCapital ? self | 0x20 : self }
    var isLetter: Bool { UInt8(ascii: "a") <= lowercased && lowercased <= UInt8(ascii: "z") }
    var isDigit: Bool { UInt8(ascii: "0") <= self && self <= UInt8(ascii: "9") }
    var isSpace: Bool { self == 0x20 || (0x09...0x0D).contains(self) }
    /// Letters, digits and underscores. Latin letters with accents begin with C3, C4 or C5.
    var isWordPart: Bool { isLetter || isDigit || self == UInt8(ascii: "_") || (0xC3...0xC5).contains(self) }
}
