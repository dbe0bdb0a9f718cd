import Base

/// The head of a message, cut into its start line and its fields (RFC 3261 §7).
///
/// One copy is made of the bytes; folded lines are joined in it by turning their line breaks into spaces, which
/// keeps every offset true.
struct SIPHead {
    /// The start line, not yet read.
    let startLine: SIPScanner
    private(set) var headers = SIPHeaders()
    /// What Content-Length says; nil without one.
    private(set) var announced: Int?
    /// Where the body starts.
    let end: Int

    init(_ message: Span<UInt8>) throws(SIPParseError) {
        let start = SIPHead.start(in: message)
        guard start < message.count else { throw SIPParseError(.empty, at: 0) }
        guard let end = SIPHead.end(in: message, from: start) else {
            throw SIPParseError(.headUnterminated, at: message.count)
        }
        self.end = end
        var bytes: [UInt8] = []
        bytes.reserveCapacity(end)
        for index in 0..<end { bytes.append(message[index]) }
        let lines = try SIPHead.lines(unfolding: &bytes, from: start, to: end - 2)
        startLine = SIPScanner(bytes, in: lines[0])
        guard lines.count - 1 <= SIPLimits.fields else {
            throw SIPParseError(.tooManyFields(limit: SIPLimits.fields), at: lines[SIPLimits.fields + 1].lowerBound)
        }
        for line in lines.dropFirst() { try read(SIPScanner(bytes, in: line)) }
    }

    /// A response says so in its first four bytes: no method contains a slash.
    var isResponse: Bool {
        var scanner = startLine
        let word = scanner.text { $0.isLetter }
        return word.equalsIgnoringCase("SIP") && scanner.next == UInt8(ascii: "/")
    }

    /// Line breaks before the start line are not part of it (RFC 3261 §7.5).
    static func start(in message: Span<UInt8>) -> Int {
        var start = 0
        while start < message.count, message[start] == .cr || message[start] == .lf { start += 1 }
        return start
    }

    /// Behind the first blank line. `from` may be where an earlier search left off.
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

    private static func lines(
        unfolding bytes: inout [UInt8], from start: Int, to end: Int
    ) throws(SIPParseError) -> [Range<Int>] {
        var lines: [Range<Int>] = []
        var (lineStart, index) = (start, start)
        while index < end {
            guard bytes[index] == .cr || bytes[index] == .lf else {
                index += 1
                continue
            }
            guard bytes[index] == .cr, bytes[index + 1] == .lf else { throw SIPParseError(.lineEnd, at: index) }
            if bytes[index + 2].isSpace {
                bytes[index] = 0x20
                bytes[index + 1] = 0x20
            } else {
                guard index - lineStart <= SIPLimits.line else {
                    throw SIPParseError(.tooLong(limit: SIPLimits.line), at: lineStart + SIPLimits.line)
                }
                lines.append(lineStart..<index)
                lineStart = index + 2
            }
            index += 2
        }
        return lines
    }

    private mutating func read(_ line: SIPScanner) throws(SIPParseError) {
        var scanner = line
        let start = scanner.error(.fieldName)
        let name = SIPHeaderName(scanner.text { $0.isToken })
        scanner.skipSpace()
        guard !name.text.isEmpty, scanner.skip(UInt8(ascii: ":")) else { throw start }
        scanner.skipSpace()
        let value = scanner.restWithoutTrailingSpace()
        guard name == .contentLength else { return headers.append(name, value) }
        guard announced == nil else { throw SIPParseError(.repeated, at: 0, in: name) }
        do throws(SIPParseError) {
            var number = SIPScanner(value)
            announced = Int(try number.number(upTo: UInt64(Int32.max)))
            try number.expectEnd()
        } catch {
            throw error.inside(name)
        }
    }
}

extension SIPScanner {
    fileprivate mutating func restWithoutTrailingSpace() -> String {
        var rest = Substring(text { _ in true }).utf8
        while let last = rest.last, last.isSpace { rest.removeLast() }
        return String(Substring(rest))
    }
}
