import Base
import PhoneCore
import Platform
import RTPCore
import SoundCore
import Synchronization

/// The path of voice from the microphone to the socket: gate, framing, encoder, RTP, SRTP. In a conference the other
/// far ends are mixed in between gate and framing. For the audio thread: allocates nothing after `init`.
struct VoiceSender: ~Copyable {
    /// The longest frame is 60 ms.
    private static let frameLimit = 60 * SoundFormat.samplesPerMillisecond
    /// The longest packet before protection.
    private static let packetLimit = RTPHeader.size + VoiceEncoder.packetLimit

    private var encoder: VoiceEncoder
    private var rtp: RTPSender
    /// The gate is closed until the first samples set it, so that a call that begins muted sends no sound.
    private var gate = GainRamp(gain: GainRamp.closed)
    private var digits = DigitSender()
    private let frame = Workspace<Int16>(count: frameLimit, filler: 0)
    private var filled = 0
    /// The packet, with room for its protection.
    private let packet = Workspace<UInt8>(count: packetLimit + SRTPSession.overhead, filler: 0)
    private var watch = SendWatch()
    /// The frame to repeat with the next one, if the far end supports that and reports loss.
    private var last = RepeatedFrame()
    /// Samples per tick of the codec's clock.
    private var tick = 1
    /// Samples that were not sent and are less than a tick.
    private var unsaid = 0

    init(source: UInt32, settings: MediaSettings) throws(MediaError) {
        self.init(source: source, encoder: try VoiceEncoder(complexity: settings.opusComplexity))
    }

    // Swift 6.2 destroys initialised fields twice when an initialiser of a noncopyable type fails. This one cannot
    // fail.
    private init(source: UInt32, encoder: consuming VoiceEncoder) {
        self.encoder = encoder
        // The beginning of a stream must be unpredictable (RFC 3550 §5.1). A first sequence number in the lower half
        // keeps early losses from being taken for a rollover (RFC 3711 §3.3.1).
        rtp = RTPSender(
            source: source, firstSequence: .random(in: 0..<0x8000), firstTimestamp: .random(in: 0...UInt32.max))
    }

    /// Applies the first or changed terms. Sequence numbers and timestamps continue.
    mutating func apply(_ negotiated: PreparedMedia) {
        encoder.use(negotiated)
        (tick, unsaid) = (negotiated.codec.samplesPerTick, 0)
        digits.use(negotiated.events)
        last.forget()
        filled = 0
    }

    /// Closes the gate until the next samples set it.
    mutating func closeGate() { gate = GainRamp(gain: GainRamp.closed) }

    /// Mutes the microphone, or not, and applies the far ends' volume. The far end hears the result.
    mutating func gate(_ samples: inout MutableSpan<Int16>, on port: CallPort, _ context: AudioContext) {
        let isOpen = port.gauges.microphoneIsOpen.load(ordering: .relaxed)
        gate.apply(isOpen ? context.volume.farEnds : GainRamp.closed, to: &samples)
    }

    /// Takes samples, at most one packet, and sends each complete packet.
    /// - Returns: True when the last digit of a sequence was sent.
    mutating func send(
        _ samples: Span<Int16>, on port: CallPort, _ negotiated: PreparedMedia, _ context: AudioContext,
        at now: Instant
    ) -> Bool {
        var hasEnded = false
        var place = 0
        while place < samples.count {
            let count = min(samples.count - place, negotiated.packetSamples - filled)
            let part = samples.extracting(place..<place + count)
            frame.write(filled..<filled + count) { for index in part.indices { $0[index] = part[index] } }
            place += count
            filled += count
            guard filled == negotiated.packetSamples else { break }
            filled = 0
            if ship(on: port, negotiated, context, at: now) { hasEnded = true }
        }
        return hasEnded
    }

    /// Skips this many samples without sending them. A partly collected packet is dropped, too.
    mutating func rest(_ samples: Int) {
        let passed = (unsaid + filled + samples).quotientAndRemainder(dividingBy: tick)
        rtp.pause(ticks: passed.quotient)
        (filled, unsaid) = (0, passed.remainder)
    }

    private mutating func ship(
        on port: CallPort, _ negotiated: PreparedMedia, _ context: AudioContext, at now: Instant
    ) -> Bool {
        let count = negotiated.packetSamples
        guard negotiated.sends else {
            rtp.pause(ticks: count / tick)
            return false
        }
        respond(to: port.gauges.expectedLossPercent.load(ordering: .relaxed))
        let (action, hasEnded) = frame.write(0..<count) { sound in
            digits.next(&sound, timestamp: rtp.timestamp, from: port.digits, tones: context.tones)
        }
        if let length = write(action, negotiated, samples: count) {
            transmit(length, on: port, negotiated, context, at: now)
            port.gauges.publish(rtp, at: now)
        }
        return hasEnded
    }

    /// Protects and sends the packet. Drops it while keys or a path are missing.
    private mutating func transmit(
        _ count: Int, on port: CallPort, _ negotiated: PreparedMedia, _ context: AudioContext, at now: Instant
    ) {
        guard negotiated.mayExchange else { return }
        var length = count
        if let keys = negotiated.borrowedSendKeys {
            let protected = packet.write(packet.all) { bytes in
                keys.use { try? $0.voice.protect(&bytes, count: count) }
            }
            guard let protected else { return context.counters.sendFailures.count() }
            length = protected
        }
        let fault = packet.read(0..<length) { port.send($0, negotiated, isReport: false) }
        if fault == nil { context.counters.packetsSent.count() } else { context.counters.sendFailures.count() }
        switch watch.packet(fault, at: now) {
        case .failing(let code)?: context.tell(.sendingFailed(call: port.handle, code: code))
        case .sending?: context.tell(.sendingResumed(call: port.handle))
        case nil: break
        }
    }

    /// Builds the packet for the frame.
    /// - Returns: Its length.
    private mutating func write(_ action: DigitSender.Action, _ negotiated: PreparedMedia, samples: Int) -> Int? {
        switch action {
        case .sound, .tone:
            return writeVoice(negotiated, samples: samples)
        case .event(let event, let timestamp, let marker):
            let header = rtp.nextEvent(
                payloadType: negotiated.events?.sendPayloadType ?? 0, timestamp: timestamp, marker: marker)
            packet.write(packet.all) { bytes in
                header.write(into: &bytes)
                event.write(into: &bytes, at: RTPHeader.size)
            }
            rtp.pause(ticks: samples / tick)
            return header.payload.upperBound
        }
    }

    /// Writes the frame and, where loss is expected, the previous frame before it.
    private mutating func writeVoice(_ negotiated: PreparedMedia, samples: Int) -> Int? {
        var (payloadType, repeated) = (negotiated.sendPayloadType, 0)
        if encoder.response == .repair, let redundancy = negotiated.redundancy {
            repeated = last.length(before: rtp, payloadType: payloadType)
            if repeated > 0 { payloadType = redundancy.sendPayloadType }
        }
        let start = RTPHeader.size + repeated
        guard let length = encode(samples, at: start) else {
            rtp.pause(ticks: samples / tick)
            return nil
        }
        let header = rtp.nextFrame(
            payloadType: payloadType, ticks: samples / tick, payloadCount: repeated + length)
        packet.write(packet.all) { bytes in
            header.write(into: &bytes)
            if repeated > 0 { last.write(before: header.timestamp, into: &bytes, at: RTPHeader.size) }
        }
        if negotiated.redundancy != nil {
            packet.read(start..<start + length) {
                last.remember($0, sentWith: header, payloadType: negotiated.sendPayloadType)
            }
        }
        return header.payload.upperBound
    }

    /// - Parameter start: the frame's offset in the packet. The bytes before it reduce the room for the frame.
    private mutating func encode(_ samples: Int, at start: Int) -> Int? {
        packet.write(start..<Self.packetLimit) { payload in
            frame.read(0..<samples) { encoder.encode($0, into: &payload) }
        }
    }

    private mutating func respond(to lossPercent: Int) {
        let response = LossResponse(expecting: lossPercent)
        if response != encoder.response { encoder.respond(to: response) }
    }
}

/// The last sent frame, to repeat it in the next packet (RFC 2198). For the audio thread: allocates nothing after
/// `init`.
struct RepeatedFrame: ~Copyable {
    private let bytes = Workspace<UInt8>(count: RedundantPayload.longestBlock, filler: 0)
    private var count = 0
    /// The header of the frame's own packet, with its codec's payload type; nil without a frame to repeat.
    private var header: RTPHeader?

    /// - Parameters:
    ///   - header: the header of the packet in which the frame was sent.
    ///   - payloadType: the payload type of its codec.
    mutating func remember(_ frame: Span<UInt8>, sentWith header: RTPHeader, payloadType: UInt8) {
        guard frame.count <= bytes.count else { return forget() }
        for index in frame.indices { bytes[index] = frame[index] }
        count = frame.count
        self.header = RTPHeader(
            payloadType: payloadType, sequence: header.sequence, timestamp: header.timestamp, source: header.source)
    }

    mutating func forget() { header = nil }

    /// The bytes that the repeated frame takes before the next frame; 0 if it must not be repeated. Receivers assume
    /// that a repeated frame belongs to the packet directly before.
    func length(before next: borrowing RTPSender, payloadType: UInt8) -> Int {
        guard let header, header.payloadType == payloadType, header.sequence &+ 1 == next.sequence,
            next.timestamp &- header.timestamp <= RedundantPayload.longestAge
        else { return 0 }
        return RedundantPayload.overhead + count
    }

    /// Writes the frame before the bytes of the next frame, which has this timestamp and the same codec.
    func write(before timestamp: UInt32, into packet: inout MutableSpan<UInt8>, at offset: Int) {
        guard let header else { preconditionFailure("there is something to repeat") }
        RedundantPayload.writeHeaders(
            older: (header.payloadType, timestamp &- header.timestamp, count), newest: header.payloadType,
            into: &packet, at: offset)
        for index in 0..<count { packet[offset + RedundantPayload.overhead + index] = bytes[index] }
    }
}
