import Base
import RTPCore
import Synchronization

/// A packet of voice on its way to the jitter buffer. Its payload is beside it, in a ring's slot.
struct ReceivedVoice: BitwiseCopyable, Sendable {
    /// The timestamp is in samples, whatever the codec's clock is.
    let header: RTPHeader
    /// Samples that the payload holds; 0 for a packet without voice.
    let ticks: Int
    /// Nanoseconds of the monotonic clock.
    let arrival: Int64
}

/// The packets of a call's voice on their way to the jitter buffer.
typealias VoiceRing = PacketRing<ReceivedVoice>

/// Packets from one thread to another, with their payloads, in memory of fixed size.
///
/// One producer, one consumer, wait-free. The producer receives a datagram into a slot and passes on the parts that it
/// wants; the consumer reads them there. A datagram has one slot, however many parts it has. There are two more slots
/// than entries: the producer fills one while all entries wait and the consumer reads the part that it took last.
@safe
struct PacketRing<Header: BitwiseCopyable & Sendable>: ~Copyable, @unchecked Sendable {
    private struct Entry: BitwiseCopyable, Sendable {
        var header: Header?
        /// Where the payload begins in `bytes`.
        var start = 0
        var count = 0
    }

    static var capacity: Int { 32 }
    /// The octets of 200 ms in a telephone codec: more than the largest datagram in an Ethernet frame.
    static var payloadLimit: Int { 1_600 }
    /// The longest datagram that a slot holds.
    static var datagramLimit: Int { 2_048 }
    private static var slotCount: Int { capacity + 2 }

    private let entries = SPSCRing<Entry>(capacity: Self.capacity, filler: Entry())
    // Declared unchecked, because the compiler cannot see that a slot has one user at a time (see above).
    private let bytes: UnsafeMutableBufferPointer<UInt8>
    /// The producer's slot, and whether a part of it was passed on. Only the producer uses them.
    private let slot = Atomic<Int>(0)
    private let isPassedOn = Atomic<Bool>(false)

    /// - Parameter isResident: Whether all of its memory is resident from the start, which real-time threads need. If
    ///   not, the first packet written to a page makes it resident: most calls never fill a queue of handshakes.
    init(isResident: Bool = true) {
        unsafe bytes = .allocate(capacity: Self.slotCount * Self.datagramLimit)
        if isResident { unsafe bytes.initialize(repeating: 0) }
    }

    deinit { unsafe bytes.deallocate() }

    /// Producer only. Lends the slot of the next datagram. It is the same slot until a part of it is passed on.
    func fill<Result>(_ body: (inout MutableSpan<UInt8>) -> Result) -> Result {
        if isPassedOn.load(ordering: .relaxed) {
            slot.store((slot.load(ordering: .relaxed) + 1) % Self.slotCount, ordering: .relaxed)
            isPassedOn.store(false, ordering: .relaxed)
        }
        let start = slot.load(ordering: .relaxed) * Self.datagramLimit
        var span = unsafe UnsafeMutableBufferPointer(rebasing: bytes[start..<start + Self.datagramLimit]).mutableSpan
        return body(&span)
    }

    /// Producer only. Passes on this part of the slot that `fill` lent last.
    /// - Returns: False when the ring is full or the part too large.
    func push(_ header: Header, _ part: Range<Int>) -> Bool {
        precondition(part.lowerBound >= 0 && part.upperBound <= Self.datagramLimit, "the part lies in the slot")
        guard part.count <= Self.payloadLimit else { return false }
        let start = slot.load(ordering: .relaxed) * Self.datagramLimit + part.lowerBound
        guard entries.push(Entry(header: header, start: start, count: part.count)) else { return false }
        isPassedOn.store(true, ordering: .relaxed)
        return true
    }

    /// Producer only. Copies a payload and passes it on.
    /// - Returns: False when the ring is full or the payload too large.
    func push(_ header: Header, copying payload: Span<UInt8>) -> Bool {
        guard payload.count <= Self.payloadLimit else { return false }
        fill { for index in payload.indices { $0[index] = payload[index] } }
        return push(header, 0..<payload.count)
    }

    /// Consumer only. Takes the oldest packet and lends its payload.
    func pop(_ body: (Header, Span<UInt8>) -> Void) -> Bool {
        guard let entry = entries.pop(), let header = entry.header else { return false }
        unsafe body(header, UnsafeBufferPointer(rebasing: bytes[entry.start..<entry.start + entry.count]).span)
        return true
    }
}
