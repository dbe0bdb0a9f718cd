import Base

extension JitterBuffer {
    /// Sound is invented this long for packets that do not come; then the sender is taken to be silent.
    private static let longestWait = Duration.milliseconds(200)

    /// Says what the next stretch of sound is made of. Call when the decoded sound runs out, and again at
    /// once after `skip`.
    /// - Parameters:
    ///   - wanted: Ticks that the device still lacks: the length of invented sound, where nothing dictates it.
    ///   - now: When the device asks.
    ///   - isQuiet: What was played last is near silence, so a frame more or less goes unnoticed.
    ///   - payload: At least `payloadLimit` bytes; receives the payload when the decision has a frame.
    public mutating func take(
        _ wanted: Int, at now: Instant, isQuiet: Bool, into payload: inout MutableSpan<UInt8>
    ) -> Decision {
        precondition(wanted > 0 && payload.count >= configuration.payloadLimit, "room for what is asked")
        let time = clock.ticks(now)
        guard var current = stream else { return .silence(ticks: wanted) }
        let decision: Decision
        switch playout {
        case .idle:
            decision = .silence(ticks: wanted)
        case .filling:
            decision =
                start(&current, at: time)
                ? play(&current, wanted: Int64(wanted), at: time, isQuiet: isQuiet, into: &payload)
                : .silence(ticks: wanted)
        case .playing:
            decision = play(&current, wanted: Int64(wanted), at: time, isQuiet: isQuiet, into: &payload)
        }
        stream = current
        count(decision)
        return decision
    }

    /// True when the first packet has waited long enough. At a stream's beginning a backlog is dropped: it
    /// gathered before anybody listened, and would stay as delay.
    private mutating func start(_ stream: inout Stream, at time: Int64) -> Bool {
        guard var head = slots.first(from: stream.nextSequence, through: stream.highestSequence) else { return false }
        guard time - delays.base - head.timestamp >= target else { return false }
        while !stream.hasPlayed,
            let second = slots.first(from: head.sequence + 1, through: stream.highestSequence),
            time - delays.base - second.timestamp >= target
        {
            slots.remove(head.sequence)
            counters.skips += 1
            head = second
        }
        if stream.hasPlayed { countLost(head.sequence - stream.nextSequence) }
        advance(&stream, to: head.sequence, played: false)
        stream.nextTimestamp = head.timestamp
        stream.hasPlayed = true
        pace.restart()
        playout = .playing
        return true
    }

    private mutating func play(
        _ stream: inout Stream, wanted: Int64, at time: Int64, isQuiet: Bool, into payload: inout MutableSpan<UInt8>
    ) -> Decision {
        discardExcess(&stream, at: time)
        let tolerance = min(stream.packetTicks, target) / 2
        guard let head = slots.first(from: stream.nextSequence, through: stream.highestSequence) else {
            return wait(delay: time - delays.base - stream.nextTimestamp, wanted: wanted)
        }
        stepOverSpentTime(&stream, before: head, at: time, leaving: target - tolerance)
        let delay = time - delays.base - stream.nextTimestamp
        let gap = head.timestamp - stream.nextTimestamp
        if gap > 0, delay - gap < target - tolerance {
            return fill(&stream, gap: gap, before: head, into: &payload)
        }
        pace.observe(delay: delay - max(0, gap), gap: max(0, gap), at: time)
        if pace.shouldExpand(
            by: wanted, target: target, packet: stream.packetTicks, tolerance: tolerance, isQuiet: isQuiet)
        {
            return .expand(ticks: Int(wanted))
        }
        let skips = pace.shouldSkip(packet: head.ticks, target: target, isQuiet: isQuiet, at: time)
        deliver(head, &stream, into: &payload)
        let frame = Frame(payloadType: head.payloadType, ticks: Int(head.ticks), count: head.count)
        return skips ? .skip(frame) : .decode(frame)
    }

    /// The next packet is not here and none after it. The playout point stays: it may still come.
    private mutating func wait(delay: Int64, wanted: Int64) -> Decision {
        guard delay - pace.delay < clock.ticks(Self.longestWait) else {
            playout = .idle
            return .silence(ticks: Int(wanted))
        }
        pace.wait(wanted)
        return .conceal(ticks: Int(wanted))
    }

    /// Of several packets missing in a row, those go whose time was spent waiting for them, so that the last of
    /// them can still be repaired from the packet that is here.
    private mutating func stepOverSpentTime(
        _ stream: inout Stream, before head: PacketSlots.Slot, at time: Int64, leaving delay: Int64
    ) {
        let step = stream.packetTicks
        while head.sequence - stream.nextSequence > 1, head.timestamp - stream.nextTimestamp > step,
            time - delays.base - stream.nextTimestamp - step >= delay
        {
            countLost(1)
            advance(&stream, to: stream.nextSequence + 1, played: false)
            stream.nextTimestamp += step
            pace.wait(-step)
        }
    }

    /// Something is missing before the packet that is here, and there is time to play for it.
    private mutating func fill(
        _ stream: inout Stream, gap: Int64, before head: PacketSlots.Slot, into payload: inout MutableSpan<UInt8>
    ) -> Decision {
        let missing = head.sequence - stream.nextSequence
        let ticks = missing <= 1 ? min(gap, clock.ticks(.milliseconds(120))) : min(gap, stream.packetTicks)
        stream.nextTimestamp += ticks
        guard missing > 0 else { return .silence(ticks: Int(ticks)) }
        countLost(1)
        advance(&stream, to: stream.nextSequence + 1, played: false)
        guard missing == 1, gap <= head.ticks, configuration.usesForwardCorrection else {
            return .conceal(ticks: Int(ticks))
        }
        slots.copy(head, into: &payload)
        return .recover(Frame(payloadType: head.payloadType, ticks: Int(ticks), count: head.count))
    }

    private mutating func deliver(
        _ head: PacketSlots.Slot, _ stream: inout Stream, into payload: inout MutableSpan<UInt8>
    ) {
        countLost(head.sequence - stream.nextSequence)
        slots.copy(head, into: &payload)
        slots.remove(head.sequence)
        advance(&stream, to: head.sequence + 1, played: true)
        stream.nextTimestamp = head.timestamp + head.ticks
    }

    /// Beyond the longest delay allowed, packets are dropped unheard and at once.
    private mutating func discardExcess(_ stream: inout Stream, at time: Int64) {
        let limit = clock.ticks(configuration.maximumDelay) + stream.packetTicks
        while let head = slots.first(from: stream.nextSequence, through: stream.highestSequence),
            time - delays.base - head.timestamp > limit
        {
            countLost(head.sequence - stream.nextSequence)
            slots.remove(head.sequence)
            advance(&stream, to: head.sequence + 1, played: true)
            stream.nextTimestamp = head.timestamp + head.ticks
            counters.skips += 1
        }
    }

    mutating func advance(_ stream: inout Stream, to sequence: Int64, played: Bool) {
        let step = sequence - stream.nextSequence
        guard step > 0 else { return }
        stream.played = step < 64 ? stream.played << UInt64(step) : 0
        if played { stream.played |= 1 }
        stream.nextSequence = sequence
    }

    mutating func countLost(_ lost: Int64) {
        counters.lost += Int(lost)
        pace.recordPackets(lost: lost)
    }

    private mutating func count(_ decision: Decision) {
        switch decision {
        case .decode(let frame): counters.playedTicks += Int64(frame.ticks)
        case .recover(let frame):
            counters.recovered += 1
            counters.playedTicks += Int64(frame.ticks)
        case .conceal(let ticks):
            counters.concealedTicks += Int64(ticks)
            counters.playedTicks += Int64(ticks)
        case .expand(let ticks):
            counters.expansions += 1
            counters.concealedTicks += Int64(ticks)
            counters.playedTicks += Int64(ticks)
        case .skip: counters.skips += 1
        case .silence: break
        }
    }
}
