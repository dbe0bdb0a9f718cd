import Base
import PhoneCore

/// The lives of calls, as their effects tell them: media in order, one end, one record.
struct CallLives: Sendable {
    private struct Life: Sendable {
        var isOpen = false
        var wasReleased = false
        var activations = 0
        var microphoneOpen: Bool?
        var plan: NegotiatedMedia?
        /// Our hold was asked for and not settled.
        var holdAsked: Instant?

        var sounds: Bool { activations > 0 && !wasReleased && plan.map { $0.sends || $0.receives } ?? false }
    }

    private let negotiationTime: Duration
    private var now = Instant.zero
    private var lives: [CallID: Life] = [:]
    /// The last number of each origin: none is used again.
    private var last: [CallID.Origin: UInt32] = [:]
    private var mayBeOrphan = false
    private var records = 0
    private var ends = 0
    private var isPersisted = false

    init(policy: PhonePolicy) { negotiationTime = policy.negotiationTime }

    var isEmpty: Bool { lives.isEmpty }

    mutating func expect(_ event: PhoneEvent, at now: Instant) {
        self.now = now
        (records, ends, mayBeOrphan) = (0, 0, false)
        switch event {
        case .line(.holdSettled(let id, _)): lives[id]?.holdAsked = nil
        case .vault(.orphanFound): mayBeOrphan = true
        case .line, .panel, .media, .vault, .network, .callerInfo, .backend, .request, .clock, .deadline, .shutDown:
            break
        }
    }

    mutating func take(_ effect: PhoneEffect) throws(Violation) {
        switch effect {
        case .vault(let effect): try takeVault(effect)
        case .media(let media): try takeMedia(media)
        case .line(.hold(let id, let on)):
            let asked = on ? now : nil
            lives[id]?.holdAsked = asked
        case .control(.notice(.callEnded(let summary, let reason))): try end(summary, reason)
        case .control(.notice(.callChanged(let summary))): try born(summary.call)
        case .line, .panel, .control, .backend, .stopped: break
        }
    }

    /// What has to hold when the machine rests.
    func checkTurn(_ snapshot: PhoneSnapshot, limit: Int) throws(Violation) {
        guard records == ends else { throw Violation("one record for each end") }
        guard snapshot.conference || lives.values.count(where: \.sounds) <= 1 else {
            throw Violation("one call with sound")
        }
        guard lives.count == snapshot.calls.count, snapshot.calls.allSatisfy({ lives[$0.call] != nil }) else {
            throw Violation("a call lives until its end was told")
        }
        if lives.isEmpty && isPersisted { throw Violation("nothing is persisted without a call") }
        let live = snapshot.calls.count { call in
            // Of a call and the one that is about to take its place one will be left.
            let replaced = call.replaces.flatMap { id in snapshot.calls.first { $0.call == id } }
            return call.phase != .disconnecting && (replaced.map { $0.phase == .disconnecting } ?? true)
        }
        guard live <= limit else { throw Violation("the limit of calls") }
        for call in snapshot.calls { try check(call, snapshot) }
    }

    private func check(_ call: CallSummary, _ snapshot: PhoneSnapshot) throws(Violation) {
        guard let life = lives[call.call] else { return }
        let isUp = call.phase == .active || call.phase == .onHold || call.phase == .reconnecting
        if isUp && (life.activations != 1 || life.microphoneOpen == nil) {
            throw Violation("a call that is up has sound, once: \(call.call)")
        }
        if isUp && !isPersisted { throw Violation("a call that is up is persisted: \(call.call)") }
        if call.phase == .disconnecting && !life.wasReleased { throw Violation("sound stops at once: \(call.call)") }
        if call.phase != .disconnecting && life.wasReleased { throw Violation("who has no sound says goodbye") }
        guard life.microphoneOpen == true, !life.wasReleased else { return }
        if !isUp || call.heldHere { throw Violation("the microphone is for a call that is up and not held") }
        if snapshot.interrupted { throw Violation("no microphone is open while something else has the sound") }
        if let asked = life.holdAsked, now < asked + negotiationTime {
            throw Violation("nothing leaks while a hold is negotiated")
        }
        if call.phase == .active && (snapshot.calls.count == 1 || snapshot.conference) && snapshot.muted {
            throw Violation("mute closes the gate")
        }
    }

    private mutating func takeMedia(_ effect: MediaEffect) throws(Violation) {
        switch effect {
        case .open(let id):
            try born(id)
            guard lives[id]?.isOpen == false else { throw Violation("opened once: \(id)") }
            lives[id]?.isOpen = true
        case .connect(let id, let plan):
            let life = try life(id, effect)
            guard life.isOpen, life.plan == nil else { throw Violation("connected once, when open: \(id)") }
            lives[id]?.plan = plan
        case .update(let id, let plan):
            guard try life(id, effect).plan != nil else { throw Violation("updated after it was connected: \(id)") }
            lives[id]?.plan = plan
        case .activate(let id):
            let life = try life(id, effect)
            guard life.plan != nil, life.microphoneOpen != nil, life.activations == 0 else {
                throw Violation("activated once, connected, with its gate set: \(id)")
            }
            lives[id]?.activations += 1
        case .microphone(let id, let open):
            _ = try life(id, effect)
            lives[id]?.microphoneOpen = open
        case .release(let id):
            guard try life(id, effect).isOpen else { throw Violation("released when open: \(id)") }
            lives[id]?.wasReleased = true
        case .dtmf(let id, _, _):
            guard try life(id, effect).activations == 1 else {
                throw Violation("digits go to a call with voice: \(id)")
            }
        case .tone, .ring, .keyClick, .route, .pause, .volume, .conference, .record, .play: break
        }
    }

    private func life(_ id: CallID, _ effect: MediaEffect) throws(Violation) -> Life {
        guard let life = lives[id], !life.wasReleased else { throw Violation("released or dead: \(effect)") }
        return life
    }

    /// A call is seen for the first time; or again.
    private mutating func born(_ id: CallID) throws(Violation) {
        guard lives[id] == nil else { return }
        guard id.number > last[id.origin] ?? 0 else { throw Violation("a dead call is dead: \(id)") }
        last[id.origin] = id.number
        lives[id] = Life()
    }

    private mutating func takeVault(_ effect: VaultEffect) throws(Violation) {
        switch effect {
        case .addHistory: records += 1
        case .persist: isPersisted = true
        case .clearPersisted:
            guard isPersisted || mayBeOrphan else { throw Violation("cleared what was persisted") }
            isPersisted = false
        case .missedCallsSeen, .keep, .keepContext: break
        }
    }

    private mutating func end(_ summary: CallSummary, _ reason: EndReason) throws(Violation) {
        ends += 1
        // One that was refused at once was never seen.
        if lives[summary.call] == nil { try born(summary.call) }
        let life = lives.removeValue(forKey: summary.call)
        if let life, life.isOpen && !life.wasReleased { throw Violation("released before its end: \(summary.call)") }
        guard summary.phase == .ended || summary.phase == .failed else { throw Violation("an end is an end") }
    }
}
