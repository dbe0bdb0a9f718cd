import Base
import Glibc
import RTPCore
import Synchronization

/// A call's part on the network thread: checks senders, receives packets and sends reports.
///
/// Its own code allocates nothing after `init`. libsrtp allocates for each new SSRC, see `ReceiveKeys`.
struct RTPSession: Sendable {
    var negotiated: PreparedMedia
    let source: UInt32
    var latch: SymmetricRTPLatch
    var controlLatch: SymmetricRTPLatch
    var reception = Reception()
    var inactivity: RTPInactivityTimer
    var meter: QualityMeter
    var schedule: RTCPSchedule
    /// The state of the exchange of extended reports.
    var exchange = ExtendedExchange()
    var expectedLoss = ExpectedLoss()
    var watch = SendWatch()
    /// Samples per packet of the far end.
    var packetSamples: Int
    /// The codec of the far end's last voice.
    private(set) var heardCodec: VoiceCodec
    /// The period of the capture device, and the longest delay of the jitter buffer.
    let capturePeriod: Duration
    let longestBuffer: Duration
    /// Packets sent when the last report went out.
    var packetsReported: UInt32 = 0
    private var events = TelephoneEventReceiver()
    private var allowance = DigitAllowance()
    private var hasHeard = false
    private var isActive = false

    init(negotiated: PreparedMedia, source: UInt32, settings: MediaSettings, now: Instant) {
        self.negotiated = negotiated
        self.source = source
        packetSamples = negotiated.packetSamples
        heardCodec = negotiated.codec
        capturePeriod = .milliseconds(settings.periodMilliseconds)
        longestBuffer = settings.longestBuffer
        latch = Self.latch(negotiated, negotiated.voice)
        controlLatch = Self.latch(negotiated, negotiated.control)
        inactivity = RTPInactivityTimer(timeout: settings.silenceAfter)
        meter = QualityMeter(start: now)
        schedule = RTCPSchedule(start: now, random: .random(in: 0...UInt32.max))
    }

    /// Statistics of the far end's voice, after two of its packets came in order.
    var statistics: ReceptionStatistics? { reception.statistics }

    /// The next time at which something is due without a packet. Nil: never.
    var deadline: Instant? {
        guard negotiated.isReported else { return nil }
        let next = min(schedule.due, meter.due)
        return inactivity.deadline.map { min($0, next) } ?? next
    }

    mutating func activate(at now: Instant) {
        isActive = true
        guard negotiated.isReported else { return }
        inactivity.expect(negotiated.receives ? .voice : .reports, at: now)
    }

    /// Applies other terms to the same call. SSRC and sequence numbers continue. The latch starts again for a new
    /// address.
    mutating func agree(_ next: PreparedMedia, at now: Instant) {
        let isOther =
            next.isProtected != negotiated.isProtected || next.negotiatesPath != negotiated.negotiatesPath
        if next.voice != negotiated.voice || isOther {
            latch = latch.moved(
                to: next.voice, isAuthenticated: next.isProtected, hasPath: next.negotiatesPath, at: now)
        }
        if next.control != negotiated.control || isOther {
            controlLatch = controlLatch.moved(
                to: next.control, isAuthenticated: next.isProtected, hasPath: next.negotiatesPath, at: now)
        }
        if !next.formats.contains(heardCodec) { hear(next.codec) }
        negotiated = next
        if isActive { inactivity.expect(next.receives ? .voice : .reports, at: now) }
    }

    /// Receives one datagram of the voice socket, in the first `count` bytes.
    /// - Parameter local: The local address that received it, if known.
    mutating func receiveVoice(
        _ count: Int, from sender: PeerAddress, at local: PeerAddress?, in bytes: inout MutableSpan<UInt8>,
        _ call: CallMedia,
        _ context: NetworkContext, at now: Instant
    ) {
        switch MuxedPacket(classifying: bytes.span.extracting(0..<count)) {
        case .rtp:
            guard latch.admits(sender) else { return context.counters.strangers.count() }
            guard let length = unprotect(count, of: .voice, in: &bytes, context) else { return }
            accept(bytes.span.extracting(0..<length), from: sender, call, context, at: now)
        case .rtcp where negotiated.isMultiplexed:
            receiveControl(count, from: sender, in: &bytes, call, context, at: now)
        case .dtls: receiveHandshake(bytes.span.extracting(0..<count), from: sender, context)
        case .stun, .turnChannel:
            receiveConnectivity(bytes.span.extracting(0..<count), from: sender, at: local, call, context)
        case .rtcp, .unknown:
            context.counters.malformed.count()
        }
    }

    /// Passes a STUN or TURN datagram to the connector's thread. ICE checks its sender there.
    private func receiveConnectivity(
        _ datagram: Span<UInt8>, from sender: PeerAddress, at local: PeerAddress?, _ call: CallMedia,
        _ context: NetworkContext
    ) {
        guard let connectivity = call.borrowedConnectivity, let local else { return context.counters.malformed.count() }
        if !connectivity.use({ $0.push(datagram, .init(sender: sender, local: local)) }) {
            context.counters.overflows.count()
        }
    }

    /// Receives packets that our TURN server relayed.
    mutating func receiveRelayed(
        in bytes: inout MutableSpan<UInt8>, _ call: CallMedia, _ context: NetworkContext, at now: Instant
    ) {
        guard let connectivity = call.borrowedConnectivity else { return }
        var count = 0
        while connectivity.use({ connectivity in
            connectivity.incoming.pop { _, packet in
                count = packet.count
                for index in packet.indices { bytes[index] = packet[index] }
            }
        }) {
            receiveVoice(count, from: negotiated.voice, at: nil, in: &bytes, call, context, at: now)
        }
    }

    /// Passes a DTLS datagram to the connector's thread.
    private func receiveHandshake(_ datagram: Span<UInt8>, from sender: PeerAddress, _ context: NetworkContext) {
        guard let handshake = negotiated.borrowedHandshake else { return context.counters.malformed.count() }
        guard latch.admits(sender) else { return context.counters.strangers.count() }
        if !handshake.use({ $0.push(datagram, from: sender) }) { context.counters.overflows.count() }
    }

    /// Removes the protection in place, if there is any. Drops every packet while its keys are missing.
    /// - Returns: The remaining length; nil for a rejected packet. Rejected packets are counted.
    func unprotect(
        _ count: Int, of kind: ReceiveKeys.Kind, in bytes: inout MutableSpan<UInt8>, _ context: NetworkContext
    ) -> Int? {
        let keys = kind == .voice ? negotiated.borrowedReceiveKeys : negotiated.borrowedControlReceiveKeys
        guard let keys else {
            guard negotiated.handshake != nil else { return count }
            context.counters.unauthenticated.count()
            return nil
        }
        return keys.use { $0.unprotect(count, of: kind, in: &bytes, context) }
    }

    private mutating func accept(
        _ packet: Span<UInt8>, from sender: PeerAddress, _ call: CallMedia, _ context: NetworkContext, at now: Instant
    ) {
        guard let header = try? RTPHeader(parsing: packet) else { return context.counters.malformed.count() }
        guard let content = negotiated.content(of: header.payloadType) else {
            return context.counters.malformed.count()
        }
        latch.confirm(sender, at: now)
        context.counters.packetsReceived.count()
        if content == .voice, let codec = negotiated.formats.codec(of: header.payloadType) { hear(codec) }
        let isNext = follows(header)
        reception.receive(header, clockRate: heardCodec.clockRate, at: now)
        if inactivity.arrived(.voice, at: now) == .heard { context.tell(.heard(call: call.handle)) }
        let payload = packet.extracting(header.payload)
        switch content {
        case .voice: enqueue(header, payload, call, context, at: now)
        case .event: hear(header, payload, call, context, at: now)
        case .repeating: unfold(header, payload, isNext: isNext, call, context, at: now)
        case .silence: enqueueVoiceless(header, call, context)
        }
    }

    /// The far end's voice has this codec from now on. Jitter is measured in the RTP clock, so another clock rate
    /// restarts the statistics (RFC 7160).
    private mutating func hear(_ codec: VoiceCodec) {
        if codec.clockRate != heardCodec.clockRate { reception = Reception() }
        heardCodec = codec
    }

    /// Receives a telephone event, or a repetition of it.
    mutating func hear(
        _ header: RTPHeader, _ payload: Span<UInt8>, _ call: CallMedia, _ context: NetworkContext, at now: Instant
    ) {
        enqueueVoiceless(header, call, context)
        guard let event = events.receive(header, payload: payload, at: now), event != .flash else { return }
        guard allowance.admits(at: now) else { return context.counters.overflows.count() }
        context.tell(.dtmfReceived(call: call.handle, code: event.rawValue))
    }

    /// Whether this packet directly follows the newest one so far.
    private func follows(_ header: RTPHeader) -> Bool {
        guard let statistics, statistics.source == header.source else { return true }
        return header.sequence == UInt16(truncatingIfNeeded: statistics.extendedHighest) &+ 1
    }

    mutating func enqueue(
        _ header: RTPHeader, _ payload: Span<UInt8>, _ call: CallMedia, _ context: NetworkContext, at now: Instant
    ) {
        guard negotiated.receives, call.gauges.isHeard.load(ordering: .acquiring) else { return }
        guard let codec = negotiated.formats.codec(of: header.payloadType), let samples = codec.samples(in: payload)
        else { return context.counters.undecodable.count() }
        packetSamples = samples
        let entry = VoiceHeader(
            payloadType: header.payloadType, sequence: header.sequence,
            timestamp: header.timestamp &* UInt32(codec.samplesPerTick), source: header.source,
            ticks: samples, arrival: now.nanoseconds)
        guard call.rxQueue.push(entry, payload: payload) else { return context.counters.overflows.count() }
        if !hasHeard {
            hasHeard = true
            context.tell(.firstVoice(call: call.handle))
        }
    }

    /// Passes on a packet without voice, so that the jitter buffer does not count its sequence number as missing.
    private func enqueueVoiceless(_ header: RTPHeader, _ call: CallMedia, _ context: NetworkContext) {
        guard negotiated.receives, call.gauges.isHeard.load(ordering: .acquiring) else { return }
        let entry = VoiceHeader(
            payloadType: negotiated.receivePayloadType, sequence: header.sequence, source: header.source)
        if !call.rxQueue.push(entry, payload: Span()) { context.counters.overflows.count() }
    }

    private static func latch(_ negotiated: PreparedMedia, _ address: PeerAddress) -> SymmetricRTPLatch {
        SymmetricRTPLatch(
            agreed: address, isAuthenticated: negotiated.isProtected, hasPath: negotiated.negotiatesPath)
    }
}

extension RTPSession {
    /// Protects and sends the packets that the audio thread made. Drops them while keys or a path are missing.
    mutating func send(
        _ call: CallMedia, _ out: inout MutableSpan<UInt8>, _ context: NetworkContext, at now: Instant
    ) {
        var peer = negotiated.voice
        if let port = latch.port { peer.port = port }
        var count = 0
        while call.txQueue.pop({ _, packet in
            count = packet.count
            for index in packet.indices { out[index] = packet[index] }
        }) {
            guard negotiated.mayExchange else { continue }
            send(count, of: &out, to: peer, call, context, at: now)
        }
    }

    private mutating func send(
        _ count: Int, of out: inout MutableSpan<UInt8>, to peer: PeerAddress, _ call: CallMedia,
        _ context: NetworkContext, at now: Instant
    ) {
        var length = count
        if let keys = negotiated.borrowedSendKeys {
            guard let protected = keys.use({ try? $0.session.protect(&out, count: count) }) else {
                return context.counters.sendFailures.count()
            }
            length = protected
        }
        let fault = transmit(out.span.extracting(0..<length), to: peer, call)
        if fault == nil { context.counters.packetsSent.count() } else { context.counters.sendFailures.count() }
        switch watch.packet(fault, at: now) {
        case .failing(let code)?: context.tell(.sendingFailed(call: call.handle, code: code))
        case .sending?: context.tell(.sendingResumed(call: call.handle))
        case nil: break
        }
    }

    /// Sends a packet from the voice's socket: on ICE's path, if there is one, or to the negotiated address.
    /// - Returns: The error number, if it was not sent.
    func transmit(_ packet: Span<UInt8>, to peer: PeerAddress, _ call: CallMedia) -> Int32? {
        guard let path = negotiated.path else { return call.sockets.send(packet, on: call.sockets.voice, to: peer) }
        guard path.isRelayed, let connectivity = call.borrowedConnectivity else {
            return call.sockets.send(packet, on: call.sockets.descriptor(at: path.local), to: peer, from: path.local)
        }
        return connectivity.use { $0.relay(packet) } ? nil : ENOBUFS
    }
}

extension RTPSession {
    /// Splits a packet that repeats older ones (RFC 2198). Each older block belongs to the packet before that of the
    /// next block. The jitter buffer drops the packets that it already has.
    ///
    /// - Parameter isNext: The packet before this one has arrived, so only the newest block is new.
    mutating func unfold(
        _ header: RTPHeader, _ payload: Span<UInt8>, isNext: Bool, _ call: CallMedia, _ context: NetworkContext,
        at now: Instant
    ) {
        guard let content = try? RedundantPayload(parsing: payload) else { return context.counters.malformed.count() }
        for index in 0..<(isNext ? 0 : content.olderCount) {
            let block = content.older(index)
            // Events in older blocks are ignored, because events repeat themselves (RFC 4733 §2.5.1.4).
            guard negotiated.content(of: block.payloadType) == .voice, block.age > 0, !block.range.isEmpty else {
                continue
            }
            let older = RTPHeader(
                payloadType: block.payloadType, sequence: header.sequence &- UInt16(content.olderCount - index),
                timestamp: header.timestamp &- block.age, source: header.source)
            enqueue(older, payload.extracting(block.range), call, context, at: now)
        }
        let newest = RTPHeader(
            payloadType: content.newest.payloadType, sequence: header.sequence, timestamp: header.timestamp,
            source: header.source, marker: header.marker)
        let bytes = payload.extracting(content.newest.range)
        switch negotiated.content(of: newest.payloadType) {
        case .voice: enqueue(newest, bytes, call, context, at: now)
        case .event: hear(newest, bytes, call, context, at: now)
        case .repeating, .silence, nil: context.counters.malformed.count()
        }
    }
}
