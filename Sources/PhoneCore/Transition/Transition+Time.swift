import Base

/// The effects of deadlines that have passed.
extension Transition {
    /// Does everything that is due, in the order in which it fell due. Each step removes its own deadline or moves it
    /// beyond `now`, so the loop ends.
    mutating func expire() {
        phone.recentCalls.forget(before: now - policy.memoryTime)
        while let next = phone.next(policy), next.due <= now {
            switch next.what {
            case .second(let id):
                secondDue(id)
                continue
            case .action(let entry): overrun(entry)
            case .call(let id): callDue(id)
            case .userAudio: userAudioDue()
            case .recall: phone.recall = nil
            case .cradle: hungUp()
            case .network: pathDue()
            case .organisation: switchDue()
            case .signIn: signInDue()
            case .organisationList: finishListing(.failure(.timeout))
            case .interruption: interruptionDue()
            case .relay(let number): phone.relays[number] = nil
            case .alarm(let name): alarmDue(name)
            case .soundTest: soundTestDue()
            case .question(let id): questionDue(id)
            }
            onlySecondsPassed = false
        }
    }

    private mutating func callDue(_ id: CallID) {
        guard let call = phone[id] else { return }
        switch call.state {
        case .ringingIn(let ringing): end(id, isDue(ringing.offerDue) ? .noOffer : .noAnswer)
        case .ringingOut(.dialled(let until, let alerting, .awaited(let negotiated, let voiceDue)))
        where voiceDue <= now && until > now:
            phone[id]?.state = .ringingOut(.dialled(until: until, alerting: alerting, early: .silent(negotiated)))
        case .ringingOut: end(id, .noAnswer)
        case .connecting(let connecting):
            if case .preparing(let ringing) = connecting.stage, isDue(ringing.offerDue) {
                end(id, .noOffer)
            } else {
                giveUpConnecting(id)
            }
        case .active, .onHold: talkDue(call, isDue(call.silenceDue) ? .mediaLost : nil)
        case .reconnecting(_, let recovery):
            if isDue(recovery.until) { notice(.networkTimeout(id)) }
            talkDue(call, isDue(recovery.until) ? .networkLost : nil)
        case .disconnecting(let disconnecting): finishUnconfirmed(call, disconnecting)
        case .idle, .ended, .failed: return
        }
    }

    /// Ends a call that is up for this reason, or because it has taken too long. Otherwise its hold got no answer in
    /// time.
    private mutating func talkDue(_ call: Call, _ reason: EndReason?) {
        if let reason = reason ?? (isDue(call.endsBy) ? .tooLong : nil) {
            end(call.id, reason)
        } else {
            holdSettled(call.id, nil)
        }
    }

    private func isDue(_ instant: Instant?) -> Bool { instant.map { $0 <= now } ?? false }

    /// Reports how long the call has been up. It reports once, even if several seconds are due.
    private mutating func secondDue(_ id: CallID) {
        guard let index = phone.index(of: id), let answered = phone.calls[index].answered else { return }
        let seconds = Int((now - answered).components.seconds)
        phone.calls[index].secondsTold = seconds
        notice(.callDuration(id, seconds: seconds))
    }

    /// Seconds that passed without a report are not reported later.
    private mutating func skipSeconds() {
        for index in phone.calls.indices {
            guard let answered = phone.calls[index].answered else { continue }
            phone.calls[index].secondsTold = Int((now - answered).components.seconds)
        }
    }

    /// Settles what depends on the calls.
    mutating func settleDown(since before: PhoneState) {
        skipSeconds()
        keepConference()
        keepRecording()
        keepPlayback()
        keepConsultation()
        keepRecall()
        keepSentPage()
        choosePage(since: before)
        settleRoute(wasBusy: before.isBusy)
        keepSoundTest(since: before)
        adoptContext()
    }
}
