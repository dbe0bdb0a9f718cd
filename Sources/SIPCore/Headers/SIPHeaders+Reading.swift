/// Reads values by their types, in place.
extension SIPHeaders {
    /// All elements under a name: several lines and commas mean the same (RFC 3261 §7.3.1).
    public func list<Value: SIPHeaderValue>(
        _ name: SIPHeaderName, of _: Value.Type = Value.self
    ) throws(SIPParseError) -> [Value] {
        var values: [Value] = []
        try eachElement(name) { scanner throws(SIPParseError) in values.append(try Value(from: &scanner)) }
        return values
    }

    /// The one value under a name that may be absent but not repeated.
    public func single<Value: SIPHeaderValue>(
        _ name: SIPHeaderName, as _: Value.Type = Value.self
    ) throws(SIPParseError) -> Value? {
        var value: Value?
        try single(name) { scanner throws(SIPParseError) in value = try Value(from: &scanner) }
        return value
    }

    /// The one value under a name that every message has.
    public func required<Value: SIPHeaderValue>(
        _ name: SIPHeaderName, as type: Value.Type = Value.self
    ) throws(SIPParseError) -> Value {
        guard let value = try single(name, as: type) else { throw SIPParseError(.missing, at: 0, in: name) }
        return value
    }

    /// Reads a list only to check it, and returns the number of its elements. Allocates nothing.
    func checkList<Value: SIPHeaderValue>(_ name: SIPHeaderName, of _: Value.Type) throws(SIPParseError) -> Int {
        var count = 0
        try eachElement(name) { scanner throws(SIPParseError) in
            try Value.skip(in: &scanner)
            count += 1
        }
        return count
    }

    /// Reads a value only to check it, and tells whether there is one. Allocates nothing.
    func checkSingle<Value: SIPHeaderValue>(_ name: SIPHeaderName, as _: Value.Type) throws(SIPParseError) -> Bool {
        try single(name) { scanner throws(SIPParseError) in try Value.skip(in: &scanner) }
    }

    /// A scanner of a part of these headers' buffer.
    func scanner(of value: Range<Int>) -> SIPScanner { SIPScanner(bytes, value: value) }

    /// Whether the first line of a name consists of exactly this byte.
    func isExactly(_ name: SIPHeaderName, _ byte: UInt8) -> Bool {
        let first = entries.first { has($0, name) }
        return first.map { $0.value.count == 1 && bytes[$0.value.lowerBound] == byte } ?? false
    }

    /// Reads each element under a name in turn.
    func eachElement(
        _ name: SIPHeaderName, _ read: (inout SIPScanner) throws(SIPParseError) -> Void
    ) throws(SIPParseError) {
        for entry in entries where has(entry, name) {
            var scanner = SIPScanner(bytes, value: entry.value)
            do throws(SIPParseError) {
                repeat {
                    scanner.skipSpace()
                    try read(&scanner)
                    scanner.skipSpace()
                } while scanner.skip(UInt8(ascii: ","))
                try scanner.expectEnd()
            } catch {
                throw error.inside(name)
            }
        }
    }

    /// Reads the one value under a name, if there is one.
    @discardableResult
    func single(
        _ name: SIPHeaderName, _ read: (inout SIPScanner) throws(SIPParseError) -> Void
    ) throws(SIPParseError) -> Bool {
        var found: Entry?
        for entry in entries where has(entry, name) {
            guard found == nil else { throw SIPParseError(.repeated, at: 0, in: name) }
            found = entry
        }
        guard let found else { return false }
        do throws(SIPParseError) {
            var scanner = SIPScanner(bytes, value: found.value)
            scanner.skipSpace()
            try read(&scanner)
            scanner.skipSpace()
            try scanner.expectEnd()
        } catch {
            throw error.inside(name)
        }
        return true
    }
}
