import Base

extension JitterBuffer {
    /// A packet to decode. The buffer lends its payload (`payload(of:)`) until the next packet is inserted.
    public struct Frame: Equatable, Sendable {
        let sequence: Int64
        public let payloadType: UInt8
        /// How long the sound lasts, in RTP ticks.
        public let ticks: Int
        /// Bytes of payload. 0 is possible.
        public let count: Int
        /// How many ticks longer or, when negative, shorter the sound should last, as far as that is inaudible. The
        /// caller reports the actual change with `stretched(by:at:)`.
        public var stretch = 0

        init(of packet: PacketSlots.Slot, ticks: Int64) {
            sequence = packet.sequence
            payloadType = packet.payloadType
            self.ticks = Int(ticks)
            count = packet.count
        }
    }

    /// What the next piece of sound is made of. Lengths are in RTP ticks.
    public enum Decision: Equatable, Sendable {
        /// Decode the payload.
        case decode(Frame)
        /// A packet is missing. Decode its redundant copy from this payload, which belongs to the packet after it. That
        /// packet is returned again later, for its own sound.
        case recover(Frame)
        /// A packet is missing: invent sound of this length.
        case conceal(ticks: Int)
        /// The sender is silent (no packets, DTX), or nothing has come yet.
        case silence(ticks: Int)
    }
}

extension JitterBuffer {
    /// Missing packets are concealed for this long. After that, the sender counts as silent.
    private static let longestWait = Duration.milliseconds(200)
    /// When all packets have been too late for this long, their lateness becomes the new normal.
    private static let longestStall = Duration.milliseconds(100)
    /// A smaller step between two timestamps in a row is not a gap in the sound.
    private static let irregularity = Duration.milliseconds(5)
    /// The longest gap to fill at a time: an Opus frame lasts no longer (RFC 6716 §3.2.5).
    private static let longestFill = Duration.milliseconds(120)

    /// Decides what the next piece of sound is made of. Call it when the decoded sound runs out.
    /// - Parameters:
    ///   - wanted: Ticks that are still needed. Invented sound has this length, unless a packet determines it.
    ///   - quantum: Ticks that the device asked for, of which `wanted` are left.
    ///   - now: When the device asks.
    public mutating func take(_ wanted: Int, of quantum: Int, at now: Instant) -> Decision {
        precondition(wanted > 0 && wanted <= quantum, "at least one tick, at most a quantum")
        self.quantum = Int64(max(quantum, burst.atOnce))
        // This piece plays after earlier pieces that the device took, and after the filled part of the quantum.
        let due = clock.ticks(now) + Int64(burst.before + quantum - wanted)
        reserve = max(self.quantum, Int64(burst.before + quantum))
        guard var current = stream else { return .silence(ticks: wanted) }
        let decision: Decision
        switch playout {
        case .idle:
            decision = .silence(ticks: wanted)
        case .filling:
            decision = fillUp(&current, wanted: Int64(wanted), at: due)
        case .playing:
            decision = play(&current, wanted: Int64(wanted), at: due)
        }
        stream = current
        count(decision)
        return decision
    }

    /// The payload of the last frame from `take`. No packet may have been inserted since.
    @_lifetime(borrow self)
    public func payload(of frame: Frame) -> Span<UInt8> { slots.payload(of: frame.sequence, count: frame.count) }

    private mutating func fillUp(_ stream: inout Stream, wanted: Int64, at due: Int64) -> Decision {
        let early = start(&stream, at: due)
        return early > 0 ? .silence(ticks: Int(min(early, wanted))) : play(&stream, wanted: wanted, at: due)
    }

    /// Begins to play when the first packet has waited long enough. At the beginning of a stream a backlog is dropped:
    /// it gathered before playout started, and would remain as delay.
    /// - Returns: Ticks left to wait; 0 when playout has begun.
    private mutating func start(_ stream: inout Stream, at due: Int64) -> Int64 {
        guard var head = slots.first(from: stream.nextSequence, through: stream.highestSequence) else { return quantum }
        let early = target - (due - delays.base - head.timestamp)
        guard early <= 0 else { return early }
        while !stream.hasPlayed,
            let second = slots.first(from: head.sequence + 1, through: stream.highestSequence),
            due - delays.base - second.timestamp >= target
        {
            slots.remove(head.sequence)
            counters.skips += 1
            head = second
        }
        if stream.hasPlayed {
            explain(stream, before: head.sequence, gap: head.timestamp - stream.nextTimestamp)
            pass(&stream, to: head.sequence)
        }
        advance(&stream, to: head.sequence, played: false)
        stream.nextTimestamp = head.timestamp
        stream.hasPlayed = true
        pace.restart()
        playout = .playing
        return 0
    }

    private mutating func play(_ stream: inout Stream, wanted: Int64, at due: Int64) -> Decision {
        discardExcess(&stream, at: due)
        if case .filling = playout { return fillUp(&stream, wanted: wanted, at: due) }
        guard let head = slots.first(from: stream.nextSequence, through: stream.highestSequence) else {
            return wait(delay: due - delays.base - stream.nextTimestamp, wanted: wanted)
        }
        explain(stream, before: head.sequence, gap: head.timestamp - stream.nextTimestamp)
        passVoiceless(&stream, before: head.sequence)
        let least = target - min(stream.packetTicks, target) / 2
        stepOverSpentTime(&stream, before: head, at: due, leaving: least)
        let gap = head.timestamp - stream.nextTimestamp
        let delay = due - delays.base - head.timestamp
        // A sender that takes timestamps from its wall clock sometimes skips a few ticks. No sound is missing there.
        let isWhole = head.sequence == stream.nextSequence && gap < clock.ticks(Self.irregularity)
        if gap > 0, !isWhole {
            let isPause = head.sequence == stream.nextSequence
            // A loss must not reduce the delay. The part of the gap that was not concealed yet is filled, even when the
            // delay is above the target.
            let short = isPause ? target - delay : max(target - delay, gap - pace.waited)
            if isPause, short > 0 { return .silence(ticks: Int(shorten(&stream, gap: gap, to: short, at: due))) }
            if !isPause, delay < target || short > clock.ticks(Self.irregularity) {
                return fill(&stream, gap: gap, short: short, before: head, at: due)
            }
        }
        pace.observe(
            delay: delay, transit: head.arrival - head.timestamp, base: delays.base, gap: gap, quantum: reserve,
            target: target, at: due)
        reach = .within
        pass(&stream, to: head.sequence)
        slots.remove(head.sequence)
        pattern.hear()
        stream.hasPaused = false
        advance(&stream, to: head.sequence + 1, played: true)
        stream.nextTimestamp = head.timestamp + head.ticks
        var frame = Frame(of: head, ticks: head.ticks)
        frame.stretch = Int(pace.stretch(to: target, at: due))
        return .decode(frame)
    }

    /// The stream has no packet to play. The playout point stays, because the next packet may still arrive.
    private mutating func wait(delay: Int64, wanted: Int64) -> Decision {
        guard delay - pace.delay < clock.ticks(Self.longestWait) else {
            playout = .idle
            return .silence(ticks: Int(wanted))
        }
        pace.wait(wanted)
        unexplained += wanted
        invention = .wait(wanted)
        return .conceal(ticks: Int(wanted))
    }

    /// Decides why sound was invented, now that the next packet is here: for a late or lost packet, or for a silent
    /// sender (DTX, hold). Only the former counts as concealed.
    mutating func explain(_ stream: Stream, before sequence: Int64, gap: Int64) {
        guard unexplained > 0 else { return }
        let missing = missing(stream, before: sequence)
        let isPause = stream.hasPaused || missing < sequence - stream.nextSequence
        let late = max(0, unexplained - max(0, gap))
        let concealed =
            missing == 0 ? late : isPause ? min(unexplained, late + missing * stream.packetTicks) : unexplained
        unexplained = 0
        if missing == 0, !stream.hasPaused { latePackets.cameLate() } else if !isPause { latePackets.wasLost() }
        counters.concealedTicks += concealed
        counters.playedTicks += concealed
    }

    /// Steps over packets that are missing in a row when their time was already spent waiting for them. The last of
    /// them is kept, because the packet that is here can still repair it.
    private mutating func stepOverSpentTime(
        _ stream: inout Stream, before head: PacketSlots.Slot, at due: Int64, leaving delay: Int64
    ) {
        let step = stream.packetTicks
        while head.sequence - stream.nextSequence > 1, head.timestamp - stream.nextTimestamp > step,
            due - delays.base - stream.nextTimestamp - step >= delay
        {
            countLost(1)
            advance(&stream, to: stream.nextSequence + 1, played: false)
            passVoiceless(&stream, before: head.sequence)
            stream.nextTimestamp += step
            pace.wait(-step)
        }
    }

    /// Fills the gap before the packet that is here with `short` ticks instead of `gap`, so that the delay moves to the
    /// target. A long gap is filled in parts.
    /// - Returns: the ticks to fill now.
    private mutating func shorten(_ stream: inout Stream, gap: Int64, to short: Int64, at due: Int64) -> Int64 {
        let ticks = min(short, clock.ticks(Self.longestFill))
        let passed = ticks == short ? gap : min(gap, ticks)
        stream.nextTimestamp += passed
        pace.move(by: ticks - passed, at: due)
        return ticks
    }

    /// Fills the place of a missing packet before the packet that is here: repairs it or conceals it.
    private mutating func fill(
        _ stream: inout Stream, gap: Int64, short: Int64, before head: PacketSlots.Slot, at due: Int64
    ) -> Decision {
        let isLast = head.sequence - stream.nextSequence == 1
        let isRepaired = isLast && gap <= head.ticks && short > gap / 2 && configuration.usesForwardCorrection
        countLost(1, isRepaired: isRepaired)
        advance(&stream, to: stream.nextSequence + 1, played: false)
        if isRepaired {
            stream.nextTimestamp += gap
            return .recover(Frame(of: head, ticks: gap))
        }
        var ticks = min(gap, stream.packetTicks)
        if isLast { ticks = shorten(&stream, gap: gap, to: short, at: due) } else { stream.nextTimestamp += ticks }
        // Next to packets without voice, most of the gap is silence of the sender. At most one packet of it counts as
        // concealed.
        let concealed = stream.hasPaused ? min(ticks, stream.packetTicks) : ticks
        counters.concealedTicks += concealed
        counters.playedTicks += concealed
        invention = .gap(ticks)
        return .conceal(ticks: Int(ticks))
    }

    /// Drops all packets whose delay is above the longest one allowed, as long as other packets are in time.
    private mutating func discardExcess(_ stream: inout Stream, at due: Int64) {
        let limit = clock.ticks(configuration.maximumDelay) + stream.packetTicks
        while let head = slots.first(from: stream.nextSequence, through: stream.highestSequence),
            due - delays.base - head.timestamp > limit
        {
            if slots.count == 1, let transit = steppedTransit(of: head, at: due) {
                delays.restart(transit: transit)
                playout = .filling
                return
            }
            pass(&stream, to: head.sequence)
            slots.remove(head.sequence)
            pattern.miss(1)
            pattern.discard()
            advance(&stream, to: head.sequence + 1, played: true)
            let next = head.timestamp + head.ticks
            pace.move(by: stream.nextTimestamp - next, at: due)
            stream.nextTimestamp = next
            counters.skips += 1
        }
    }

    /// Handles a newest packet that is too late as well. When this has lasted for `longestStall`, it is not a stall.
    /// The path has become slower for good, or the far end's clock was set back. Such packets then count as in time.
    /// - Returns: the transit of the fastest packet since then; nil while it may be a stall.
    private mutating func steppedTransit(of newest: PacketSlots.Slot, at due: Int64) -> Int64? {
        let transit = newest.arrival - newest.timestamp
        guard case .beyond(let since, let fastest) = reach else {
            reach = .beyond(since: due, fastest: transit)
            return nil
        }
        reach = .beyond(since: since, fastest: min(fastest, transit))
        guard due - since >= clock.ticks(Self.longestStall) else { return nil }
        reach = .within
        return min(fastest, transit)
    }

    mutating func advance(_ stream: inout Stream, to sequence: Int64, played: Bool) {
        let step = sequence - stream.nextSequence
        guard step > 0 else { return }
        stream.played = step < 64 ? stream.played << UInt64(step) : 0
        if played { stream.played |= 1 }
        stream.nextSequence = sequence
    }

    /// Counts lost packets. A packet that is repaired from the one after it counts as lost, but also as heard.
    mutating func countLost(_ lost: Int64, isRepaired: Bool = false) {
        counters.lost += Int(lost)
        pace.recordPackets(lost: lost)
        if isRepaired { pattern.hear() } else { pattern.miss(lost) }
    }

    private mutating func count(_ decision: Decision) {
        switch decision {
        case .decode(let frame):
            invention = .none
            counters.playedTicks += Int64(frame.ticks)
        case .recover(let frame):
            invention = .none
            counters.recovered += 1
            counters.playedTicks += Int64(frame.ticks)
        case .silence(let ticks): invention = .pause(Int64(ticks))
        case .conceal:
            // Concealment is counted once its reason is known: in `fill`, or later in `explain`.
            break
        }
    }
}
