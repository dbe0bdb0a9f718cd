extension SIPHeaders {
    /// Reads the head of a body's part: the fields up to the first empty line, and the content after it
    /// (RFC 2046 §5.1). Without an empty line there is no content. A part without fields begins with an empty line.
    /// Folded lines are joined.
    static func split(_ part: ArraySlice<UInt8>) throws(SIPParseError) -> (SIPHeaders, body: ArraySlice<UInt8>) {
        var headers = SIPHeaders()
        var rest = part
        while !rest.isEmpty {
            if rest.starts(with: [.cr, .lf]) { return (headers, rest.dropFirst(2)) }
            guard headers.count < SIPLimits.fields else {
                throw SIPParseError(.tooManyFields(limit: SIPLimits.fields), at: rest.startIndex - part.startIndex)
            }
            let start = rest.startIndex - part.startIndex
            let line = try takeLine(from: &rest, at: start)
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { throw SIPParseError(.fieldName, at: start) }
            let name = line[..<colon].withoutSpace
            guard !name.isEmpty, name.allSatisfy(\.isToken) else { throw SIPParseError(.fieldName, at: start) }
            headers.append(
                SIPHeaderName(String(bytes: name)), String(bytes: line[colon...].dropFirst().withoutSpace))
        }
        return (headers, rest)
    }

    /// One line with its continuation lines, whose line breaks become spaces.
    private static func takeLine(
        from rest: inout ArraySlice<UInt8>, at start: Int
    ) throws(SIPParseError) -> ArraySlice<UInt8> {
        var line: [UInt8] = []
        repeat {
            let end = rest.firstIndex { $0 == .cr || $0 == .lf } ?? rest.endIndex
            line += rest[..<end]
            guard line.count <= SIPLimits.line else {
                throw SIPParseError(.tooLong(limit: SIPLimits.line), at: start + SIPLimits.line)
            }
            rest = rest[end...]
            guard rest.isEmpty || rest.starts(with: [.cr, .lf]) else {
                throw SIPParseError(.lineEnd, at: start + line.count)
            }
            rest = rest.dropFirst(2)
            line.append(0x20)
        } while rest.first?.isSpace == true
        return line[...]
    }
}

extension ArraySlice<UInt8> {
    fileprivate var withoutSpace: ArraySlice<UInt8> {
        var slice = drop { $0.isSpace }
        while slice.last?.isSpace == true { slice.removeLast() }
        return slice
    }
}
