import Base

extension JitterBuffer {
    /// Longest frame that a packet may hold (RFC 3551 §4.2). Opus has 120 ms at most.
    private static let longestPacket = Duration.milliseconds(200)
    /// A transit this far from the fastest one is not lateness: the sender's clock has jumped.
    private static let jump = Duration.seconds(1)

    /// Packets that may be missing in a row before a new stream is assumed (RFC 3550 §A.1).
    static let longestDropout: Int64 = 3_000

    /// A packet this far behind the newest one is not a reordered packet of the stream (RFC 3550 §A.1).
    private static let longestMisorder: Int64 = 100

    /// Packets that the first one after a silence may have overtaken.
    static let overtaken: Int64 = 8

    /// Inserts one packet. Its payload is copied.
    /// - Parameters:
    ///   - ticks: How long its sound lasts, from the codec (the Opus TOC, the number of G.711 bytes).
    ///   - arrival: When it was received. Only jitter makes it earlier than the previous packet's arrival.
    public mutating func insert(
        _ header: RTPHeader, ticks: Int, payload: Span<UInt8>, at arrival: Instant
    ) -> Insertion {
        guard payload.count <= configuration.payloadLimit, ticks > 0,
            Int64(ticks) <= clock.ticks(Self.longestPacket)
        else {
            counters.refused += 1
            return .refused
        }
        let time = clock.ticks(arrival)
        guard let stream else {
            begin(header, ticks: ticks, payload: payload, at: time)
            return .stored
        }
        let sequence = ExtendedSequence.nearest(to: stream.highestSequence, wire: header.sequence)
        let timestamp = ExtendedTimestamp.nearest(to: stream.highestTimestamp, wire: header.timestamp)
        guard belongs(header, sequence: sequence, timestamp: timestamp, at: time, to: stream) else {
            return meetStranger(header, ticks: ticks, payload: payload, at: time)
        }
        stranger = nil
        let behind = stream.nextSequence - sequence
        let isPast = behind > 0 && stream.hasPlayed
        let wasPlayed = isPast && behind <= 64 && stream.played >> UInt64(behind - 1) & 1 == 1
        guard !wasPlayed, !slots.contains(sequence) else {
            counters.duplicates += 1
            return .duplicate
        }
        counters.received += 1
        delays.observe(arrival: time, timestamp: timestamp, packetTicks: Int64(ticks), missed: isPast)
        guard !isPast else {
            markArrived(behind: behind)
            return .late
        }
        let slot = PacketSlots.Slot(
            sequence: sequence, timestamp: timestamp, ticks: Int64(ticks), arrival: time,
            count: payload.count, payloadType: header.payloadType)
        if startsAfresh(slot, in: stream) { resume(at: slot) }
        slots.store(slot, payload: payload)
        extend(by: slot)
        return .stored
    }

    private func startsAfresh(_ slot: PacketSlots.Slot, in stream: Stream) -> Bool {
        if case .idle = playout { return true }
        return slots.count == 0 && slot.sequence - stream.nextSequence >= Int64(configuration.capacity)
    }

    /// Handles the first packet after a silence. Playout has not begun again, so packets that this one overtook may
    /// still arrive in time. Packets that are missing before those are lost.
    private mutating func resume(at slot: PacketSlots.Slot) {
        playout = .filling
        guard var stream, stream.hasPlayed else { return }
        let first = slot.sequence - Self.overtaken
        guard first > stream.nextSequence else { return }
        explain(stream, before: first, gap: slot.timestamp - stream.nextTimestamp)
        pass(&stream, to: first)
        self.stream = stream
    }

    /// A late packet was counted as lost when it was due, so the loss is taken back. The packet is marked, so that a
    /// second copy counts as a duplicate.
    private mutating func markArrived(behind: Int64) {
        counters.late += 1
        latePackets.cameLate()
        if let stream, voiceless.contains(stream.nextSequence - behind) { return }
        pattern.discard()
        if counters.lost > 0 { counters.lost -= 1 }
        if behind <= 64 { stream?.played |= 1 << UInt64(behind - 1) }
    }

    private mutating func extend(by slot: PacketSlots.Slot) {
        guard var stream else { return }
        stream.highestSequence = max(stream.highestSequence, slot.sequence)
        stream.highestTimestamp = max(stream.highestTimestamp, slot.timestamp)
        stream.packetTicks = slot.ticks
        // Before the first frame is played an earlier packet may still become the first.
        if !stream.hasPlayed { stream.nextSequence = min(stream.nextSequence, slot.sequence) }
        self.stream = stream
    }

    private func belongs(
        _ header: RTPHeader, sequence: Int64, timestamp: Int64, at time: Int64, to stream: Stream
    ) -> Bool {
        // Waiting packets must fit into the ring together. When none waits, the limit of RFC 3550 §A.1 applies.
        let isEmpty = slots.count == 0
        let reach = isEmpty ? Self.longestDropout : Int64(configuration.capacity)
        let lowest = min(isEmpty ? stream.highestSequence : stream.nextSequence, sequence)
        let highest = max(stream.highestSequence, sequence)
        // An old sequence number with a new timestamp: the sender has restarted its numbering, slightly lower.
        let isRenumbered = stream.hasPlayed && sequence < stream.nextSequence && timestamp > stream.highestTimestamp
        return header.source == stream.source && !isRenumbered && highest - lowest < reach
            && stream.highestSequence - sequence < Self.longestMisorder
            && abs(delays.lateness(arrival: time, timestamp: timestamp)) < clock.ticks(Self.jump)
    }

    /// A single packet that does not belong to the stream may be a stray or a forgery. Two in order begin a new stream.
    private mutating func meetStranger(
        _ header: RTPHeader, ticks: Int, payload: Span<UInt8>, at time: Int64
    ) -> Insertion {
        let isSecond = stranger.map { $0.source == header.source && $0.nextSequence == header.sequence } ?? false
        guard isSecond else {
            stranger = Stranger(source: header.source, nextSequence: header.sequence &+ 1)
            counters.strangers += 1
            return .stranger
        }
        reset()
        counters.restarts += 1
        begin(header, ticks: ticks, payload: payload, at: time)
        return .restarted
    }

    private mutating func begin(_ header: RTPHeader, ticks: Int, payload: Span<UInt8>, at time: Int64) {
        let slot = PacketSlots.Slot(
            sequence: Int64(header.sequence), timestamp: Int64(header.timestamp), ticks: Int64(ticks),
            arrival: time, count: payload.count, payloadType: header.payloadType)
        stream = Stream(
            source: header.source, nextSequence: slot.sequence, nextTimestamp: slot.timestamp,
            highestSequence: slot.sequence, highestTimestamp: slot.timestamp, packetTicks: slot.ticks)
        counters.received += 1
        delays.observe(arrival: time, timestamp: slot.timestamp, packetTicks: slot.ticks, missed: false)
        slots.store(slot, payload: payload)
        playout = .filling
    }
}

extension JitterBuffer {
    /// Records a packet of the stream without voice: a telephone event (RFC 4733) or comfort noise (RFC 3389). It uses
    /// a sequence number that would otherwise count as a missing voice packet. The time that it takes counts as the
    /// sender's silence.
    ///
    /// Pass every such packet, also repetitions, in order of arrival among the packets with voice. A packet of another
    /// source or far from the stream changes nothing. When a packet with voice has the same number, the voice is heard.
    /// Cost: O(1) usual, O(capacity) worst case, no allocation.
    public mutating func insertVoiceless(_ header: RTPHeader) {
        guard var stream, header.source == stream.source else { return }
        let sequence = ExtendedSequence.nearest(to: stream.highestSequence, wire: header.sequence)
        let ahead = sequence - stream.nextSequence
        // For a number further behind it is no longer known whether it was counted as lost.
        guard ahead >= -64, ahead < Self.longestDropout, !slots.contains(sequence), voiceless.insert(sequence) else {
            return
        }
        guard stream.hasPlayed else { return }
        if ahead < 0 {
            excuse(behind: -ahead, in: stream)
        } else if slots.count == 0, ahead > Self.overtaken, voiceless.contains(sequence - 1) {
            // A key is held for long. The position of the stream follows, except for the numbers that packets may have
            // overtaken. Two packets without voice in a row are needed, as for every far move of the stream.
            pass(&stream, to: sequence - Self.overtaken)
            self.stream = stream
        }
    }

    /// The number of packets with voice that are missing before `sequence`, as far as is known.
    func missing(_ stream: Stream, before sequence: Int64) -> Int64 {
        guard sequence > stream.nextSequence else { return 0 }
        return voiceless.unmarked(in: stream.nextSequence..<sequence)
    }

    /// Moves the stream to `sequence`. The numbers before it that are not known to be without voice count as lost.
    mutating func pass(_ stream: inout Stream, to sequence: Int64) {
        let missing = missing(stream, before: sequence)
        if missing < sequence - stream.nextSequence { stream.hasPaused = true }
        countLost(missing)
        advance(&stream, to: sequence, played: false)
        stream.highestSequence = max(stream.highestSequence, stream.nextSequence - 1)
    }

    /// Moves the stream over the next numbers, as long as they belong to packets without voice.
    mutating func passVoiceless(_ stream: inout Stream, before sequence: Int64) {
        while stream.nextSequence < sequence, voiceless.contains(stream.nextSequence) {
            stream.hasPaused = true
            advance(&stream, to: stream.nextSequence + 1, played: false)
        }
    }

    /// Takes back a loss. The packet without voice was overtaken by voice, and counted as lost when that voice was
    /// played.
    private mutating func excuse(behind: Int64, in stream: Stream) {
        guard stream.played >> UInt64(behind - 1) & 1 == 0 else { return }
        if counters.lost > 0 { counters.lost -= 1 }
        pattern.excuse()
        pace.excuseLoss()
    }
}

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
