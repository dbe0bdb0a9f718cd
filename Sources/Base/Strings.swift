extension String {
    /// The greatest number of combining marks on one character. No script in use needs more.
    public static let mostMarks = 4

    /// Text from an unknown source, made safe to store and show. Removes characters that a terminal or a screen
    /// would act on: control characters, marks that change the direction of writing, line separators. Also removes
    /// characters without a common meaning (private use, unassigned).
    ///
    /// One character of a text may be of any length, because it may have any number of marks. So the text is measured
    /// in bytes, and marks beyond `mostMarks` in succession are left out.
    /// - Parameter limit: The greatest number of bytes of UTF-8 in the result.
    public func shown(bytes limit: Int) -> String {
        var shown = UnicodeScalarView()
        var (bytes, marks) = (0, 0)
        for scalar in unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned: continue
            case .nonspacingMark, .spacingMark, .enclosingMark:
                marks += 1
                if marks > Self.mostMarks { continue }
            default: marks = 0
            }
            bytes += UTF8.width(scalar)
            guard bytes <= limit else { break }
            shown.append(scalar)
        }
        return String(shown)
    }
}

extension String {
    /// Text from another source, made safe for a terminal and for a log of lines. Characters that a terminal would act
    /// on become U+FFFD: control characters, marks that change the direction of writing, and line separators.
    public var withoutCommands: String {
        var text = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: text.append("\u{FFFD}")
            default: text.append(scalar)
            }
        }
        return String(text)
    }
}

extension Unicode.Scalar {
    /// Whether it changes the direction of writing, which makes a text look like another one (UAX #9).
    public var changesDirection: Bool {
        switch self {
        case "\u{61C}", "\u{200E}", "\u{200F}", "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}": true
        default: false
        }
    }

    /// Whether programs break a line at it (UAX #14), besides `\n` and `\r`.
    public var separatesLines: Bool { self == "\u{2028}" || self == "\u{2029}" }
}

extension String {
    /// The folder of the file that this path names, with the closing slash. An empty text means the working directory.
    public var folder: String { lastIndex(of: "/").map { String(self[...$0]) } ?? "" }

    /// The folder as a path that can be opened: `.` for the working directory.
    public var openedFolder: String { folder.isEmpty ? "." : folder }
}

extension StringProtocol where SubSequence == Substring {
    /// The text without white space at its ends.
    public var trimmed: Substring {
        lastIndex { !$0.isWhitespace }.map { self[...$0].drop(while: \.isWhitespace) } ?? ""
    }
}

extension String {
    /// The text for a URI or a form, with all but the unreserved characters of RFC 3986 §2.3 encoded.
    public var percentEncoded: String {
        percentEncoded { $0.isLetter || $0.isDigit || "-._~".utf8.contains($0) }
    }

    /// The text with each byte of UTF-8 encoded as `%41`, except those that are kept (RFC 3986 §2.1).
    public func percentEncoded(keeping isPlain: (UInt8) -> Bool) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in utf8 {
            if isPlain(byte) {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 0x0F)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
