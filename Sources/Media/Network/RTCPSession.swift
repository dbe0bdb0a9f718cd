import Base
import PhoneCore
import RTPCore
import SoundCore
import Synchronization

/// A call's part on the network thread: statistics of the far end's voice, and reports in both directions.
///
/// It allocates nothing after `init`. libsrtp allocates for each new SSRC, see `ReceiveKeys`.
struct RTCPSession: Sendable {
    private(set) var negotiated: PreparedMedia
    private let source: UInt32
    private var latch: SymmetricRTPLatch
    private var reception = Reception()
    private var inactivity: RTPInactivityTimer
    private var meter: QualityMeter
    private var schedule: RTCPSchedule
    /// The state of the exchange of extended reports.
    private var exchange = ExtendedExchange()
    private var expectedLoss = ExpectedLoss()
    /// The codec of the far end's last voice.
    private var heardCodec: VoiceCodec
    /// The period of the capture device, and the longest delay of the jitter buffer.
    private let capturePeriod: Duration
    private let longestBuffer: Duration
    /// Packets sent when the last report went out.
    private var packetsReported: UInt32 = 0
    private(set) var isActive = false
    /// Whether the network thread has the call's voice, and when it may lend the voice.
    var hasVoice = true
    var lendsFrom = Instant.zero

    init(negotiated: PreparedMedia, source: UInt32, settings: MediaSettings, now: Instant) {
        self.negotiated = negotiated
        self.source = source
        heardCodec = negotiated.codec
        capturePeriod = .milliseconds(settings.periodMilliseconds)
        longestBuffer = settings.longestBuffer
        latch = SymmetricRTPLatch(
            agreed: negotiated.control, isAuthenticated: negotiated.isProtected, hasPath: negotiated.negotiatesPath)
        inactivity = RTPInactivityTimer(timeout: settings.silenceAfter)
        meter = QualityMeter(start: now)
        schedule = RTCPSchedule(start: now, random: .random(in: 0...UInt32.max))
    }

    /// Statistics of the far end's voice, after two of its packets came in order.
    private var statistics: ReceptionStatistics? { reception.statistics }

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
        if next.control != negotiated.control || isOther {
            latch = latch.moved(
                to: next.control, isAuthenticated: next.isProtected, hasPath: next.negotiatesPath, at: now)
        }
        if !next.formats.contains(heardCodec) { hear(next.codec) }
        negotiated = next
        if isActive { inactivity.expect(next.receives ? .voice : .reports, at: now) }
    }

    /// Takes the headers of the packets that arrived.
    mutating func takeHeard(_ port: CallPort, _ context: NetworkContext) {
        while let packet = port.heard.pop() {
            hear(packet.codec)
            let header = RTPHeader(
                payloadType: 0, sequence: packet.sequence, timestamp: packet.timestamp, source: packet.source)
            let arrival = Instant(nanoseconds: packet.arrival)
            reception.receive(header, clockRate: heardCodec.clockRate, at: arrival)
            arrived(.voice, port, context, at: arrival)
        }
    }

    /// The far end's voice has this codec from now on. Jitter is measured in the RTP clock, so another clock rate
    /// restarts the statistics (RFC 7160).
    private mutating func hear(_ codec: VoiceCodec) {
        if codec.clockRate != heardCodec.clockRate { reception = Reception() }
        heardCodec = codec
    }

    private mutating func arrived(
        _ sign: RTPInactivityTimer.Sign, _ port: CallPort, _ context: NetworkContext, at now: Instant
    ) {
        guard inactivity.arrived(sign, at: now) == .heard else { return }
        port.gauges.isSilent.store(false, ordering: .relaxed)
        context.tell(.heard(call: port.handle))
    }

    /// Receives one datagram of the control socket, in the first `count` bytes.
    mutating func receive(
        _ count: Int, from sender: TransportAddress, in bytes: inout MutableSpan<UInt8>, _ port: CallPort,
        _ context: NetworkContext, at now: Instant
    ) {
        guard case .dtls = MuxedPacket(classifying: bytes.span.extracting(0..<count)) else {
            return receiveReports(count, from: sender, in: &bytes, port, context, at: now)
        }
        guard let handshake = negotiated.borrowedControlHandshake else { return context.counters.malformed.count() }
        guard latch.admits(sender) else { return context.counters.strangers.count() }
        let isTaken = handshake.use { $0.push(bytes.span.extracting(0..<count), from: sender) }
        if !isTaken { context.counters.overflows.count() }
    }

    /// Receives the RTCP that came to the voice's socket.
    mutating func receiveMultiplexed(
        in bytes: inout MutableSpan<UInt8>, _ port: CallPort, _ context: NetworkContext
    ) {
        var next: (count: Int, control: ReceivedControl)?
        while port.control.pop({ control, datagram in
            next = (datagram.count, control)
            for index in datagram.indices { bytes[index] = datagram[index] }
        }) {
            guard let (count, control) = next else { return }
            let arrival = Instant(nanoseconds: control.arrival)
            receiveReports(count, from: control.sender, in: &bytes, port, context, at: arrival)
        }
    }

    /// Receives one datagram of RTCP packets, from either socket.
    private mutating func receiveReports(
        _ count: Int, from sender: TransportAddress, in bytes: inout MutableSpan<UInt8>, _ port: CallPort,
        _ context: NetworkContext, at now: Instant
    ) {
        guard latch.admits(sender) else { return context.counters.strangers.count() }
        guard let length = open(count, in: &bytes, context) else { return }
        let compound = bytes.span.extracting(0..<length)
        var reader = RTCPReader()
        var isGood = false
        do {
            while let packet = try reader.next(in: compound) {
                isGood = true
                read(packet, in: compound, port, at: now)
            }
        } catch {
            context.counters.malformed.count()
        }
        guard isGood else { return }
        latch.confirm(sender, at: now)
        context.counters.reportsReceived.count()
        arrived(.reports, port, context, at: now)
    }

    /// Removes the protection in place, if there is any. Drops every packet while its keys are missing.
    /// - Returns: The remaining length; nil for a rejected packet. Rejected packets are counted.
    private func open(_ count: Int, in bytes: inout MutableSpan<UInt8>, _ context: NetworkContext) -> Int? {
        guard let keys = negotiated.borrowedControlReceiveKeys else {
            guard negotiated.handshake != nil else { return count }
            context.counters.unauthenticated.count()
            return nil
        }
        guard case .opened(let length, _) = keys.use({ $0.control.open(count, in: &bytes, context.counters) }) else {
            return nil
        }
        return length
    }

    private mutating func read(_ packet: RTCPPacket, in compound: Span<UInt8>, _ port: CallPort, at now: Instant) {
        switch packet {
        case .senderReport(let source, let information, let blocks):
            reception.receive(information, from: source, at: now)
            read(blocks, in: compound, port, at: now)
        case .receiverReport(_, let blocks):
            read(blocks, in: compound, port, at: now)
        case .extendedReport(let sender, let blocks):
            let trip = exchange.receive(blocks, from: sender, about: source, in: compound, at: now)
            if let trip { meter.roundTrip = trip }
        case .sourceDescription, .goodbye, .other:
            // An RTCP BYE ends nothing here, because signalling ends calls.
            break
        }
    }

    private mutating func read(_ blocks: ReportBlocks, in compound: Span<UInt8>, _ port: CallPort, at now: Instant) {
        guard let block = blocks.block(about: source, in: compound) else { return }
        if let trip = NTPTime.roundTrip(of: block, at: now) { meter.roundTrip = trip }
        expectedLoss.learn(fractionLost: block.fractionLost)
        port.gauges.expectedLossPercent.store(expectedLoss.percent, ordering: .relaxed)
    }

    /// Does what is due without a packet: reports silence and quality, and sends our RTCP report.
    mutating func tick(_ out: inout MutableSpan<UInt8>, _ port: CallPort, _ context: NetworkContext, at now: Instant) {
        guard negotiated.isReported else { return }
        if inactivity.check(at: now) == .silent {
            port.gauges.isSilent.store(true, ordering: .relaxed)
            context.tell(.silent(call: port.handle))
        }
        if now >= meter.due {
            var figures = meter.measure(heardCodec, statistics, port.gauges, delay(port), at: now)
            figures.farOpinionScore = exchange.farMetrics?.conversationalScore.map { Float($0) / 10 }
            context.tell(.quality(call: port.handle, figures))
        }
        if schedule.isDue(at: now, random: .random(in: 0...UInt32.max)) {
            sendReport(&out, port, context, isGoodbye: false, at: now)
        }
    }

    /// Sends a sender report if we have sent since the last report, else a receiver report (RFC 3550 §6.4).
    mutating func sendReport(
        _ out: inout MutableSpan<UInt8>, _ port: CallPort, _ context: NetworkContext, isGoodbye: Bool, at now: Instant
    ) {
        guard negotiated.mayReport else { return }
        var writer = RTCPWriter()
        let block = reception.reportBlock(at: now)
        if let information = port.gauges.senderInformation(of: negotiated.codec, at: now),
            information.packets != packetsReported
        {
            packetsReported = information.packets
            writer.appendSenderReport(source: source, information, block: block, to: &out)
        } else {
            writer.appendReceiverReport(source: source, block: block, to: &out)
        }
        writer.appendSourceDescription(source: source, canonicalName: context.canonicalName.span, to: &out)
        writer.appendExtendedReport(source: source, extendedReport(port, at: now), to: &out)
        if isGoodbye { writer.appendGoodbye(source: source, to: &out) }
        send(writer.count, of: &out, port, context)
    }

    private func send(_ count: Int, of out: inout MutableSpan<UInt8>, _ port: CallPort, _ context: NetworkContext) {
        var length = count
        if let keys = negotiated.borrowedControlSendKeys {
            guard let protected = keys.use({ try? $0.control.protectControl(&out, count: count) }) else {
                return context.counters.sendFailures.count()
            }
            length = protected
        }
        let packet = out.span.extracting(0..<length)
        let fault: Int32?
        if negotiated.isMultiplexed {
            fault = Borrowed(negotiated).use { port.send(packet, $0, isReport: true) }
        } else {
            var peer = negotiated.control
            if let known = latch.port { peer.port = known }
            fault = port.sockets.send(packet, on: port.sockets.control, to: peer)
        }
        if fault == nil { context.counters.reportsSent.count() } else { context.counters.sendFailures.count() }
    }
}

extension RTCPSession {
    /// The extended report that the far end asked for, with an answer to its reference time if it sent one (RFC 3611
    /// §4.5).
    mutating func extendedReport(_ port: CallPort, at now: Instant) -> ExtendedReport {
        var report = ExtendedReport()
        report.delay = exchange.answer(at: now)
        guard let requested = negotiated.reports else { return report }
        if requested.roundTrip { report.referenceTime = NTPTime(now) }
        if requested.loss || requested.duplicates || requested.jitter {
            report.summary = reception.summary()
            if !requested.loss { report.summary?.lost = nil }
            if !requested.duplicates { report.summary?.duplicates = nil }
            if !requested.jitter { report.summary?.jitter = nil }
        }
        if requested.voice, let heard = statistics?.source {
            report.voice = VoIPMetrics(
                source: heard, port.gauges.pattern.load(),
                packet: Self.time(of: port.gauges.farPacketSamples.load(ordering: .relaxed)),
                codec: heardCodec.robustness, delay: delay(port), longestBuffer: longestBuffer)
        }
        return report
    }

    /// The mouth-to-ear delay at this moment.
    func delay(_ port: CallPort) -> MouthToEarDelay {
        let gauges = port.gauges
        return MouthToEarDelay(
            roundTrip: meter.roundTrip,
            capture: capturePeriod + Self.time(of: negotiated.packetSamples),
            buffer: .microseconds(max(0, gauges.bufferMicroseconds.load(ordering: .relaxed))),
            playback: .microseconds(gauges.playbackMicroseconds.load(ordering: .relaxed)))
    }

    private static func time(of samples: Int) -> Duration {
        .microseconds(samples * 1_000 / SoundFormat.samplesPerMillisecond)
    }
}
