import Base
import Telephony

/// Dialling at the panel, with or without a call.
extension Transition {
    /// Dials for a key: on the speaker if no person uses the phone, and beside the call if there is one.
    mutating func dialFromPanel(_ wanted: SpeedDial) {
        guard phone.summons == nil else { return }
        if openUserAudio(.talk, account: nil) { dialHere(wanted) }
    }

    mutating func voicemailPressed() {
        let account: AccountID
        switch phone.userAudio {
        case .collecting(let collection): account = collection.account ?? policy.defaultAccount
        case .closed, .inCall, .paging, .told: account = policy.defaultAccount
        }
        if let number = policy.voicemail[account] { dialFromPanel(SpeedDial([number], account: account)) }
    }

    /// Dials. The current call, if there is one, is held already.
    mutating func dialHere(_ wanted: SpeedDial) {
        let action = panelAction()
        do throws(ActionFailure) {
            try dial(wanted, as: action)
        } catch {
            settleAtOnce(action, .failed(error))
            tellUser(error == .invalidTarget ? .specialInformation : .congestion)
        }
    }

    /// Prepares for dialling. It holds the current call, or opens a closed phone on the speaker or the headset that is
    /// there.
    /// - Returns: False if a call is in the way.
    @discardableResult
    mutating func openUserAudio(_ purpose: Consultation.Purpose, account: AccountID?) -> Bool {
        if let call = phone.focus, call.isEngaged {
            switch phone.userAudio {
            case .collecting: break  // The call is held already.
            case .closed, .inCall, .paging, .told: guard consult(call, purpose) else { return false }
            }
        } else if phone.userAudio == .closed {
            setRoute(.speaker, isChosen: false)
        }
        guard !phone.calls.contains(where: \.isTakingAudioFocus) else { return false }
        listenForDigits(account: account)
        return true
    }

    /// Holds a call in order to dial another one.
    private mutating func consult(_ call: Call, _ purpose: Consultation.Purpose) -> Bool {
        guard let talk = call.talk, phone.liveCalls < policy.maximumCalls else { return false }
        switch talk.ownHold {
        case .off: guard perform(.hold(call.id), as: panelAction()) == nil else { return false }
        case .asking, .on: break
        case .queued, .releasing: return false
        }
        phone.consultation = Consultation(of: call.id, purpose: purpose)
        return true
    }

    /// The call could not be held, so the person hears it again.
    mutating func giveUpConsulting(_ id: CallID) {
        guard phone.consultation?.of == id else { return }
        phone.consultation = nil
        attendCall()
    }

    /// Ends the consultation when its first call is no longer held.
    mutating func keepConsultation() {
        guard let consultation = phone.consultation else { return }
        switch phone[consultation.of]?.ownHold {
        case .asking, .on: break
        case .off, .queued, .releasing, nil: phone.consultation = nil
        }
    }

    /// A short tap on the cradle. It answers the waiting call, resumes the held call, or holds the current one to dial
    /// another.
    mutating func flashed() {
        if answerKnocking() { return }
        let near = phone.calls.first(where: \.hasUserAudio)
        if let held = phone.calls.first(where: { $0.ownHold == .on }) {
            attendCall()
            perform(.resume(held.id), as: panelAction())
        } else if let near, near.isUp {
            openUserAudio(.talk, account: nil)
        }
    }

    /// Answers the waiting call, if there is one and a person uses the phone.
    mutating func answerKnocking() -> Bool {
        guard phone.isBusy, let knocking = phone.calls.first(where: \.isRinging) else { return false }
        perform(.answer(knocking.id), as: panelAction())
        return true
    }

    /// Answers on the device that the person uses: the open one, the lifted handset, else the headset that is there or
    /// the speaker.
    mutating func answerHere(_ call: Call) {
        if phone.isBusy {
            perform(.answer(call.id), as: panelAction())
        } else {
            answer(call, on: phone.hook == .offHook ? handsetRoute : .speaker, isChosen: false)
        }
    }

    /// The first press holds the call and collects the target's digits. The second press transfers it, to the other
    /// call or to the digits.
    mutating func transferPressed() {
        if phone.calls.contains(where: { $0.question != nil }) {
            perform(.acceptTransfer(nil), as: panelAction())
            return
        }
        let up = phone.calls.filter(\.isUp)
        if case .collecting(let collection) = phone.userAudio, let first = phone.consultation?.of {
            attendCall()
            perform(
                collection.digits.isEmpty ? .resume(first) : .transfer(first, to: collection.digits),
                as: panelAction())
        } else if let first = up.first(where: \.isHeldHere), up.count == 2,
            let second = up.first(where: { $0.id != first.id })
        {
            perform(.connect(first.id, second.id), as: panelAction())
        } else if let first = phone.consultation?.of, let second = phone.focus, case .ringingOut = second.state {
            perform(.connect(first, second.id), as: panelAction())
        } else if let call = phone.focus, call.talk != nil, mayTransfer(call) {
            openUserAudio(.transfer, account: nil)
        }
    }

    /// The first press holds the call and collects the digits of another one. The second press joins the two.
    mutating func conferencePressed() {
        guard policy.mixesCalls else { return }
        if phone.calls.count(where: \.isUp) == 2 {
            perform(.conference, as: panelAction())
        } else if phone.focus?.talk != nil {
            openUserAudio(.conference, account: nil)
        }
    }
}

/// The digits that a person has pressed since the dial tone.
struct DigitCollection: Equatable, Codable, Sendable {
    static let capacity = 32

    /// The account to dial with, if a line key selected one. Nil: the default account.
    var account: AccountID?
    private(set) var digits = ""
    /// When the digits are dialled. Without digits: when the phone stops waiting for the first one.
    private(set) var until: Instant

    init(until: Instant, account: AccountID? = nil) {
        self.until = until
        self.account = account
    }

    /// The target to dial.
    var wanted: SpeedDial { SpeedDial([digits], account: account) }

    /// Takes a key. `#` completes the number; as the first key it is a digit. A digit beyond the capacity, or one of A
    /// to D, which no number contains, is ignored. A number that the plan knows to be complete is dialled at once.
    /// - Returns: Whether the number is complete.
    mutating func press(_ symbol: DTMFSymbol, until: Instant, plan: DialPlan) -> Bool {
        if symbol == .pound && !digits.isEmpty { return true }
        self.until = until
        guard digits.count < Self.capacity && symbol.rawValue <= DTMFSymbol.pound.rawValue else { return false }
        digits.append(symbol.character)
        switch plan.verdict(digits) {
        case .emergency, .complete: return true
        case .mayGrow, .partial, .noMatch: return false
        }
    }
}

/// The displays and the functions of watched numbers' keys (spec §13).
extension Transition {
    mutating func watched(_ number: WatchedNumber, _ state: WatchedState) {
        // Only numbers that the policy watches are accepted.
        guard policy.watchedNumbers.contains(number) else { return }
        phone.watched[number] = state == .unknown ? nil : state
    }

    /// Dials, picks up the call that rings there, or parks the current call if the key is a free park orbit.
    mutating func speedDialPressed(_ wanted: SpeedDial) {
        guard let kind = wanted.watched else { return dialFromPanel(wanted.at(phone.clock)) }
        let number = policy.watchedNumber(of: wanted)
        switch (kind, phone.watched[number] ?? .unknown) {
        case (.phone, .ringing): pickUpFromPanel(number)
        case (.orbit, .idle), (.orbit, .unknown):
            if let call = phone.focus, call.isUp {
                perform(.transfer(call.id, to: number.number), as: panelAction())
            } else {
                dialFromPanel(wanted.at(phone.clock))
            }
        case (.phone, .unknown), (.phone, .idle), (.phone, .busy), (.phone, .held), (.orbit, .ringing), (.orbit, .busy),
            (.orbit, .held):
            dialFromPanel(wanted.at(phone.clock))
        }
    }

    private mutating func pickUpFromPanel(_ number: WatchedNumber) {
        guard phone.summons == nil, openUserAudio(.talk, account: nil) else { return }
        perform(.pickUp(number.number, account: number.account), as: panelAction())
    }

    /// Picks up the call that rings at another number: with the account's pickup code, else from its caller.
    mutating func pickUp(_ number: String, account: AccountID?, as action: ActionID) throws(ActionFailure) {
        let account = account ?? policy.defaultAccount
        if let code = policy.pickupCodes[account] {
            return try dial(SpeedDial([code + number], account: account), as: action)
        }
        let watched = WatchedNumber(number, account: account)
        guard phone.watched[watched] == .ringing else { throw .noSuchCall }
        try dial(SpeedDial([number], account: account), pickingUp: watched, as: action)
    }
}

extension PhonePolicy {
    func watchedNumber(of dial: SpeedDial) -> WatchedNumber {
        WatchedNumber(dial.targets[0], account: dial.account ?? defaultAccount)
    }

    func has(_ account: AccountID) -> Bool { accounts?.contains(account) ?? true }

    /// The numbers that the lines have to watch.
    public var watchedNumbers: Set<WatchedNumber> {
        Set(speedDials.values.filter { $0.watched != nil }.map { watchedNumber(of: $0) })
    }
}

/// Digits inside a call: as telephone events, by signalling, or as sound (spec §8).
extension Transition {
    /// The longest sequence of digits taken at once, pauses included.
    private static let longestDTMF = 64

    /// The action is done when the digits are handed over. A notice reports when the last one was sent.
    mutating func sendDigits(_ wanted: CallID?, _ elements: [DTMFElement]) throws(ActionFailure) {
        let call = try meantOrFocus(wanted) { $0.phase == .active }
        guard !elements.isEmpty else { throw .invalidTarget }
        guard elements.count <= Self.longestDTMF else { throw .noRoom }
        switch call.state {
        case .active(let talk):
            guard let leg = call.leg else { throw .wrongState }
            switch (policy.dtmf, talk.negotiated.telephoneEvents != nil) {
            case (.automatic, true), (.events, true): emit(.media(.dtmf(call.id, elements, inBand: false)))
            case (.events, false): throw .refusedThere
            case (.automatic, false), (.info, _): emit(.line(.dtmf(leg, elements)))
            case (.inBand, _): emit(.media(.dtmf(call.id, elements, inBand: true)))
            }
        case .idle, .ringingIn, .ringingOut, .connecting, .onHold, .reconnecting, .disconnecting, .ended, .failed:
            throw .wrongState
        }
    }

    /// Digits that the line could not send are sent as tones in the voice, if the mode allows it and the call is
    /// active.
    mutating func digitsLeft(_ call: Call, unsent: [DTMFElement]) {
        guard call.isUp else { return }
        guard !unsent.isEmpty else { return notice(.dtmfSent(call.id)) }
        guard policy.dtmf == .automatic, call.phase == .active else {
            return notice(.trouble("\(call.who.words) did not accept the digits", .digitsRefused))
        }
        emit(.media(.dtmf(call.id, unsent, inBand: true)))
    }

    /// Media heard a digit. Without telephone events it was a tone in the voice.
    mutating func digitPlayed(_ id: CallID, _ symbol: DTMFSymbol) {
        guard let call = phone[id] else { return }
        guard call.state.negotiated?.telephoneEvents == nil else {
            if !isTwin(symbol, id, .event) { digitHeard(id, symbol) }
            return
        }
        // A far end that sends digits by INFO also plays them to its own person, and so to this end.
        guard call.dialled?.isByInfo != true else { return }
        phone[id]?.dialled = DialledDigits(tone: symbol, toneAt: now)
        digitHeard(id, symbol)
    }

    /// The line got a digit by INFO.
    mutating func digitInformed(_ id: CallID, _ symbol: DTMFSymbol) {
        guard let call = phone[id] else { return }
        guard call.state.negotiated?.telephoneEvents == nil else {
            if !isTwin(symbol, id, .info) { digitHeard(id, symbol) }
            return
        }
        let isKnown = call.dialled?.isTone(symbol, at: now) == true
        phone[id]?.dialled = DialledDigits(isByInfo: true)
        if !isKnown { digitHeard(id, symbol) }
    }

    /// Whether the same press has come in the other way. Some telephones send each digit as an event and by INFO.
    private mutating func isTwin(_ symbol: DTMFSymbol, _ id: CallID, _ way: DialledDigits.Press.Way) -> Bool {
        var dialled = phone[id]?.dialled ?? DialledDigits()
        let isTwin = dialled.takeTwin(of: .init(symbol: symbol, way: way, at: now))
        phone[id]?.dialled = dialled
        return isTwin
    }

    /// The far end dialled a digit, as an event, a tone or INFO. It is reported, and may be part of a relay code. INFO
    /// may follow the ACK at once, before media is set up.
    private mutating func digitHeard(_ id: CallID, _ symbol: DTMFSymbol) {
        guard let call = phone[id], call.microphone != nil || call.isAnsweredAndSettingUp else { return }
        notice(.dtmfReceived(id, symbol))
        workRelays(id, symbol)
    }
}

/// How the far end of a call dials: by events, by tones, by INFO, or in two ways at once.
struct DialledDigits: Equatable, Codable, Sendable {
    /// A digit that has come in one way only.
    struct Press: Equatable, Codable, Sendable {
        enum Way: String, Codable, Sendable { case event, info }

        let symbol: DTMFSymbol
        let way: Way
        let at: Instant
    }

    /// The two reports of one press come at most this far apart.
    private static let onePress = Duration.seconds(1)
    private static let mostPresses = 16

    var isByInfo = false
    var tone: DTMFSymbol?
    var toneAt: Instant?
    /// Reports whose twin may still come. Nil before the first.
    private var presses: [Press]?

    init(isByInfo: Bool = false, tone: DTMFSymbol? = nil, toneAt: Instant? = nil) {
        (self.isByInfo, self.tone, self.toneAt) = (isByInfo, tone, toneAt)
    }

    /// Takes the earlier report of the same press, which came in the other way. Without one, it waits for its twin.
    fileprivate mutating func takeTwin(of press: Press) -> Bool {
        var known = (presses ?? []).filter { press.at - $0.at < Self.onePress }
        let twin = known.firstIndex { $0.symbol == press.symbol && $0.way != press.way }
        if let twin { known.remove(at: twin) } else { known.append(press) }
        presses = known.isEmpty ? nil : known.suffix(Self.mostPresses)
        return twin != nil
    }

    fileprivate func isTone(_ symbol: DTMFSymbol, at now: Instant) -> Bool {
        guard let tone, let toneAt else { return false }
        return tone == symbol && now - toneAt < Self.onePress
    }
}
