import Base

/// One conversation with one far end, from its first ring or dial to its single end.
struct Call: Equatable, Codable, Sendable {
    let id: CallID
    let direction: CallSummary.Direction
    var who: Identity
    var account: AccountID
    let started: Instant
    /// The identifier that its line uses for it. Nil: caller info announced the call, and no line has offered it yet.
    var leg: CallID?
    /// Our addresses as the far end knows them. Nil: it is not known which ones it uses.
    var addresses: [String]?
    /// The data that a later process needs to send BYE.
    var memo: String?
    var answered: Instant?
    /// The instant at which the maximum call time is over.
    var endsBy: Instant?
    /// Whole seconds since the answer that were already reported.
    var secondsTold = 0
    var quality: VoiceQuality?
    /// When the call counts as lost, because nothing has been received for a while. It applies while silence is not
    /// permitted (`silenceDue`). If silence was permitted before, the whole time starts when the call becomes active.
    var lostAt: Instant?
    /// The reason that no voice of the call is sent. Nil: voice is sent, or need not be.
    var sendFault: String?
    /// The line lost its connection to the server. Voice goes on. Nil: it did not.
    var isSignallingLost: Bool?
    /// What the server said about the end.
    var serverEnd: ServerEnd?
    /// The far end's number for decisions on permissions. Nil: no trusted source vouches for one.
    var vouched: AssertedNumber?
    /// Nil: the call has not been answered here.
    var answerer: Answerer?
    /// The transfer that the far end asks for, while a person has to decide on it.
    var question: TransferQuestion?
    /// The digits that the far end dialled last, for relay codes, and the relays that it has switched.
    var entry = CodeEntry()
    var relaysWorked: Set<UInt8> = []
    /// How the far end dials digits. Nil: neither a tone nor INFO has come.
    var dialled: DialledDigits?
    /// The targets that are dialled if this one does not answer.
    var untried: [String] = []
    /// The caller identity and headers of this call, in place of its account's.
    var presentation: CallPresentation?
    /// The transfer that the far end was asked to make.
    var transfer: CallTransfer?
    /// The number whose ringing call this call picks up. Nil: an ordinary call to the number.
    var pickup: WatchedNumber?
    /// The call that this one is about to replace.
    var replacement: CallReplacement?
    /// The fingerprint that the far end has shown. Nil: there was no handshake, or it is not done.
    var key: CallFingerprint?
    /// The protection of the voice, or its last one. Nil: both ends never agreed on terms.
    private(set) var protection: CallProtection?
    var state = CallState.idle {
        // Keeps the last protection for the history after the terms are gone. Another DTLS association has another key.
        didSet {
            guard let negotiated = state.negotiated else { return }
            protection = CallProtection(negotiated)
            if negotiated.dtls?.fingerprints != oldValue.negotiated?.dtls?.fingerprints { key = nil }
        }
    }

    /// The names in event logs. Former versions wrote `handover` and `succession`.
    private enum CodingKeys: String, CodingKey {
        case id, direction, who, account, started, leg, addresses, memo, answered, endsBy, secondsTold, quality, lostAt
        case isSignallingLost, serverEnd, sendFault, vouched, answerer, question, entry, relaysWorked, untried,
            presentation
        case transfer = "handover"
        case pickup
        case replacement = "succession"
        case key, protection, state
    }

    var talk: Talk? { state.talk }

    /// Our own hold of a call that is up. Nil: the call is not up.
    var ownHold: OwnHold? { talk?.ownHold }

    var isUp: Bool { ownHold != nil }

    /// The call's voice is not sent, or the far end's key is not the one under which words were compared.
    var isFaulty: Bool { isUp && (sendFault != nil || key?.standing == .changed) }

    var isHeldHere: Bool { ownHold?.holds ?? false }

    var isLive: Bool { state.isLive }

    var isRinging: Bool { if case .ringingIn = state { true } else { false } }

    var isReconnecting: Bool { if case .reconnecting = state { true } else { false } }

    /// A person takes part in the call, or is about to: another call can only wait.
    var isEngaged: Bool { isLive && !isRinging }

    /// The call is about to take the audio focus. Until then, no other call may start to take it.
    var isTakingAudioFocus: Bool {
        switch state {
        case .ringingOut, .connecting: true
        case .active(let talk), .onHold(let talk), .reconnecting(let talk, _):
            switch talk.ownHold {
            case .queued, .releasing: true
            case .off, .asking, .on: false
            }
        case .idle, .ringingIn, .disconnecting, .ended, .failed: false
        }
    }

    /// The call has the audio focus, or is about to take it.
    var hasUserAudio: Bool { isTakingAudioFocus || isUp && !isHeldHere }

    /// The call waits for the audio focus, and perhaps for the line, the offer, the organisation and the sockets.
    var isClaiming: Bool {
        switch state {
        case .ringingOut(.preparing): true
        case .ringingOut(.dialling), .ringingOut(.dialled): false
        case .connecting(let connecting):
            switch connecting.stage {
            case .preparing: true
            case .answering, .settingUp: false
            }
        case .active(let talk), .onHold(let talk), .reconnecting(let talk, _): talk.ownHold == .queued
        case .idle, .ringingIn, .disconnecting, .ended, .failed: false
        }
    }

    /// Whether the microphone may be open for this call. Nil: voice is off. A far end that has not answered hears
    /// nothing.
    var microphone: Bool? {
        if case .ringingOut(.dialled(_, _, let early)) = state, early.isSetUp { return false }
        return talk?.microphoneOpen
    }

    /// One end has answered on the wire, and voice is not there yet.
    var isAnsweredAndSettingUp: Bool {
        if case .connecting(let connecting) = state, case .settingUp = connecting.stage { true } else { false }
    }

    /// No person answered this incoming call, so no person would hang it up.
    var isUnattended: Bool { direction == .incoming && answerer != .person }

    /// When silence ends the call. A far end that is held, or holds us, may be silent. In an unattended call it may be
    /// silent only while it is held here, because it could occupy the line for ever otherwise.
    var silenceDue: Instant? {
        switch state {
        case .active: lostAt
        case .onHold(let talk): isUnattended && !talk.isHeldHere ? lostAt : nil
        case .idle, .ringingIn, .ringingOut, .connecting, .reconnecting, .disconnecting, .ended, .failed: nil
        }
    }

    /// The next instant at which this call does something by itself.
    var due: Instant? {
        switch state {
        case .idle, .ended, .failed: nil
        case .ringingIn(let ringing): ringing.due
        case .ringingOut(.preparing), .ringingOut(.dialling): nil
        case .ringingOut(.dialled(let until, _, let early)): min(until, early.due ?? until)
        case .connecting(let connecting): connecting.due
        case .active(let talk), .onHold(let talk): .earliest(talk.ownHold.until, silenceDue, endsBy)
        case .reconnecting(let talk, let recovery): .earliest(talk.ownHold.until, recovery.until, endsBy)
        case .disconnecting(let disconnecting): disconnecting.until
        }
    }

    /// When the next second of the call has to be reported.
    var secondDue: Instant? { isUp ? answered.map { $0 + .seconds(secondsTold + 1) } : nil }
}

/// The answerer of an incoming call at this end.
enum Answerer: Equatable, Codable, Sendable {
    /// A person, with the handset or a key.
    case person
    /// Another program asked for it, or the call replaced one that the phone had not answered automatically.
    case program
    /// The phone answered automatically.
    case nobody
}

/// A transfer that the far end was asked to make. Its outcome is not known yet.
struct CallTransfer: Equatable, Codable, Sendable {
    /// The party that the far end is to talk to, for people: a number, an address or a name.
    var target: String
    /// The other call of an attended transfer. Nil: a blind transfer.
    var partner: CallID?
}

/// The replacement of another call by this one. Until then both calls exist.
struct CallReplacement: Equatable, Codable, Sendable {
    enum Cause: Equatable, Codable, Sendable {
        /// The far end of the other call asked us to make this one. The other call is held until this one is up.
        case referral
        /// The far end of this call takes over from that of the other one. The person only hears another voice.
        case replacement
    }

    let cause: Cause
    let predecessor: CallID
    /// The identifier that the line uses for the predecessor. It is kept after the predecessor has ended.
    let leg: CallID
}

/// The fingerprint of a call's far end, and whether two people have compared its words.
struct CallFingerprint: Equatable, Codable, Sendable {
    var shown: ShownFingerprint
    var standing: FingerprintStanding
}

extension Call {
    /// The peer by which the far end's fingerprint is remembered. Nil: the far end has no number, or withholds it.
    var peer: PeerFingerprint.Peer? {
        guard !who.isWithheld, let number = who.key?.text else { return nil }
        return PeerFingerprint.Peer(account: account, number: number)
    }

    /// The protection of the voice: `verified` if two people have compared the words.
    var provenProtection: CallProtection? {
        protection == .dtls && key?.standing == .compared ? .verified : protection
    }
}

extension Call {
    var phase: CallSummary.Phase {
        switch state {
        case .idle: .idle
        case .ringingIn: .ringingIn
        case .ringingOut: .ringingOut
        case .connecting: .connecting
        case .active: isSignallingLost == true ? .reconnecting : .active
        case .onHold: isSignallingLost == true ? .reconnecting : .onHold
        case .reconnecting: .reconnecting
        case .disconnecting: .disconnecting
        case .ended: .ended
        case .failed: .failed
        }
    }

    /// - Parameters:
    ///   - current: The organisation that the phone works for. The badge names another one.
    ///   - onInterface: Whether the interface has to announce a ringing call.
    ///   - canTransfer: Whether the server of the call's account can transfer a far end.
    func summary(current: OrganisationID?, onInterface: Bool, canTransfer: Bool) -> CallSummary {
        CallSummary(
            call: id, direction: direction, phase: phase, number: who.number, name: who.name, avatar: who.avatar,
            badge: badge(current: current), verification: who.verification,
            isWithheld: who.isWithheld, divertedBy: who.divertedBy, called: who.called,
            headers: who.headers, account: account, heldHere: isHeldHere, heldThere: talk?.heldThere ?? false,
            started: started, answered: answered, farEndRings: farEndRings,
            impaired: lostAt != nil && phase == .active, announcedByInterface: onInterface && isRinging,
            replaces: replacement?.predecessor, question: question, protection: provenProtection,
            words: key?.shown.words, key: key?.standing, sendFault: isUp ? sendFault : nil,
            canTransfer: canTransfer ? nil : false, signallingLost: isUp ? isSignallingLost : nil)
    }

    /// The name of the organisation that is called, if it is not the current one.
    func badge(current: OrganisationID?) -> String? {
        who.organisation.flatMap { $0.id == current ? nil : $0.name }
    }

    private var farEndRings: Bool {
        if case .ringingOut(.dialled(_, alerting: true, _)) = state { true } else { false }
    }

    /// Why the call counts as missed: it was announced or refused here, and answered neither here nor elsewhere.
    func missed(for reason: EndReason) -> MissedReason? {
        // A far end that hangs up, instead of giving up, has received our answer, even if its BYE overtook its ACK.
        let wasAnswered = answered != nil || answerer != nil && reason == .hungUpThere
        return direction == .incoming && !wasAnswered ? reason.consequences.missed : nil
    }

    func historyEntry(ended: Instant, reason: EndReason) -> HistoryEntry {
        HistoryEntry(
            direction: direction, number: who.number, name: who.name, called: who.called,
            organisation: who.organisation?.name, account: account, started: started, answered: answered, ended: ended,
            reason: reason,
            missed: missed(for: reason), quality: quality, protection: provenProtection)
    }

    /// The data with which the next process records this call as missed after a crash. Nil: nobody would miss it, or it
    /// is up, so that its essentials are kept.
    var ringingEssentials: RingingCall? {
        switch state {
        case .ringingIn, .connecting:
            guard direction == .incoming else { return nil }
            return RingingCall(
                call: id.description, number: who.number, name: who.name, called: who.called,
                organisation: who.organisation, account: account, started: started)
        case .idle, .ringingOut, .active, .onHold, .reconnecting, .disconnecting, .ended, .failed: return nil
        }
    }

    /// The data that the next process needs after a crash. Nil before the call is answered.
    var essentials: PersistedCall? {
        answered.map { answered in
            PersistedCall(
                call: id.description, direction: direction, number: who.number, name: who.name, account: account,
                started: started, answered: answered, memo: memo)
        }
    }
}
