import Base
import PhoneCore

/// The lives of calls, derived from their effects.
struct CallLives: Equatable, Sendable {
    private struct Life: Equatable, Sendable {
        var isOpen = false
        /// The account for which its media were opened.
        var account: AccountID?
        var wasReleased = false
        var activations = 0
        var microphoneOpen: Bool?
        /// The far end hears music in place of the microphone.
        var hearsMusic = false
        var plan: NegotiatedMedia?
        var ends = 0
        /// Our hold was requested and not settled.
        var holdAsked: Instant?

        var sounds: Bool {
            guard let plan, activations > 0, !wasReleased else { return false }
            return plan.receives || plan.sends && !hearsMusic
        }
    }

    private let negotiationTime: Duration
    private let keepsHistory: Bool
    private var now = Instant.zero
    private var lives: [CallID: Life] = [:]
    /// The last number that the phone gave to a call of each origin: none is used again.
    private var last: [CallID.Origin: UInt32] = [:]
    /// Offered in this transition; its former life may end in the same transition, because its time was up.
    private var offered: CallID?
    private var wasKnown = false
    private var mayBeOrphan = false
    /// Caller info came: a call may be announced, or refused at once, under a new name.
    private var mayAnnounce = false
    private var isPaused = false
    /// Offers that are no new call: merged into a call that caller info announced, or refused because that is over.
    /// With the ends reported to them.
    private var strays: [CallID: Int] = [:]
    private var records = 0
    private var ends = 0
    private var isPersisted = false
    /// The calls that the vault keeps as ringing.
    private var ringing: Set<String> = []

    init(policy: PhonePolicy) {
        (negotiationTime, keepsHistory) = (policy.negotiationTime, policy.keepsNoHistory != true)
    }

    var isEmpty: Bool { lives.isEmpty }

    mutating func expect(_ event: PhoneEvent, at now: Instant) {
        self.now = now
        switch event {
        case .line(.offered(let id, _)):
            guard case .line = id.origin else { return }
            // A line that offers a refused call again means another attempt.
            strays[id] = nil
            wasKnown = lives[id] != nil
            if !wasKnown { lives[id] = Life() }
            offered = id
        case .line(.holdSettled(let id, _)): lives[id]?.holdAsked = nil
        case .vault(.orphanFound), .vault(.ringingFound): mayBeOrphan = true
        case .line(.ended(let leg, _)): strays[leg] = nil
        case .callerInfo(.incoming), .line(.refused): mayAnnounce = true
        case .line, .panel, .media, .vault, .network, .request, .callerInfo, .backend, .clock, .policyChanged,
            .deadline,
            .shutDown:
            break
        }
    }

    mutating func take(_ effect: PhoneEffect) throws(Violation) {
        switch effect {
        case .vault(let effect): try takeVault(effect)
        case .media(.open(let id, let account)) where id.origin == .phone && lives[id] == nil: try name(id, account)
        case .media(.open(let id, let account)) where id.origin == .info && mayAnnounce && lives[id] == nil:
            try name(id, account)
        case .media(.pause(let next)): isPaused = next
        case .control(.notice(.callEnded(let summary, _))): try end(summary)
        case .control(.notice(.missedCall)) where mayBeOrphan || mayAnnounce: break
        case .control(.notice(.answeredElsewhere)) where mayAnnounce: break
        case .media(let media): try takeMedia(media, effect.call)
        case .line(.end), .line(.refuse):
            guard let id = effect.call else { return }
            if strays[id] != nil { strays[id, default: 0] += 1 } else { try edit(id) { $0.ends += 1 } }
            if strays[id] ?? lives[id]?.ends != 1 { throw Violation("one BYE: \(id)") }
        case .line(.hold(let id, let on)) where strays[id] == nil:
            let asked = on ? now : nil
            try edit(id) { $0.holdAsked = asked }
        case .line(.dtmf(let id, _)) where strays[id] == nil:
            guard lives[id]?.activations == 1 else { throw Violation("digits go to a call with voice: \(id)") }
        case .line where effect.call.map { strays[$0] != nil } ?? false: break
        case .line, .panel, .callerInfo, .backend, .control, .display, .stopped:
            try edit(effect.call) { _ in }
        }
    }

    /// The phone names a new call, and opens its media.
    private mutating func name(_ id: CallID, _ account: AccountID) throws(Violation) {
        guard id.number > last[id.origin] ?? 0 else { throw Violation("a dead call is dead: \(id)") }
        last[id.origin] = id.number
        lives[id] = Life(isOpen: true, account: account)
    }

    /// The rules for a machine at rest.
    mutating func checkTurn(_ snapshot: PhoneSnapshot, limit: Int) throws(Violation) {
        if let offered, let life = lives[offered], !snapshot.calls.contains(where: { $0.call == offered }) {
            strays[offered] = life.ends
            lives[offered] = nil
        }
        if isPaused && lives.values.contains(where: { $0.microphoneOpen == true && !$0.wasReleased }) {
            throw Violation("no far end is heard while calls are paused")
        }
        if snapshot.interrupted && !isPaused { throw Violation("an interruption pauses calls") }
        guard records == (keepsHistory ? ends : 0) else { throw Violation("one record for each end") }
        guard snapshot.conference || lives.values.count(where: \.sounds) <= 1 else {
            throw Violation("one call with sound")
        }
        guard Set(lives.keys) == Set(snapshot.calls.map(\.call)) else {
            throw Violation("a call lives until its end is reported")
        }
        let waiting = snapshot.calls.filter {
            $0.direction == .incoming && ($0.phase == .ringingIn || $0.phase == .connecting)
        }
        guard ringing == Set(waiting.map(\.call.description)) else {
            throw Violation("the vault keeps the calls that ring: \(ringing)")
        }
        if lives.isEmpty && isPersisted { throw Violation("nothing is persisted without a call") }
        if snapshot.calls.count > limit { try checkLimit(snapshot, limit) }
        for call in snapshot.calls { try check(call, snapshot) }
        forgetTurn()
    }

    /// A call and its replacement count as one. So the number of live calls never exceeds the limit if all calls are
    /// counted.
    private func checkLimit(_ snapshot: PhoneSnapshot, _ limit: Int) throws(Violation) {
        let live = snapshot.calls.count { call in
            let replaced = call.replaces.flatMap { id in snapshot.calls.first { $0.call == id } }
            return call.phase != .disconnecting && (replaced.map { $0.phase == .disconnecting } ?? true)
        }
        guard live <= limit else {
            let calls = snapshot.calls.map { ($0.call, $0.phase, $0.replaces) }
            throw Violation("the limit of calls: \(calls)")
        }
    }

    /// An expectation for one transition cannot be distinguished from the same for a later one.
    private mutating func forgetTurn() {
        (records, ends) = (0, 0)
        (mayBeOrphan, mayAnnounce, wasKnown, offered) = (false, false, false, nil)
    }

    private func check(_ call: CallSummary, _ snapshot: PhoneSnapshot) throws(Violation) {
        guard let life = lives[call.call] else { return }
        if let account = life.account, account != call.account {
            throw Violation("media are open for the account that carries the call: \(call.call)")
        }
        let isUp = call.phase == .active || call.phase == .onHold || call.phase == .reconnecting
        if isUp && (life.activations != 1 || life.microphoneOpen == nil) {
            throw Violation("a call that is up has sound, once")
        }
        if isUp && !isPersisted { throw Violation("a call that is up is persisted") }
        if life.microphoneOpen == true && !life.wasReleased && (!isUp || call.heldHere) {
            throw Violation("the microphone is open only for a call that is up and not held")
        }
        if let asked = life.holdAsked, now < asked + negotiationTime, life.microphoneOpen == true, !life.wasReleased {
            throw Violation("nothing leaks while a hold is negotiated")
        }
        if call.phase == .disconnecting && !life.wasReleased { throw Violation("sound stops at once") }
        if call.phase != .disconnecting && life.wasReleased { throw Violation("a call without sound is ended") }
        let speaks = call.phase == .active && (snapshot.calls.count == 1 || snapshot.conference)
        if speaks && snapshot.muted && life.microphoneOpen == true { throw Violation("mute closes the gate") }
    }

    private mutating func takeMedia(_ effect: MediaEffect, _ id: CallID?) throws(Violation) {
        guard let id else { return }
        // The offer came over another account than the one for which the media of an announced call were opened.
        if case .open(_, let account) = effect, offered != nil, let life = lives[id], life.wasReleased, life.plan == nil
        {
            lives[id] = Life(isOpen: true, account: account)
            return
        }
        guard let life = lives[id], !life.wasReleased else { throw Violation("released or dead: \(effect)") }
        switch effect {
        case .open(_, let account):
            guard !life.isOpen else { throw Violation("opened once: \(id)") }
            try edit(id) { ($0.isOpen, $0.account) = (true, account) }
        case .gather:
            guard life.plan?.ice != nil else { throw Violation("paths are gathered again with ICE only: \(id)") }
        case .connect(_, let plan):
            guard life.isOpen, life.plan == nil else { throw Violation("connected once, when open: \(id)") }
            try edit(id) { $0.plan = plan }
        case .update(_, let plan):
            guard life.plan != nil else { throw Violation("updated after it was connected: \(id)") }
            try edit(id) { $0.plan = plan }
        case .activate:
            guard life.plan != nil, life.microphoneOpen != nil, life.activations == 0 else {
                throw Violation("activated once, connected, with its gate set: \(id)")
            }
            try edit(id) { $0.activations += 1 }
        case .microphone(_, let open):
            guard !open || !life.hearsMusic else { throw Violation("music ends before the microphone opens: \(id)") }
            try edit(id) { $0.microphoneOpen = open }
        case .holdMusic(_, let isOn):
            guard life.hearsMusic != isOn, life.microphoneOpen == false, !life.wasReleased else {
                throw Violation("music is ordered once, and with a closed microphone: \(id)")
            }
            try edit(id) { $0.hearsMusic = isOn }
        case .release:
            guard life.isOpen else { throw Violation("released when open: \(id)") }
            try edit(id) { $0.wasReleased = true }
        case .dtmf:
            guard life.activations == 1 else { throw Violation("digits go to a call with voice: \(id)") }
        case .tone, .ring, .keyClick, .route, .pause, .volume, .conference, .record, .play, .page, .sendPage,
            .testSound, .joinPages:
            break
        }
    }

    private mutating func takeVault(_ effect: VaultEffect) throws(Violation) {
        switch effect {
        case .addHistory: records += 1
        case .persist: isPersisted = true
        case .persistRinging(let call): ringing.insert(call.call)
        case .clearRinging(let call):
            guard ringing.remove(call) != nil || mayBeOrphan else { throw Violation("cleared what rang: \(call)") }
        case .clearHistory, .missedCallsSeen, .formerMissedCallSeen, .keep, .keepKey, .forgetKey, .keepContext,
            .tryContext,
            .forgetSignIn:
            break
        case .clearPersisted:
            guard isPersisted || mayBeOrphan else { throw Violation("cleared what was persisted") }
            isPersisted = false
        }
    }

    private mutating func end(_ summary: CallSummary) throws(Violation) {
        ends += 1
        let life = lives.removeValue(forKey: summary.call)
        guard life != nil || mayBeOrphan || mayAnnounce else { throw Violation("one end: \(summary.call)") }
        if let life, life.isOpen && !life.wasReleased { throw Violation("released before its end") }
        if let offered, offered == summary.call, wasKnown {
            lives[offered] = Life()
            wasKnown = false
        }
        guard summary.phase == .ended || summary.phase == .failed else { throw Violation("an end is an end") }
    }

    private mutating func edit(_ id: CallID?, _ change: (inout Life) -> Void) throws(Violation) {
        guard let id else { return }
        guard var life = lives[id] else { throw Violation("an effect names a dead call: \(id)") }
        change(&life)
        lives[id] = life
    }
}
