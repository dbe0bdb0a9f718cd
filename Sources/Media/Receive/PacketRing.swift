import Base
import Synchronization

/// Packets between the network thread and the audio thread, with their payloads, in memory of fixed size.
///
/// One producer, one consumer, wait-free. There is one place for payloads more than packets can wait, so the place that
/// the consumer reads is never the one that the producer writes.
@safe
struct PacketRing: ~Copyable, @unchecked Sendable {
    struct Header: BitwiseCopyable, Sendable {
        var payloadType: UInt8 = 0
        var sequence: UInt16 = 0
        /// The timestamp of received voice is in samples, whatever the codec's clock is.
        var timestamp: UInt32 = 0
        var source: UInt32 = 0
        /// Samples that the payload holds; 0 for a packet without voice.
        var ticks = 0
        /// Nanoseconds of the monotonic clock.
        var arrival: Int64 = 0
        fileprivate(set) var count = 0
        fileprivate(set) var place = 0
    }

    static let capacity = 32
    /// The largest datagram in an Ethernet frame.
    static let payloadLimit = 1_500

    private let headers = SPSCRing<Header>(capacity: capacity, filler: Header())
    // Declared unchecked, because the compiler cannot see that a place has one user at a time (see above).
    private let bytes: UnsafeMutableBufferPointer<UInt8>
    /// The place for the next payload. Only the producer touches it.
    private let next = Atomic<Int>(0)

    init() {
        unsafe bytes = .allocate(capacity: (Self.capacity + 1) * Self.payloadLimit)
        unsafe bytes.initialize(repeating: 0)
    }

    deinit { unsafe bytes.deallocate() }

    /// Producer only. False when the ring is full or the payload too large.
    func push(_ header: Header, payload: Span<UInt8>) -> Bool {
        guard payload.count <= Self.payloadLimit, headers.count < Self.capacity else { return false }
        let place = next.load(ordering: .relaxed)
        var header = header
        header.count = payload.count
        header.place = place
        for index in payload.indices { unsafe bytes[place * Self.payloadLimit + index] = payload[index] }
        next.store((place + 1) % (Self.capacity + 1), ordering: .relaxed)
        return headers.push(header)
    }

    /// Consumer only. Takes the oldest packet and lends its payload.
    func pop(_ body: (Header, Span<UInt8>) -> Void) -> Bool {
        guard let header = headers.pop() else { return false }
        let start = header.place * Self.payloadLimit
        unsafe body(header, UnsafeBufferPointer(rebasing: bytes[start..<start + header.count]).span)
        return true
    }
}
