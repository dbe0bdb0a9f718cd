import Base

/// The answers of a DNS response (RFC 1035 §4) of the kinds that telephones ask for. Total: hostile bytes are an error.
public struct DNSResponse: Equatable, Sendable {
    public enum Fault: Error, Equatable, Sendable {
        case truncated
        /// A name that points forward or is longer than names are.
        case name
    }

    public let answer: NameAnswer
    /// Seconds for which it may be used again: the least of all records, at most `longest`.
    public let timeToLive: UInt32

    /// A day. A wrong address for longer would outlive whoever could mend it.
    public static let longest: UInt32 = 86_400
    private static let recordLimit = 128

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
            // An alias on the way there.
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
        // An expression instead of a replacement is for telephone numbers, not for us (RFC 3263 §4.1).
        _ = try reader.word(in: bytes)
        self.init(
            order: order, preference: preference, flags: flags, service: service,
            replacement: try reader.name(in: bytes))
    }
}

/// A place in a DNS message, moving forward.
private struct DNSReader {
    private var cursor = ByteCursor()

    mutating func number<Number: FixedWidthInteger & UnsignedInteger>(
        _: Number.Type, in bytes: Span<UInt8>
    ) throws(DNSResponse.Fault) -> Number {
        do throws(ByteCursor.Truncated) { return try cursor.read(Number.self, in: bytes) } catch { throw .truncated }
    }

    /// A record's data: read from its start by another reader, and passed over by this one.
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

    /// A name, which may go on at an earlier place (RFC 1035 §4.1.4), without the last dot; empty for the root, and for
    /// one that cannot be a host's, so that it is never asked for.
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
                // Only backwards, so that it ends.
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
