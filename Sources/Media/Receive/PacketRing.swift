import Base
import Synchronization

/// What is known of a packet of voice besides its payload.
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
/// One producer, one consumer, wait-free. There is one place for payloads more than packets can wait, so the place that
/// the consumer reads is never the one that the producer writes.
@safe
struct PacketRing<Header: BitwiseCopyable & Sendable>: ~Copyable, @unchecked Sendable {
    private struct Entry: BitwiseCopyable, Sendable {
        var header: Header?
        var count = 0
        var place = 0
    }

    static var capacity: Int { 32 }
    /// The octets of 200 ms in a telephone codec, which is more than the largest datagram in an Ethernet frame.
    static var payloadLimit: Int { 1_600 }

    private let entries = SPSCRing<Entry>(capacity: Self.capacity, filler: Entry())
    // Declared unchecked, because the compiler cannot see that a place has one user at a time (see above).
    private let bytes: UnsafeMutableBufferPointer<UInt8>
    /// The place for the next payload. Only the producer touches it.
    private let next = Atomic<Int>(0)

    /// - Parameter isResident: Whether all of its memory is there from the beginning, as real-time threads need it. Without,
    ///   a page is there when a packet is written to it first: most calls never fill a queue of handshakes.
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
