import Base

/// A question to a name server.
public enum DNSQuestion: Hashable, Sendable {
    case naptr(String)
    case srv(String)
    /// Numeric addresses, of every address family.
    case addresses(String)

    public var name: String {
        switch self {
        case .naptr(let name), .srv(let name), .addresses(let name): name
        }
    }
}

/// The answer of a name server.
public enum DNSAnswer: Equatable, Sendable {
    case naptr([NAPTRecord])
    case srv([SRVRecord])
    /// Numeric addresses, in the order in which they are to be tried.
    case addresses([String])
    /// No record of that type exists, or no name server answers.
    case nothing
}

/// Which service a domain offers over which protocol (RFC 3403 §4, RFC 3263 §4.1).
public struct NAPTRecord: Equatable, Sendable {
    public var order: UInt16
    public var preference: UInt16
    /// `s`: the replacement has SRV records.
    public var flags: String
    /// `SIP+D2U`, `SIP+D2T`, `SIPS+D2T`, or another service.
    public var service: String
    public var replacement: String

    public init(order: UInt16, preference: UInt16, flags: String, service: String, replacement: String) {
        (self.order, self.preference, self.flags) = (order, preference, flags)
        (self.service, self.replacement) = (service, replacement)
    }
}

/// A host that provides the service, with its share of the load (RFC 2782).
public struct SRVRecord: Equatable, Sendable {
    public var priority: UInt16
    public var weight: UInt16
    public var port: UInt16
    /// Empty: the domain does not offer this service (RFC 2782).
    public var target: String

    public init(priority: UInt16, weight: UInt16, port: UInt16, target: String) {
        (self.priority, self.weight, self.port, self.target) = (priority, weight, port, target)
    }
}

/// The answer of a name server to one question, and for how long it holds. Parsing is total: malformed bytes give an
/// error (RFC 1035 §4).
public struct DNSResponse: Equatable, Sendable {
    public enum Fault: Error, Equatable, Sendable {
        case truncated
        /// A name that points forward, or that is too long.
        case name
    }

    public let answer: DNSAnswer
    /// Seconds for which the answer may be reused: the shortest time to live of all records, at most `longest`. 0: not
    /// at all.
    public let timeToLive: UInt32

    /// No name server answered.
    public static let silence = DNSResponse(.nothing, timeToLive: 0)
    /// DNS answered that nothing exists. The zone may say how long this holds (RFC 2308), but this phone always asks
    /// again after a minute.
    public static let nothing = DNSResponse(.nothing, timeToLive: 60)

    /// One day, in seconds. This limits how long a wrong address can last.
    public static let longest: UInt32 = 86_400
    private static let recordLimit = 128

    public init(_ answer: DNSAnswer, timeToLive: UInt32) { (self.answer, self.timeToLive) = (answer, timeToLive) }

    public init(_ bytes: Span<UInt8>) throws(Fault) {
        var reader = DNSReader()
        _ = try reader.number(UInt32.self, in: bytes)
        let questions = try reader.number(UInt16.self, in: bytes)
        let answers = min(Int(try reader.number(UInt16.self, in: bytes)), Self.recordLimit)
        _ = try reader.number(UInt32.self, in: bytes)
        for _ in 0..<questions {
            _ = try reader.name(in: bytes)
            _ = try reader.number(UInt32.self, in: bytes)
        }
        var (servers, services): ([SRVRecord], [NAPTRecord]) = ([], [])
        var life = Self.longest
        for _ in 0..<answers {
            _ = try reader.name(in: bytes)
            let type = try reader.number(UInt16.self, in: bytes)
            _ = try reader.number(UInt16.self, in: bytes)
            life = min(life, try reader.number(UInt32.self, in: bytes))
            var inside = try reader.data(in: bytes)
            switch type {
            case 33: servers.append(try SRVRecord(bytes, &inside))
            case 35: services.append(try NAPTRecord(bytes, &inside))
            // An alias that leads to the name.
            default: continue
            }
        }
        answer = !servers.isEmpty ? .srv(servers) : !services.isEmpty ? .naptr(services) : .nothing
        timeToLive = life
    }
}

extension SRVRecord {
    fileprivate init(_ bytes: Span<UInt8>, _ reader: inout DNSReader) throws(DNSResponse.Fault) {
        self.init(
            priority: try reader.number(UInt16.self, in: bytes), weight: try reader.number(UInt16.self, in: bytes),
            port: try reader.number(UInt16.self, in: bytes), target: try reader.name(in: bytes))
    }
}

extension NAPTRecord {
    fileprivate init(_ bytes: Span<UInt8>, _ reader: inout DNSReader) throws(DNSResponse.Fault) {
        let order = try reader.number(UInt16.self, in: bytes)
        let preference = try reader.number(UInt16.self, in: bytes)
        let (flags, service) = (try reader.word(in: bytes), try reader.word(in: bytes))
        // A regular expression instead of a replacement is for telephone numbers only, so it is skipped (RFC 3263
        // §4.1).
        _ = try reader.word(in: bytes)
        self.init(
            order: order, preference: preference, flags: flags, service: service,
            replacement: try reader.name(in: bytes))
    }
}

/// A position in a DNS message, which moves forward.
private struct DNSReader {
    private var cursor = ByteCursor()

    mutating func number<Number: FixedWidthInteger & UnsignedInteger>(
        _: Number.Type, in bytes: Span<UInt8>
    ) throws(DNSResponse.Fault) -> Number {
        do throws(ByteCursor.Truncated) { return try cursor.read(Number.self, in: bytes) } catch { throw .truncated }
    }

    /// The data of a record. Returns another reader at its start, and moves this reader past it.
    mutating func data(in bytes: Span<UInt8>) throws(DNSResponse.Fault) -> DNSReader {
        let count = Int(try number(UInt16.self, in: bytes))
        let inside = self
        do throws(ByteCursor.Truncated) { _ = try cursor.readRange(count, in: bytes) } catch { throw .truncated }
        return inside
    }

    /// A character string (RFC 1035 §3.3).
    mutating func word(in bytes: Span<UInt8>) throws(DNSResponse.Fault) -> String {
        let count = Int(try number(UInt8.self, in: bytes))
        do throws(ByteCursor.Truncated) {
            return String(decoding: try cursor.readBytes(count, in: bytes), as: UTF8.self)
        } catch {
            throw .truncated
        }
    }

    /// A name without the last dot. It may continue at an earlier position (RFC 1035 §4.1.4). Empty for the root, and
    /// for a name that no host can have, so that such a name is never looked up.
    mutating func name(in bytes: Span<UInt8>) throws(DNSResponse.Fault) -> String {
        var labels: [String] = []
        var ahead = self
        var behind: DNSReader?
        var length = 0
        while true {
            let start = ahead.cursor.offset
            let count = Int(try ahead.number(UInt8.self, in: bytes))
            guard count > 0 else { break }
            if count >= 0xC0 {
                let target = (count & 0x3F) << 8 | Int(try ahead.number(UInt8.self, in: bytes))
                behind = behind ?? ahead
                // Pointers may only go backwards, so that the loop ends.
                guard target < start else { throw .name }
                ahead.cursor = ByteCursor(offset: target)
                length += 1
            } else {
                ahead.cursor = ByteCursor(offset: start)
                labels.append(try ahead.word(in: bytes))
                length += count + 1
            }
            guard length <= 255 else { throw .name }
        }
        self = behind ?? ahead
        return labels.allSatisfy(Self.isLabel) ? labels.joined(separator: ".") : ""
    }

    private static func isLabel(_ label: String) -> Bool {
        label.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || byte == 0x2D || byte == 0x5F
        }
    }
}
