import Base
import RTPCore
import SoundCore
import Synchronization

/// A call's part on the audio thread.
struct CallAudio: ~Copyable {
    private(set) var negotiated: PreparedMedia
    private(set) var isActive = false
    /// The call has the sound, alone or together with others.
    private(set) var isHeard = false
    /// The call belongs to the conference.
    private(set) var isJoined = false
    /// Whether the audio thread has the call's voice.
    var hasVoice = false
    private var sender: VoiceSender
    private var playout: PlayoutPath<VoiceDecoder>
    /// Detects keys in the far end's voice, if the call has no telephone events.
    private var keys = DTMFDetector()
    /// The gain of the call for the local user.
    var hearing = GainRamp(gain: GainRamp.closed)
    /// The gain of the hold music, which begins with a fade-in.
    private var music = GainRamp(gain: GainRamp.closed)
    /// The far end's voice on its way to the other far ends of a conference. `relayed` is the part that they hear now.
    private var bridge: ClockBridge
    private let relayed: Workspace<Int16>

    init(negotiated: PreparedMedia, source: UInt32, settings: MediaSettings) throws(MediaError) {
        var sender = try VoiceSender(source: source, settings: settings)
        var playout = try PlayoutPath<VoiceDecoder>(settings: settings)
        sender.apply(negotiated)
        playout.apply(negotiated.formats, beginningWith: negotiated.codec)
        self.negotiated = negotiated
        self.sender = sender
        self.playout = playout
        bridge = ClockBridge(quantum: settings.quantum)
        relayed = Workspace(count: settings.quantum, filler: 0)
    }

    mutating func activate() { isActive = true }
    mutating func join(_ isJoined: Bool) { self.isJoined = isJoined }

    mutating func agree(_ negotiated: PreparedMedia, _ port: CallPort) {
        // While the call received nothing, the far end's packets were dropped, and its clock may have stopped.
        if negotiated.receives, !self.negotiated.receives { playout.restart(port.voice) }
        self.negotiated = negotiated
        music = GainRamp(gain: GainRamp.closed)
        sender.apply(negotiated)
        playout.apply(negotiated.formats, beginningWith: negotiated.codec)
    }

    /// Gives the call the sound or takes it away. A call that keeps the sound is not affected. A call that gets it
    /// begins silent in both directions, so that no sound passes too early.
    mutating func sound(_ isHeard: Bool, _ port: CallPort) {
        guard isHeard != self.isHeard else { return }
        self.isHeard = isHeard
        if isHeard {
            playout.restart(port.voice)
            keys.reset()
            sender.closeGate()
            hearing = GainRamp(gain: GainRamp.closed)
            withhold()
        }
        port.gauges.isHeard.store(isHeard, ordering: .releasing)
    }

    /// Applies the microphone gate: the far end hears the result.
    mutating func gate(_ samples: inout MutableSpan<Int16>, on port: CallPort, _ context: AudioContext) {
        sender.gate(&samples, on: port, context)
    }

    /// - Parameters:
    ///   - samples: The gated sound of the microphone; overwritten with the sound that is sent.
    ///   - others: The sum of everything that this far end may hear, plus this call's own voice.
    /// - Returns: True when the last digit of a sequence was sent.
    mutating func send(
        _ samples: inout MutableSpan<Int16>, beside others: borrowing Mixer, on port: CallPort,
        _ context: AudioContext, at now: Instant
    ) -> Bool {
        relayed.read(0..<samples.count) { others.join(&samples, without: $0) }
        return sender.send(samples.span, on: port, negotiated, context, at: now)
    }

    /// Sends only hold music: no sound from the microphone, files or other calls.
    mutating func entertain(
        with samples: inout MutableSpan<Int16>, on port: CallPort, _ context: AudioContext, at now: Instant
    ) {
        music.apply(GainRamp.open, to: &samples)
        _ = sender.send(samples.span, on: port, negotiated, context, at: now)
    }

    /// Adds the next part of the far end's voice to the mix for the other far ends.
    mutating func relay(_ count: Int, into others: inout Mixer, _ context: AudioContext) {
        relayed.write(0..<count) { bridge.read(into: &$0, gain: context.volume.farEnds) }
        relayed.read(0..<count) { others.add($0) }
    }

    /// Drops the sound that is on its way to other far ends.
    mutating func withhold() {
        bridge.clear()
        for place in relayed.all { relayed[place] = 0 }
    }

    /// Skips this many samples without sending.
    mutating func rest(_ samples: Int) { sender.rest(samples) }

    /// Renders the far end's voice at its original level.
    /// - Parameter isShared: other far ends hear it, too.
    mutating func receive(
        into output: inout MutableSpan<Int16>, isShared: Bool, _ burst: JitterBuffer.DeviceBurst, on port: CallPort,
        _ context: AudioContext, at now: Instant
    ) {
        playout.render(from: port.voice, into: &output, burst, context.counters, at: now)
        playout.publish(to: port.gauges)
        if negotiated.events == nil {
            let handle = port.handle
            keys.hear(output.span) { context.tell(.dtmfReceived(call: handle, code: $0)) }
        }
        if isShared { bridge.write(output.span) }
    }
}
