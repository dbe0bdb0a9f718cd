import Base

/// The head of a message, cut into its start line and its fields (RFC 3261 §7).
///
/// The bytes are copied once, and the headers are views of that copy. Folded lines are joined in it: their line breaks
/// become spaces, so that every offset stays valid. Cost: two allocations.
struct SIPHead {
    /// The start line, not yet read.
    let startLine: SIPScanner
    let headers: SIPHeaders
    private let length: ContentLength
    /// Where the body starts.
    let end: Int

    init(_ message: Span<UInt8>) throws(SIPParseError) {
        let start = SIPHead.start(in: message)
        guard start < message.count else { throw SIPParseError(.empty, at: 0) }
        guard let end = SIPHead.end(in: message, from: start) else {
            throw SIPParseError(.headUnterminated, at: message.count)
        }
        var lines = SIPLines([UInt8](copying: message.extracting(0..<end)), from: start)
        let first = try lines.next()
        var fields = SIPFields()
        while !lines.isAtEnd { try fields.read(try lines.next(), in: lines.bytes) }
        self.end = end
        startLine = SIPScanner(lines.bytes, in: first)
        headers = SIPHeaders(lines.bytes, fields.entries)
        length = fields.length
    }

    /// The value of Content-Length; nil without one. It is read separately, so that the rest of the head stays readable
    /// when the value is malformed: the sender gets a response then.
    var announced: Int? {
        get throws(SIPParseError) { try length.value.map { range throws(SIPParseError) in try announced(in: range) } }
    }

    private func announced(in range: Range<Int>) throws(SIPParseError) -> Int {
        do throws(SIPParseError) {
            var value = headers.scanner(of: range)
            let count = Int(try value.number(upTo: UInt64(Int32.max)))
            try value.expectEnd()
            guard !length.isRepeated else { throw SIPParseError(.repeated, at: 0) }
            return count
        } catch {
            throw error.inside(.contentLength)
        }
    }

    /// Whether this is a response: it begins with `SIP/`, and no method contains a slash.
    var isResponse: Bool {
        var scanner = startLine
        let word = scanner.range(to: scanner.reach { $0.isLetter })
        return scanner.isEqual(word, ignoringCase: "sip") && scanner.next == UInt8(ascii: "/")
    }

    /// Line breaks before the start line are not part of it (RFC 3261 §7.5).
    static func start(in message: Span<UInt8>) -> Int {
        var start = 0
        while start < message.count, message[start] == .cr || message[start] == .lf { start += 1 }
        return start
    }

    /// The index after the first blank line. `from` may be where an earlier search stopped.
    static func end(in message: Span<UInt8>, from start: Int) -> Int? {
        var index = start
        while index + 3 < message.count {
            if message[index + 3] != .lf && message[index + 3] != .cr {
                index += 4
            } else if message[index] == .cr, message[index + 1] == .lf, message[index + 2] == .cr,
                message[index + 3] == .lf
            {
                return index + 4
            } else {
                index += 1
            }
        }
        return nil
    }
}

/// The lines of a head, unfolded in place.
private struct SIPLines {
    private(set) var bytes: [UInt8]
    private var offset: Int

    /// - Parameter bytes: Up to and including the blank line, so that a line break is always followed by another byte.
    init(_ bytes: [UInt8], from start: Int) { (self.bytes, offset) = (bytes, start) }

    /// Whether only the blank line is left.
    var isAtEnd: Bool { offset == bytes.count - 2 }

    /// The next line without its line break.
    mutating func next() throws(SIPParseError) -> Range<Int> {
        let start = offset
        var index = offset
        while true {
            while bytes[index] != .cr, bytes[index] != .lf { index += 1 }
            guard bytes[index] == .cr, bytes[index + 1] == .lf else { throw SIPParseError(.lineEnd, at: index) }
            guard bytes[index + 2].isSpace else { break }
            bytes[index] = 0x20
            bytes[index + 1] = 0x20
        }
        guard index - start <= SIPLimits.line else {
            throw SIPParseError(.tooLong(limit: SIPLimits.line), at: start + SIPLimits.line)
        }
        offset = index + 2
        return start..<index
    }
}

/// The place of Content-Length.
private struct ContentLength {
    var value: Range<Int>?
    /// Whether another line says something else.
    var isRepeated = false
}

/// The fields of a head, collected as they are read. Content-Length is kept separately.
private struct SIPFields {
    private(set) var entries: [SIPHeaders.Entry] = []
    private(set) var length = ContentLength()
    private var count = 0
    private let names = SIPHeaderName.known

    init() { entries.reserveCapacity(24) }

    mutating func read(_ line: Range<Int>, in bytes: [UInt8]) throws(SIPParseError) {
        guard count < SIPLimits.fields else {
            throw SIPParseError(.tooManyFields(limit: SIPLimits.fields), at: line.lowerBound)
        }
        count += 1
        var scanner = SIPScanner(bytes, in: line)
        let name = scanner.range(to: scanner.reach(in: .token))
        scanner.skipSpace()
        // A line that is not a field is left out, as an unknown field is.
        guard !name.isEmpty, scanner.skip(UInt8(ascii: ":")) else { return }
        scanner.skipSpace()
        let value = scanner.withoutTrailingSpace(scanner.offset..<line.upperBound)
        let code = names.code(of: name, in: bytes)
        guard code == SIPHeaderName.contentLength.code else {
            return entries.append(SIPHeaders.Entry(code, name: name, value: value))
        }
        length.isRepeated = length.isRepeated || length.value.map { bytes[$0] != bytes[value] } ?? false
        length.value = length.value ?? value
    }
}
