import Base
import SoundCore
import Synchronization

/// A call's part on the audio thread.
struct CallAudio: ~Copyable {
    private(set) var negotiated: PreparedMedia
    private(set) var isActive = false
    /// It has the sound: alone, or in a conference with others.
    private(set) var isHeard = false
    /// It belongs to the conference.
    private(set) var isJoined = false
    private var sender: VoiceSender
    private var receiver: VoiceReceiver
    /// What the person here hears of it passes this.
    private var hearing = GainRamp(gain: GainRamp.closed)
    /// Its voice on the way to the other far ends of a conference, and what they hear of it now.
    private var bridge: ClockBridge
    private let relayed: Workspace<Int16>

    init(negotiated: PreparedMedia, source: UInt32, settings: MediaSettings) throws(MediaError) {
        var sender = try VoiceSender(source: source, settings: settings)
        var receiver = try VoiceReceiver(settings: settings)
        sender.apply(negotiated)
        receiver.apply(negotiated)
        self.negotiated = negotiated
        self.sender = sender
        self.receiver = receiver
        bridge = ClockBridge(quantum: settings.quantum)
        relayed = Workspace(count: settings.quantum, filler: 0)
    }

    mutating func activate() { isActive = true }
    mutating func join(_ isJoined: Bool) { self.isJoined = isJoined }

    mutating func agree(_ negotiated: PreparedMedia, _ call: CallMedia) {
        // Meanwhile the far end's packets were dropped, and its clock went on or did not.
        if negotiated.receives, !self.negotiated.receives { receiver.restart(call.rxQueue) }
        self.negotiated = negotiated
        sender.apply(negotiated)
        receiver.apply(negotiated)
    }

    /// The call gets the sound, or others have it. Whoever keeps it notices nothing; whoever gets it begins silent, so
    /// that it is never heard, nor hears, before it may.
    mutating func sound(_ isHeard: Bool, _ call: CallMedia) {
        guard isHeard != self.isHeard else { return }
        self.isHeard = isHeard
        if isHeard {
            receiver.restart(call.rxQueue)
            sender.closeGate()
            hearing = GainRamp(gain: GainRamp.closed)
            withhold()
        }
        call.gauges.isHeard.store(isHeard, ordering: .releasing)
    }

    /// What the microphone heard becomes what the far end may hear of it.
    mutating func gate(_ samples: inout MutableSpan<Int16>, on call: CallMedia, _ context: AudioContext) {
        sender.gate(&samples, on: call, context)
    }

    /// - Parameters:
    ///   - samples: What the far end may hear of the microphone; written over with what is sent.
    ///   - others: Everybody whose far end may be heard by this one, and this one itself.
    /// - Returns: True when the last digit of a sequence has left.
    mutating func send(
        _ samples: inout MutableSpan<Int16>, beside others: borrowing Mixer, on call: CallMedia,
        _ context: AudioContext, at now: Instant
    ) -> Bool {
        relayed.read(0..<samples.count) { others.join(&samples, without: $0) }
        return sender.send(samples.span, on: call, negotiated, context, at: now)
    }

    /// The next of what its far end says to the others'.
    mutating func relay(_ count: Int, into others: inout Mixer, _ context: AudioContext) {
        relayed.write(0..<count) { bridge.read(into: &$0, gain: context.volume.farEnds) }
        relayed.read(0..<count) { others.add($0) }
    }

    /// What was on its way to other far ends is not said.
    mutating func withhold() {
        bridge.clear()
        for place in relayed.all { relayed[place] = 0 }
    }

    /// Time passes without sound of ours.
    mutating func rest(_ samples: Int) { sender.rest(samples) }

    /// What its far end says, as loud as it came.
    /// - Parameter isShared: other far ends are to hear it, too.
    mutating func receive(
        into output: inout MutableSpan<Int16>, isShared: Bool, on call: CallMedia, _ context: AudioContext,
        at now: Instant
    ) {
        receiver.collect(call.rxQueue)
        receiver.render(into: &output, context.counters, at: now)
        receiver.publish(to: call.gauges)
        if isShared { bridge.write(output.span) }
    }

    /// As loud as the person here wants it.
    mutating func turn(_ output: inout MutableSpan<Int16>, to gain: Float) {
        hearing.set(gain)
        hearing.apply(to: &output)
    }
}
