import Base
import Platform

/// The voices that the network thread lends: see `NetworkOrder`. The functions are `mutating` for the reason of
/// `deadline`.
extension AudioEngine {
    /// Keeps a lent voice, or returns it if the call has ended or its newest terms do not allow the loan.
    mutating func takeVoice(of call: Borrowed<CallMedia>, at now: Instant) {
        guard calls.contains(where: { $0 === call }) else { return returnVoice(of: call) }
        call.use { $0.voice.hasVoice = true }
        keepOrReturnVoice(of: call, under: call.use { $0.voice.negotiated }, at: now)
    }

    /// Applies other terms to a voice that this thread has, if they allow the loan.
    mutating func keepOrReturnVoice(of call: Borrowed<CallMedia>, under terms: PreparedMedia, at now: Instant) {
        let isKept = call.use { call in
            guard call.voice.hasVoice else { return true }
            guard call.input.isReady(for: terms) else { return false }
            call.input.follow(terms, call.port, at: now)
            return true
        }
        if !isKept { returnVoice(of: call) }
    }

    /// Returns the voice. From then on this thread uses only the other parts of the call, and none of a dropped call,
    /// which may be freed at once.
    mutating func returnVoice(of call: Borrowed<CallMedia>) {
        call.use { $0.voice.hasVoice = false }
        if !wiring.network.send(.voice(call)) {
            call.use { $0.voice.hasVoice = true }
            context.counters.messagesLost.count()
        }
    }

    /// Reads the sockets of all calls whose voice this thread has. A flood takes neither the time of the sound device
    /// nor that of another call.
    mutating func receiveVoice() {
        guard !calls.isEmpty else { return }
        let share = receiveTime / calls.count
        for index in calls.indices {
            let lent = calls[index]
            let isKept = lent.use { call in
                guard call.voice.hasVoice else { return true }
                let end = MonotonicClock.now() + share
                return Borrowed(call.voice.negotiated).use {
                    call.input.receive(call.port, $0, until: end, context.voice)
                }
            }
            if !isKept { returnVoice(of: lent) }
        }
    }
}
