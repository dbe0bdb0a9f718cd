import Base
import PhoneCore
import RTPCore
import SoundCore
import Synchronization

extension RTPSession {
    /// Receives one datagram of the control socket, in the first `count` bytes.
    /// - Parameter local: The local address that received it, if known.
    mutating func receiveAtControlPort(
        _ count: Int, from sender: PeerAddress, at local: PeerAddress?, in bytes: inout MutableSpan<UInt8>,
        _ call: CallMedia, _ context: NetworkContext, at now: Instant
    ) {
        if negotiated.usesControlPort {
            return receiveVoice(count, from: sender, at: local, in: &bytes, call, context, at: now)
        }
        guard case .dtls = MuxedPacket(classifying: bytes.span.extracting(0..<count)) else {
            return receiveControl(count, from: sender, in: &bytes, call, context, at: now)
        }
        guard let handshake = negotiated.borrowedControlHandshake else { return context.counters.malformed.count() }
        guard controlLatch.admits(sender) else { return context.counters.strangers.count() }
        let isTaken = handshake.use { $0.push(bytes.span.extracting(0..<count), from: sender) }
        if !isTaken { context.counters.overflows.count() }
    }

    /// Receives one datagram of RTCP packets, from either socket.
    mutating func receiveControl(
        _ count: Int, from sender: PeerAddress, in bytes: inout MutableSpan<UInt8>, _ call: CallMedia,
        _ context: NetworkContext, at now: Instant
    ) {
        guard controlLatch.admits(sender) else { return context.counters.strangers.count() }
        guard let length = unprotect(count, of: .control, in: &bytes, context) else { return }
        let compound = bytes.span.extracting(0..<length)
        var reader = RTCPReader()
        var isGood = false
        do {
            while let packet = try reader.next(in: compound) {
                isGood = true
                read(packet, in: compound, call, at: now)
            }
        } catch {
            context.counters.malformed.count()
        }
        guard isGood else { return }
        controlLatch.confirm(sender, at: now)
        context.counters.reportsReceived.count()
        if inactivity.arrived(.reports, at: now) == .heard { context.tell(.heard(call: call.handle)) }
    }

    private mutating func read(_ packet: RTCPPacket, in compound: Span<UInt8>, _ call: CallMedia, at now: Instant) {
        switch packet {
        case .senderReport(let source, let information, let blocks):
            reception.receive(information, from: source, at: now)
            read(blocks, in: compound, call, at: now)
        case .receiverReport(_, let blocks):
            read(blocks, in: compound, call, at: now)
        case .extendedReport(let sender, let blocks):
            let trip = exchange.receive(blocks, from: sender, about: source, in: compound, at: now)
            if let trip { meter.roundTrip = trip }
        case .sourceDescription, .goodbye, .other:
            // An RTCP BYE ends nothing here, because signalling ends calls.
            break
        }
    }

    private mutating func read(_ blocks: ReportBlocks, in compound: Span<UInt8>, _ call: CallMedia, at now: Instant) {
        guard let block = blocks.block(about: source, in: compound) else { return }
        if let trip = NTPTime.roundTrip(of: block, at: now) { meter.roundTrip = trip }
        expectedLoss.learn(fractionLost: block.fractionLost)
        call.gauges.expectedLossPercent.store(expectedLoss.percent, ordering: .relaxed)
    }

    /// Does what is due without a packet: reports silence and quality, and sends our RTCP report.
    mutating func tick(_ out: inout MutableSpan<UInt8>, _ call: CallMedia, _ context: NetworkContext, at now: Instant) {
        guard negotiated.isReported else { return }
        if inactivity.check(at: now) == .silent { context.tell(.silent(call: call.handle)) }
        if now >= meter.due {
            var figures = meter.measure(heardCodec, statistics, call.gauges, delay(call), at: now)
            figures.farOpinionScore = exchange.farMetrics?.conversationalScore.map { Float($0) / 10 }
            context.tell(.quality(call: call.handle, figures))
        }
        if schedule.isDue(at: now, random: .random(in: 0...UInt32.max)) {
            sendReport(&out, call, context, isGoodbye: false, at: now)
        }
    }

    /// Sends a sender report if we have sent since the last report, else a receiver report (RFC 3550 §6.4).
    mutating func sendReport(
        _ out: inout MutableSpan<UInt8>, _ call: CallMedia, _ context: NetworkContext, isGoodbye: Bool, at now: Instant
    ) {
        guard negotiated.mayReport else { return }
        var writer = RTCPWriter()
        let block = reception.reportBlock(at: now)
        if let information = call.gauges.senderInformation(of: negotiated.codec, at: now),
            information.packets != packetsReported
        {
            packetsReported = information.packets
            writer.appendSenderReport(source: source, information, block: block, to: &out)
        } else {
            writer.appendReceiverReport(source: source, block: block, to: &out)
        }
        writer.appendSourceDescription(source: source, canonicalName: context.canonicalName.span, to: &out)
        writer.appendExtendedReport(source: source, extendedReport(call, at: now), to: &out)
        if isGoodbye { writer.appendGoodbye(source: source, to: &out) }
        send(writer.count, of: &out, call, context)
    }

    private func send(_ count: Int, of out: inout MutableSpan<UInt8>, _ call: CallMedia, _ context: NetworkContext) {
        var length = count
        if let keys = negotiated.borrowedControlSendKeys {
            guard let protected = keys.use({ try? $0.session.protectControl(&out, count: count) }) else {
                return context.counters.sendFailures.count()
            }
            length = protected
        }
        var peer = negotiated.control
        if let port = negotiated.isMultiplexed ? latch.port : controlLatch.port { peer.port = port }
        let packet = out.span.extracting(0..<length)
        let fault =
            negotiated.isMultiplexed
            ? transmit(packet, to: peer, call) : call.sockets.send(packet, on: call.sockets.control, to: peer)
        if fault == nil { context.counters.reportsSent.count() } else { context.counters.sendFailures.count() }
    }
}

extension RTPSession {
    /// The extended report that the far end asked for, with an answer to its reference time if it sent one (RFC 3611
    /// §4.5).
    mutating func extendedReport(_ call: CallMedia, at now: Instant) -> ExtendedReport {
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
                source: heard, call.gauges.pattern.load(), packet: Self.time(of: packetSamples),
                codec: heardCodec.robustness, delay: delay(call), longestBuffer: longestBuffer)
        }
        return report
    }

    /// The mouth-to-ear delay at this moment.
    func delay(_ call: CallMedia) -> MouthToEarDelay {
        let gauges = call.gauges
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
