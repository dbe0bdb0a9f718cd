/// The part of XML that event packages need, read in one pass: elements, attributes and text.
///
/// Strict and total. It rejects text that is not well formed, text that declares a document type or an entity, and text
/// that is larger or deeper than any honest document. It removes the prefixes of names, because each document of SIP
/// has only one vocabulary. Cost: one copy of each text.
struct XMLReader {
    enum Part: Equatable {
        case start(String, attributes: [String: String])
        case end(String)
        /// Text between tags, including its white space.
        case text(String)
    }

    struct Malformed: Error, Equatable {
        let offset: Int
    }

    static let longest = 65_536
    static let deepest = 16
    static let mostElements = 2_000
    static let mostAttributes = 16

    private let bytes: [UInt8]
    private var offset = 0
    private var open: [String] = []
    private var elements = 0
    /// The name of an empty element, whose end is reported next.
    private var closing: String?

    init(_ bytes: [UInt8]) throws(Malformed) {
        guard bytes.count <= Self.longest else { throw Malformed(offset: Self.longest) }
        // UTF-8 needs no byte order mark.
        self.bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
    }

    /// The next part. Nil after the root element, which is the only one at the top level.
    mutating func next() throws(Malformed) -> Part? {
        if let name = closing {
            closing = nil
            return .end(name)
        }
        while true {
            if open.isEmpty { skipSpace() }
            guard let byte = peek else {
                guard open.isEmpty, elements > 0 else { throw error }
                return nil
            }
            if byte != UInt8(ascii: "<") { return .text(try text()) }
            if has("<?") {
                try skip(behind: "?>")
            } else if has("<!--") {
                try skip(behind: "-->")
            } else if has("</") {
                return .end(try endTag())
            } else {
                return try startTag()
            }
        }
    }

    // MARK: Tags

    private mutating func startTag() throws(Malformed) -> Part {
        // Only one root element is allowed. `<!` begins a document type, an entity or CDATA, which no SIP document
        // needs.
        guard elements < Self.mostElements, open.count < Self.deepest, !(open.isEmpty && elements > 0) else {
            throw error
        }
        try expect("<")
        let name = try self.name()
        elements += 1
        var attributes: [String: String] = [:]
        while true {
            let hadSpace = skipSpace()
            if has("/>") {
                offset += 2
                closing = name.local
                return .start(name.local, attributes: attributes)
            }
            if has(">") {
                offset += 1
                open.append(name.whole)
                return .start(name.local, attributes: attributes)
            }
            guard hadSpace, attributes.count < Self.mostAttributes else { throw error }
            let attribute = try self.name()
            skipSpace()
            try expect("=")
            skipSpace()
            let value = try quoted()
            guard !attribute.isDeclaration else { continue }
            guard attributes.updateValue(value, forKey: attribute.local) == nil else { throw error }
        }
    }

    private mutating func endTag() throws(Malformed) -> String {
        try expect("</")
        let name = try self.name()
        skipSpace()
        guard open.popLast() == name.whole else { throw error }
        try expect(">")
        return name.local
    }

    private struct Name {
        let whole: String
        let local: String
        /// Whether it declares a namespace prefix.
        var isDeclaration: Bool { whole == "xmlns" || whole.hasPrefix("xmlns:") }
    }

    private mutating func name() throws(Malformed) -> Name {
        let start = offset
        while let byte = peek, byte.isXMLName { offset += 1 }
        guard offset > start, bytes[start].isXMLNameStart else { throw error }
        let whole = String(decoding: bytes[start..<offset], as: UTF8.self)
        let parts = whole.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count <= 2, let local = parts.last, !local.isEmpty else { throw error }
        return Name(whole: whole, local: String(local))
    }

    // MARK: Text

    private mutating func quoted() throws(Malformed) -> String {
        guard let quote = peek, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { throw error }
        offset += 1
        let value = try characters { $0 == quote }
        guard peek == quote else { throw error }
        offset += 1
        return value
    }

    private mutating func text() throws(Malformed) -> String {
        guard !open.isEmpty else { throw error }
        return try characters { $0 == UInt8(ascii: "<") }
    }

    /// The text up to its end. Replaces the five predefined entities, and character references.
    private mutating func characters(until isEnd: (UInt8) -> Bool) throws(Malformed) -> String {
        var content: [UInt8] = []
        while let byte = peek, !isEnd(byte) {
            guard byte != UInt8(ascii: "<") else { throw error }
            if byte == UInt8(ascii: "&") {
                content += try reference()
            } else {
                content.append(byte)
                offset += 1
            }
        }
        return String(decoding: content, as: UTF8.self)
    }

    private mutating func reference() throws(Malformed) -> [UInt8] {
        if has("&#") { return Array(String(try numbered()).utf8) }
        for (name, byte) in [("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'")]
        where has(name) {
            offset += name.utf8.count
            return Array(byte.utf8)
        }
        throw error
    }

    /// XML 1.0 §4.1: decimal digits, or hexadecimal ones after an `x`. The control characters that §2.2 excludes are
    /// rejected.
    private mutating func numbered() throws(Malformed) -> Character {
        let start = offset
        try expect("&#")
        let isHexadecimal = has("x")
        if isHexadecimal { offset += 1 }
        let digits = bytes[offset...].prefix { $0 != UInt8(ascii: ";") }.prefix(8)
        offset += digits.count
        // A sign before the digits is rejected.
        guard digits.allSatisfy(\.isXMLName),
            let number = UInt32(String(decoding: digits, as: UTF8.self), radix: isHexadecimal ? 16 : 10),
            let scalar = Unicode.Scalar(number), number >= 0x20 || [0x09, 0x0A, 0x0D].contains(number)
        else { throw Malformed(offset: start) }
        try expect(";")
        return Character(scalar)
    }

    // MARK: Bytes

    private var peek: UInt8? { offset < bytes.count ? bytes[offset] : nil }
    private var error: Malformed { Malformed(offset: offset) }

    private func has(_ text: String) -> Bool { bytes[offset...].starts(with: text.utf8) }

    private mutating func expect(_ text: String) throws(Malformed) {
        guard has(text) else { throw error }
        offset += text.utf8.count
    }

    private mutating func skip(behind text: String) throws(Malformed) {
        while offset < bytes.count, !has(text) { offset += 1 }
        try expect(text)
    }

    @discardableResult
    private mutating func skipSpace() -> Bool {
        let start = offset
        while let byte = peek, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { offset += 1 }
        return offset > start
    }
}

extension UInt8 {
    fileprivate var isXMLNameStart: Bool {
        (0x61...0x7A).contains(self | 0x20) || self == UInt8(ascii: "_") || self >= 0x80
    }

    fileprivate var isXMLName: Bool {
        isXMLNameStart || (0x30...0x39).contains(self) || "-.:".utf8.contains(self)
    }
}
