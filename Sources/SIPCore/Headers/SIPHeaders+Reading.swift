/// Reads values by their types, in place.
///
/// A message may concern several devices and pass several servers, so a fault in one value does not invalidate the
/// others. Values that decide a message's destination or path are read strictly.
extension SIPHeaders {
    /// The elements under a name that can be read: several lines and commas mean the same (RFC 3261 §7.3.1).
    /// - Throws: The first fault, if there are elements and none can be read.
    public func list<Value: SIPHeaderValue>(
        _ name: SIPHeaderName, of _: Value.Type = Value.self
    ) throws(SIPParseError) -> [Value] {
        var (values, fault) = ([Value](), SIPParseError?.none)
        for entry in entries where has(entry, name) {
            var scanner = SIPScanner(bytes, value: entry.value, isLoose: true)
            repeat {
                scanner.skipSpace()
                do throws(SIPParseError) { values.append(try Value(from: &scanner)) } catch {
                    fault = fault ?? error.inside(name)
                }
                scanner.skip(to: .elementEnd)
            } while scanner.skip(UInt8(ascii: ","))
        }
        if values.isEmpty, let fault { throw fault }
        return values
    }

    /// All elements under a name, each of which has to be valid.
    public func wholeList<Value: SIPHeaderValue>(
        _ name: SIPHeaderName, of _: Value.Type = Value.self
    ) throws(SIPParseError) -> [Value] {
        var values: [Value] = []
        try eachElement(name) { scanner throws(SIPParseError) in values.append(try Value(from: &scanner)) }
        return values
    }

    /// The first value under a name. A second one, or text after the first, is ignored.
    public func first<Value: SIPHeaderValue>(
        _ name: SIPHeaderName, as _: Value.Type = Value.self
    ) throws(SIPParseError) -> Value? {
        guard let entry = entries.first(where: { has($0, name) }) else { return nil }
        var scanner = SIPScanner(bytes, value: entry.value, isLoose: true)
        scanner.skipSpace()
        do throws(SIPParseError) { return try Value(from: &scanner) } catch { throw error.inside(name) }
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

    /// Reads the first value of a list only to check it. Allocates nothing.
    func checkFirst<Value: SIPHeaderValue>(_ name: SIPHeaderName, of _: Value.Type) throws(SIPParseError) {
        guard let entry = entries.first(where: { has($0, name) }) else {
            throw SIPParseError(.missing, at: 0, in: name)
        }
        var scanner = SIPScanner(bytes, value: entry.value, isLoose: true)
        scanner.skipSpace()
        do throws(SIPParseError) {
            try Value.skip(in: &scanner)
            scanner.skipSpace()
            guard scanner.isAtEnd || scanner.next == UInt8(ascii: ",") else { throw scanner.error(.trailing) }
        } catch {
            throw error.inside(name)
        }
    }

    /// Reads a value that every message has, only to check it. Allocates nothing.
    func checkRequired<Value: SIPHeaderValue>(_ name: SIPHeaderName, as _: Value.Type) throws(SIPParseError) {
        let isPresent = try single(name) { scanner throws(SIPParseError) in try Value.skip(in: &scanner) }
        guard isPresent else { throw SIPParseError(.missing, at: 0, in: name) }
    }

    /// A scanner of a part of these headers' buffer.
    func scanner(of value: Range<Int>) -> SIPScanner { SIPScanner(bytes, value: value) }

    /// Reads each element under a name in turn.
    private func eachElement(
        _ name: SIPHeaderName, _ read: (inout SIPScanner) throws(SIPParseError) -> Void
    ) throws(SIPParseError) {
        for entry in entries where has(entry, name) {
            var scanner = SIPScanner(bytes, value: entry.value, isLoose: true)
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
    private func single(
        _ name: SIPHeaderName, _ read: (inout SIPScanner) throws(SIPParseError) -> Void
    ) throws(SIPParseError) -> Bool {
        var found: Entry?
        for entry in entries where has(entry, name) {
            guard found == nil else { throw SIPParseError(.repeated, at: 0, in: name) }
            found = entry
        }
        guard let found else { return false }
        do throws(SIPParseError) {
            var scanner = SIPScanner(bytes, value: found.value, isLoose: true, isAlone: true)
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
