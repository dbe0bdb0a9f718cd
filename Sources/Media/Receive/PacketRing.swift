import Base
import Synchronization

/// The properties of a packet of voice besides its payload.
struct VoiceHeader: BitwiseCopyable, Sendable {
    var payloadType: UInt8 = 0
    var sequence: UInt16 = 0
    /// The timestamp of received voice is in samples, whatever the codec's clock is.
    var timestamp: UInt32 = 0
    var source: UInt32 = 0
    /// Samples that the payload holds; 0 for a packet without voice.
    var ticks = 0
    /// Nanoseconds of the monotonic clock.
    var arrival: Int64 = 0
}

/// The packets of a call's voice between the network thread and the audio thread.
typealias VoiceRing = PacketRing<VoiceHeader>

/// Packets from one thread to another, with their payloads, in memory of fixed size.
///
/// One producer, one consumer, wait-free. It has one more payload slot than the ring has entries, so the consumer never
/// reads the slot that the producer writes.
@safe
struct PacketRing<Header: BitwiseCopyable & Sendable>: ~Copyable, @unchecked Sendable {
    private struct Entry: BitwiseCopyable, Sendable {
        var header: Header?
        var count = 0
        var place = 0
    }

    static var capacity: Int { 32 }
    /// The octets of 200 ms in a telephone codec: more than the largest datagram in an Ethernet frame.
    static var payloadLimit: Int { 1_600 }

    private let entries = SPSCRing<Entry>(capacity: Self.capacity, filler: Entry())
    // Declared unchecked, because the compiler cannot see that a slot has one user at a time (see above).
    private let bytes: UnsafeMutableBufferPointer<UInt8>
    /// The slot for the next payload. Only the producer uses it.
    private let next = Atomic<Int>(0)

    /// - Parameter isResident: Whether all of its memory is resident from the start, which real-time threads need. If
    ///   not, the first packet written to a page makes it resident: most calls never fill a queue of handshakes.
    init(isResident: Bool = true) {
        unsafe bytes = .allocate(capacity: (Self.capacity + 1) * Self.payloadLimit)
        if isResident { unsafe bytes.initialize(repeating: 0) }
    }

    deinit { unsafe bytes.deallocate() }

    /// Producer only. False when the ring is full or the payload too large.
    func push(_ header: Header, payload: Span<UInt8>) -> Bool {
        guard payload.count <= Self.payloadLimit, entries.count < Self.capacity else { return false }
        let place = next.load(ordering: .relaxed)
        for index in payload.indices { unsafe bytes[place * Self.payloadLimit + index] = payload[index] }
        next.store((place + 1) % (Self.capacity + 1), ordering: .relaxed)
        return entries.push(Entry(header: header, count: payload.count, place: place))
    }

    /// Consumer only. Takes the oldest packet and lends its payload.
    func pop(_ body: (Header, Span<UInt8>) -> Void) -> Bool {
        guard let entry = entries.pop(), let header = entry.header else { return false }
        let start = entry.place * Self.payloadLimit
        unsafe body(header, UnsafeBufferPointer(rebasing: bytes[start..<start + entry.count]).span)
        return true
    }
}
