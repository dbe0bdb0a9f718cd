/// A header's value, or one element of its list, with its own grammar.
///
/// A new header needs only a new conformance.
public protocol SIPHeaderValue: Hashable, Sendable {
    /// Reads one element and stops after it.
    init(from scanner: inout SIPScanner) throws(SIPParseError)
    /// Skips one element with the same faults as reading it, but without a result.
    ///
    /// The default reads the element and discards it. Types that most messages have skip it without allocating.
    static func skip(in scanner: inout SIPScanner) throws(SIPParseError)
    /// The element in wire format.
    var text: String { get }
}

extension SIPHeaderValue {
    public static func skip(in scanner: inout SIPScanner) throws(SIPParseError) { _ = try Self(from: &scanner) }

    /// Reads a value that is exactly one element.
    public init(_ text: String) throws(SIPParseError) {
        var scanner = SIPScanner(text)
        scanner.skipSpace()
        try self.init(from: &scanner)
        scanner.skipSpace()
        try scanner.expectEnd()
    }
}

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

/// The headers that every part of SIP uses, by their types. Each throws when its header is malformed.
extension SIPHeaders {
    public var from: NameAddress { get throws(SIPParseError) { try required(.from) } }
    public var to: NameAddress { get throws(SIPParseError) { try required(.to) } }
    public var cSeq: CSeq { get throws(SIPParseError) { try required(.cSeq) } }
    public var callID: String { get throws(SIPParseError) { try required(.callID, as: CallIDHeader.self).text } }

    /// The hop that the message came from last. Throws `.missing` without one.
    public var topVia: Via {
        get throws(SIPParseError) {
            guard let via: Via = try first(.via) else { throw SIPParseError(.missing, at: 0, in: .via) }
            return via
        }
    }
    public var vias: [Via] { get throws(SIPParseError) { try wholeList(.via) } }
    public var contacts: [NameAddress] { get throws(SIPParseError) { try list(.contact) } }
    /// The target for requests of a dialog: the first Contact to which something can be sent, else the first valid one.
    public var target: URI? {
        get throws(SIPParseError) {
            let contacts = try contacts
            return (contacts.first { $0.uri.sip != nil } ?? contacts.first { $0.uri.isValid })?.uri
        }
    }
    public var routes: [NameAddress] { get throws(SIPParseError) { try wholeList(.route) } }
    /// A route without one of its hops leads elsewhere, so an unusable hop makes the whole route invalid.
    public var recordRoutes: [NameAddress] {
        get throws(SIPParseError) {
            let hops: [NameAddress] = try wholeList(.recordRoute)
            guard hops.allSatisfy({ $0.uri.sip != nil }) else { throw SIPParseError(.host, at: 0, in: .recordRoute) }
            return hops
        }
    }

    public var maxForwards: UInt32? {
        get throws(SIPParseError) { try first(.maxForwards, as: SIPNumber.self)?.value }
    }
    /// In seconds.
    public var expires: UInt32? { get throws(SIPParseError) { try first(.expires, as: SIPNumber.self)?.value } }
    /// In seconds.
    public var minExpires: UInt32? { get throws(SIPParseError) { try first(.minExpires, as: SIPNumber.self)?.value } }
    public var contentType: MediaType? { get throws(SIPParseError) { try first(.contentType) } }
    public var reasons: [Reason] { get throws(SIPParseError) { try list(.reason) } }

    /// The words of Allow, Supported, Require and similar headers. An empty header is an empty list.
    public func tokens(_ name: SIPHeaderName) throws(SIPParseError) -> [String] {
        guard lines(name).contains(where: { !$0.isEmpty }) else { return [] }
        return try list(name, of: SIPToken.self).map(\.text)
    }
}
