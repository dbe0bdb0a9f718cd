/// Packets by sequence number in a ring of fixed size. All memory is allocated in `init`.
///
/// The low bits of a sequence number select its slot. The owner keeps live sequences within `capacity` of each other,
/// so two of them never share a slot.
struct PacketSlots: ~Copyable, Sendable {
    struct Slot: Sendable {
        var sequence = Int64.min
        var timestamp: Int64 = 0
        var ticks: Int64 = 0
        var arrival: Int64 = 0
        var count = 0
        var payloadType: UInt8 = 0

        var isEmpty: Bool { sequence == .min }
    }

    let capacity: Int
    let payloadLimit: Int
    private(set) var count = 0
    private var slots: [Slot]
    private var bytes: [UInt8]

    init(capacity: Int, payloadLimit: Int) {
        precondition(capacity > 0 && capacity & (capacity - 1) == 0, "capacity must be a power of two")
        precondition(payloadLimit > 0, "a packet has a payload")
        self.capacity = capacity
        self.payloadLimit = payloadLimit
        slots = Array(repeating: Slot(), count: capacity)
        bytes = Array(repeating: 0, count: capacity * payloadLimit)
    }

    func contains(_ sequence: Int64) -> Bool { slots[index(sequence)].sequence == sequence }

    mutating func store(_ slot: Slot, payload: Span<UInt8>) {
        let index = index(slot.sequence)
        precondition(payload.count <= payloadLimit && slots[index].isEmpty, "the slot is free and large enough")
        slots[index] = slot
        count += 1
        for offset in payload.indices { bytes[index * payloadLimit + offset] = payload[offset] }
    }

    /// The first packet at or after `sequence`, not beyond `last`.
    func first(from sequence: Int64, through last: Int64) -> Slot? {
        guard count > 0, sequence <= last else { return nil }
        for candidate in max(sequence, last - Int64(capacity) + 1)...last {
            let slot = slots[index(candidate)]
            if slot.sequence == candidate { return slot }
        }
        return nil
    }

    /// The payload of a stored packet, or of a removed one if nothing was stored since.
    @_lifetime(borrow self)
    func payload(of sequence: Int64, count: Int) -> Span<UInt8> {
        let index = index(sequence)
        precondition(count <= payloadLimit, "a packet has no more than its place")
        precondition(slots[index].sequence == sequence || slots[index].isEmpty, "no other packet lies there")
        return bytes.span.extracting(index * payloadLimit..<index * payloadLimit + count)
    }

    mutating func remove(_ sequence: Int64) {
        guard contains(sequence) else { return }
        slots[index(sequence)].sequence = .min
        count -= 1
    }

    mutating func removeAll() {
        for index in slots.indices { slots[index].sequence = .min }
        count = 0
    }

    private func index(_ sequence: Int64) -> Int { Int(truncatingIfNeeded: sequence) & (capacity - 1) }
}

/// A set of sequence numbers in a ring of fixed size. Of two numbers that are a multiple of `capacity` apart, only the
/// one inserted later stays. All memory is allocated in `init`.
struct SequenceMarks: Sendable {
    private var marks: [Int64]
    /// The highest number ever marked. A count above it needs no search.
    private var highest = Int64.min

    /// - Parameter capacity: a power of two.
    init(capacity: Int) {
        precondition(capacity > 0 && capacity & (capacity - 1) == 0, "capacity must be a power of two")
        marks = Array(repeating: .min, count: capacity)
    }

    func contains(_ sequence: Int64) -> Bool { marks[index(sequence)] == sequence }

    /// - Returns: false when it was marked before.
    mutating func insert(_ sequence: Int64) -> Bool {
        guard !contains(sequence) else { return false }
        marks[index(sequence)] = sequence
        highest = max(highest, sequence)
        return true
    }

    /// How many numbers of `range` are not marked. Cost: O(capacity) at most.
    func unmarked(in range: Range<Int64>) -> Int64 {
        let newest = max(range.lowerBound, range.upperBound - Int64(marks.count))
        guard highest >= newest else { return Int64(range.count) }
        var marked: Int64 = 0
        for sequence in newest..<range.upperBound where contains(sequence) { marked += 1 }
        return Int64(range.count) - marked
    }

    mutating func removeAll() {
        for index in marks.indices { marks[index] = .min }
        highest = .min
    }

    private func index(_ sequence: Int64) -> Int { Int(truncatingIfNeeded: sequence) & (marks.count - 1) }
}
