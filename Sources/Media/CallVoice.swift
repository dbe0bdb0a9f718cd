import Base
import Synchronization

/// A call's part on the audio thread.
struct CallVoice: ~Copyable {
    private(set) var agreement: Agreement
    private(set) var isActive = false
    private var sender: VoiceSender
    private var receiver: VoiceReceiver

    init(agreement: Agreement, source: UInt32, settings: MediaSettings) throws(MediaError) {
        var sender = try VoiceSender(source: source, settings: settings)
        var receiver = try VoiceReceiver(settings: settings)
        sender.apply(agreement)
        receiver.apply(agreement)
        self.agreement = agreement
        self.sender = sender
        self.receiver = receiver
    }

    mutating func activate() { isActive = true }

    mutating func agree(_ agreement: Agreement, _ call: CallMedia) {
        // Meanwhile the far end's packets were dropped, and its clock went on or did not.
        if agreement.receives, !self.agreement.receives { receiver.restart(call.arrivals) }
        self.agreement = agreement
        sender.apply(agreement)
        receiver.apply(agreement)
    }

    /// The call gets the ear.
    mutating func beginHearing(_ call: CallMedia) {
        receiver.restart(call.arrivals)
        call.gauges.isHeard.store(true, ordering: .releasing)
    }

    mutating func endHearing(_ call: CallMedia) { call.gauges.isHeard.store(false, ordering: .releasing) }

    /// - Returns: True when the last digit of a sequence has left.
    mutating func speak(
        _ samples: inout MutableSpan<Int16>, on call: CallMedia, _ context: AudioContext, at now: Instant
    ) -> Bool {
        sender.speak(&samples, on: call, agreement, context, at: now)
    }

    /// Time passes without sound of ours.
    mutating func rest(_ samples: Int) { sender.rest(samples) }

    mutating func hear(
        into output: inout MutableSpan<Int16>, on call: CallMedia, _ context: AudioContext, at now: Instant
    ) {
        receiver.collect(call.arrivals)
        receiver.render(into: &output, context.counters, at: now)
        receiver.publish(to: call.gauges)
    }
}
