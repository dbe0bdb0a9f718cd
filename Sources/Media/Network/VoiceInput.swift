import Base
import Platform
import RTPCore
import Synchronization

/// The receiving end of a call's voice: reads the socket, admits senders, opens packets, and passes each on: voice to
/// the jitter buffer, its header to the statistics, RTCP to the network thread, STUN and DTLS to the connector.
///
/// It belongs to the thread that has the call's voice, and so do the socket, the keys and the rings that it fills. See
/// `NetworkOrder`. It allocates nothing; only libsrtp does so, for the first packet of each SSRC.
struct VoiceInput: Sendable {
    /// Limit of datagrams read before other work has its turn, so that a flood does not starve other calls.
    private static let burst = 32

    private var latch: SymmetricRTPLatch
    /// `PreparedMedia.addressNumber` of the latch.
    private var addressNumber: UInt32
    /// The codec of the far end's last voice.
    private var codec: VoiceCodec
    /// The newest packet so far.
    private var newest: (source: UInt32, sequence: UInt16)?
    private var events = TelephoneEventReceiver()
    private var allowance = DigitAllowance()
    private var hasHeard = false
    /// The packet in the ring's slot, if only the network thread may open it.
    private var waiting: MediaSockets.Arrival?

    init(_ terms: PreparedMedia) {
        latch = SymmetricRTPLatch(
            agreed: terms.voice, isAuthenticated: terms.isProtected, hasPath: terms.negotiatesPath)
        addressNumber = terms.addressNumber
        codec = terms.codec
    }

    /// Applies other terms to the same call. The latch starts again for a new address.
    mutating func follow(_ terms: PreparedMedia, _ port: CallPort, at now: Instant) {
        if terms.addressNumber != addressNumber {
            addressNumber = terms.addressNumber
            latch = latch.moved(
                to: terms.voice, isAuthenticated: terms.isProtected, hasPath: terms.negotiatesPath, at: now)
            port.gauges.tellLatched(latch.port, of: addressNumber)
        }
        if !terms.formats.contains(codec) { codec = terms.codec }
    }

    /// Whether the audio thread may have the voice under these terms. It must open packets without an allocation, so
    /// the network thread opens the first one. A call without keys or path exchanges handshakes and checks, which must
    /// not wait for a quantum, and neither must relayed packets, which pass the connector first. When voice uses the
    /// port of RTCP, the network thread reads both ports.
    func isReady(for terms: PreparedMedia) -> Bool {
        guard terms.mayExchange, terms.path?.isRelayed != true, !terms.usesControlPort, waiting == nil else {
            return false
        }
        return terms.borrowedReceiveKeys?.use { $0.voice.hasOpened } ?? true
    }

    /// Opens the packet that the audio thread left in the ring's slot. Network thread only.
    mutating func takeWaiting(_ port: CallPort, _ terms: PreparedMedia, _ context: VoiceContext) {
        guard let arrival = waiting.take() else { return }
        port.voice.fill { take(arrival, in: &$0, port, terms, context) }
    }

    /// Receives what waits at the voice's socket, and what our TURN server relayed.
    /// - Parameters:
    ///   - isOnControl: Whether to read the control socket instead, where voice uses that port.
    ///   - end: No datagram is begun after it. Nil: only their number is limited.
    /// - Returns: False when the network thread must have the voice, to open the packet that waits in the ring's slot.
    mutating func receive(
        _ port: CallPort, _ terms: PreparedMedia, isOnControl: Bool = false, until end: Instant? = nil,
        _ context: VoiceContext
    ) -> Bool {
        for _ in 0..<Self.burst {
            guard waiting == nil else { return false }
            if let end, MonotonicClock.now() >= end { break }
            let isReceived = port.voice.fill { bytes in
                var next =
                    isOnControl
                    ? MediaSockets.receive(on: port.sockets.control, port: port.sockets.port + 1, into: &bytes)
                    : MediaSockets.receive(on: port.sockets.voice, port: port.sockets.port, into: &bytes)
                if next == nil {
                    next = port.borrowedConnectivity?.use { $0.takeRelayed(from: terms.voice, into: &bytes) }
                }
                guard let arrival = next else { return false }
                take(arrival, in: &bytes, port, terms, context)
                return true
            }
            guard isReceived else { break }
        }
        return waiting == nil
    }

    /// Takes the datagram in the ring's slot: admits its sender, removes its protection in place, and passes on what it
    /// contains. While keys are missing, every protected packet is dropped.
    private mutating func take(
        _ arrival: MediaSockets.Arrival, in bytes: inout MutableSpan<UInt8>, _ port: CallPort, _ terms: PreparedMedia,
        _ context: VoiceContext
    ) {
        let kind = MuxedPacket(classifying: bytes.span.extracting(0..<arrival.count))
        guard case .rtp = kind else {
            return passOn(bytes.span.extracting(0..<arrival.count), kind, arrival, port, terms, context)
        }
        guard latch.admits(arrival.sender) else { return context.counters.strangers.count() }
        var count = arrival.count
        if let keys = terms.borrowedReceiveKeys {
            let opening = keys.use {
                $0.voice.open(count, in: &bytes, mayAllocate: context.opensNewSources, context.counters)
            }
            switch opening {
            case .opened(let length, let newSource):
                count = length
                if let newSource { keys.use { $0.expectControl(from: newSource) } }
            case .rejected: return
            case .unprepared:
                waiting = arrival
                return
            }
        } else if terms.handshake != nil {
            return context.counters.unauthenticated.count()
        }
        let now = arrival.at
        let packet = bytes.span.extracting(0..<count)
        guard let header = try? RTPHeader(parsing: packet), let content = terms.content(of: header.payloadType) else {
            return context.counters.malformed.count()
        }
        latch.confirm(arrival.sender, at: now)
        port.gauges.tellLatched(latch.port, of: addressNumber)
        context.counters.packetsReceived.count()
        if case .voice(let codec) = content { self.codec = codec }
        let isNext = follows(header)
        tell(header, port, context, at: now)
        switch content {
        case .voice(let codec): enqueue(header, codec, of: packet, port, terms, context, at: now)
        case .event: hear(header, of: packet, port, terms, context, at: now)
        case .repeating: unfold(header, of: packet, isNext: isNext, port, terms, context, at: now)
        case .silence: enqueueVoiceless(header, port, terms, context)
        }
    }

    /// Passes a datagram that is no voice to the thread that reads its protocol.
    private func passOn(
        _ datagram: Span<UInt8>, _ kind: MuxedPacket, _ arrival: MediaSockets.Arrival, _ port: CallPort,
        _ terms: PreparedMedia, _ context: VoiceContext
    ) {
        switch kind {
        case .rtcp where terms.isMultiplexed:
            let control = ReceivedControl(sender: arrival.sender, arrival: arrival.at.nanoseconds)
            guard port.control.push(control, copying: datagram) else { return context.counters.overflows.count() }
            context.networkWake?.raise()
        case .dtls:
            guard let handshake = terms.borrowedHandshake else { return context.counters.malformed.count() }
            guard latch.admits(arrival.sender) else { return context.counters.strangers.count() }
            let isTaken = handshake.use { $0.push(datagram, from: arrival.sender) }
            if !isTaken { context.counters.overflows.count() }
        case .stun, .turnChannel:
            // ICE checks the sender on the connector's thread.
            guard let connectivity = port.borrowedConnectivity, let local = arrival.local else {
                return context.counters.malformed.count()
            }
            let isTaken = connectivity.use { $0.push(datagram, .init(sender: arrival.sender, local: local)) }
            if !isTaken { context.counters.overflows.count() }
        case .rtp, .rtcp, .unknown:
            context.counters.malformed.count()
        }
    }

    /// Passes the header to the statistics. The network thread takes it when it has something to report. It is woken
    /// when many wait, or when the far end was silent.
    private func tell(_ header: RTPHeader, _ port: CallPort, _ context: VoiceContext, at now: Instant) {
        let heard = HeardPacket(
            source: header.source, timestamp: header.timestamp, sequence: header.sequence, codec: codec,
            arrival: now.nanoseconds)
        if !port.heard.push(heard) { context.counters.messagesLost.count() }
        if port.heard.count >= CallPort.heardCapacity / 2 || port.gauges.isSilent.load(ordering: .relaxed) {
            context.networkWake?.raise()
        }
    }

    /// Whether this packet directly follows the newest one so far.
    private mutating func follows(_ header: RTPHeader) -> Bool {
        guard let before = newest, before.source == header.source else {
            newest = (header.source, header.sequence)
            return true
        }
        let step = ExtendedSequence.distance(from: before.sequence, to: header.sequence)
        // A packet far behind begins the sequence again (RFC 3550 §A.1).
        if step > 0 || step < -100 { newest?.sequence = header.sequence }
        return step == 1
    }

    /// Receives a telephone event, or a repetition of it.
    private mutating func hear(
        _ header: RTPHeader, of packet: Span<UInt8>, _ port: CallPort, _ terms: PreparedMedia, _ context: VoiceContext,
        at now: Instant
    ) {
        enqueueVoiceless(header, port, terms, context)
        let payload = packet.extracting(header.payload)
        guard let event = events.receive(header, payload: payload, at: now), event != .flash else { return }
        guard allowance.admits(at: now) else { return context.counters.overflows.count() }
        context.tell(.dtmfReceived(call: port.handle, code: event.rawValue))
    }

    /// Passes a packet of voice, or a part of one, to the jitter buffer.
    private mutating func enqueue(
        _ header: RTPHeader, _ codec: VoiceCodec, of packet: Span<UInt8>, _ port: CallPort, _ terms: PreparedMedia,
        _ context: VoiceContext, at now: Instant
    ) {
        guard terms.receives, port.gauges.isHeard.load(ordering: .acquiring) else { return }
        guard let samples = codec.samples(in: packet.extracting(header.payload)) else {
            return context.counters.undecodable.count()
        }
        port.gauges.farPacketSamples.store(samples, ordering: .relaxed)
        let voice = ReceivedVoice(
            header: header.scaled(by: codec.samplesPerTick), ticks: samples, arrival: now.nanoseconds)
        guard port.voice.push(voice, header.payload) else { return context.counters.overflows.count() }
        if !hasHeard {
            hasHeard = true
            context.tell(.firstVoice(call: port.handle))
        }
    }

    /// Passes on a packet without voice, so that the jitter buffer does not count its sequence number as missing.
    private func enqueueVoiceless(
        _ header: RTPHeader, _ port: CallPort, _ terms: PreparedMedia, _ context: VoiceContext
    ) {
        guard terms.receives, port.gauges.isHeard.load(ordering: .acquiring) else { return }
        let voiceless = RTPHeader(
            payloadType: terms.receivePayloadType, sequence: header.sequence, timestamp: 0, source: header.source)
        let packet = ReceivedVoice(header: voiceless, ticks: 0, arrival: 0)
        if !port.voice.push(packet, voiceless.payload) { context.counters.overflows.count() }
    }

    /// Splits a packet that repeats older ones (RFC 2198). Each older block belongs to the packet before that of the
    /// next block. The jitter buffer drops the packets that it already has.
    ///
    /// - Parameter isNext: The packet before this one has arrived, so only the newest block is new.
    private mutating func unfold(
        _ header: RTPHeader, of packet: Span<UInt8>, isNext: Bool, _ port: CallPort, _ terms: PreparedMedia,
        _ context: VoiceContext, at now: Instant
    ) {
        guard let content = try? RedundantPayload(parsing: packet.extracting(header.payload)) else {
            return context.counters.malformed.count()
        }
        for index in 0..<(isNext ? 0 : content.olderCount) {
            let block = content.older(index)
            // Events in older blocks are ignored, because events repeat themselves (RFC 4733 §2.5.1.4).
            guard case .voice(let codec)? = terms.content(of: block.payloadType), block.age > 0, !block.range.isEmpty
            else { continue }
            let older = header.block(
                payloadType: block.payloadType, at: block.range, packetsBefore: content.olderCount - index,
                ticksBefore: block.age)
            enqueue(older, codec, of: packet, port, terms, context, at: now)
        }
        let newest = header.block(payloadType: content.newest.payloadType, at: content.newest.range)
        switch terms.content(of: newest.payloadType) {
        case .voice(let codec): enqueue(newest, codec, of: packet, port, terms, context, at: now)
        case .event: hear(newest, of: packet, port, terms, context, at: now)
        case .repeating, .silence, nil: context.counters.malformed.count()
        }
    }
}

/// Values that `VoiceInput` uses of the thread that has the voice.
struct VoiceContext: Sendable {
    let reports: ThreadQueue<Report>
    let counters: MediaCounters
    /// Wakes the network thread; nil on that thread itself.
    let networkWake: WakeSignal?
    /// Whether the thread may open the first packet of an SSRC. libsrtp then allocates, so the audio thread may not.
    let opensNewSources: Bool

    func tell(_ report: Report) {
        if !reports.send(report) { counters.messagesLost.count() }
    }
}

/// The header of a packet that arrived, for the statistics of the network thread.
struct HeardPacket: BitwiseCopyable, Sendable {
    var source: UInt32 = 0
    /// In the codec's clock.
    var timestamp: UInt32 = 0
    var sequence: UInt16 = 0
    /// The codec of the far end's last voice.
    var codec = VoiceCodec.opus
    /// Nanoseconds of the monotonic clock.
    var arrival: Int64 = 0
}

/// An RTCP datagram that came to the voice's socket, with its bytes beside it.
struct ReceivedControl: BitwiseCopyable, Sendable {
    let sender: TransportAddress
    /// Nanoseconds of the monotonic clock.
    let arrival: Int64
}

/// Limits the digits that a far end may press: one in 40 ms, which is faster than any person. 16 may come at once,
/// because a stalled network delivers several together. Further digits are not reported, so that a flood does not keep
/// the phone busy.
struct DigitAllowance: Sendable {
    private static let interval = Duration.milliseconds(40)
    private static let burst = 16

    /// When all reported digits would have been pressed.
    private var end = Instant.zero

    mutating func admits(at now: Instant) -> Bool {
        let next = max(end, now) + Self.interval
        guard next - now <= Self.interval * Self.burst else { return false }
        end = next
        return true
    }
}
