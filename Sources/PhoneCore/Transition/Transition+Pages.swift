import Base

/// Pages that are received. The state decides which one is heard: of the pages that may be heard now, the one of the
/// first group. So a page gives way to another and comes back without further code.
extension Transition {
    mutating func pageStarted(_ number: UInt8) {
        // Only groups that the policy names are accepted.
        guard policy.paging?.group(number) != nil else { return }
        phone.pages.insert(number)
    }

    mutating func pageEnded(_ number: UInt8) { phone.pages.remove(number) }

    mutating func choosePage(since before: PhoneState) {
        guard phone.mode == .running else { return phone.page = nil }
        phone.page = phone.pages.sorted().first { obstacle(to: $0) == nil }
        if phone.page != nil, phone.sentPage != nil { endSentPage(.priority) }
        for number in phone.pages.subtracting(before.pages).sorted() where number != phone.page {
            guard let page = policy.paging?.page(number) else { continue }
            notice(.pageNotHeard(page, obstacle(to: number) ?? .priority))
        }
    }

    /// Nil: the page may be heard, unless another one comes first.
    private func obstacle(to number: UInt8) -> PageObstacle? {
        guard let group = policy.paging?.group(number), phone.interruption == .none else { return .interruption }
        if phone.settings.doNotDisturb && !group.isEmergency { return .doNotDisturb }
        if phone.isBusy && !group.interruptsCalls { return .busy }
        return phone.sentPage.map { $0.group <= number } ?? false ? .priority : nil
    }
}

/// Pages that the person at the phone speaks to groups that the configuration permits.
///
/// Paging is one of the person's activities, like dialling: any other activity ends it. A call that arrives during a
/// page is signalled by call waiting. `tellMicrophones` turns the microphone on, as it does for calls.
extension Transition {
    mutating func startPage(_ number: UInt8) throws(ActionFailure) {
        guard let group = policy.paging?.group(number) else { throw .invalidTarget }
        guard let limit = group.longestSent else { throw .notSupported }
        // Receivers hear the page that began first, so two at once would not both be heard.
        guard phone.sentPage == nil, !phone.pages.contains(number) else { throw .alreadyUnderWay }
        let isOutranked = phone.page.map { $0 < number } ?? false
        let isFree = phone.calls.allSatisfy { !$0.isRinging && !$0.isTakingAudioFocus && !$0.hasUserAudio }
        guard isFree, !isOutranked, phone.interruption == .none else { throw .soundInUse }
        if phone.userAudio == .closed { setRoute(.speaker, isChosen: false) }
        phone.userAudio = .paging(SentPage(group: number, since: now, until: now + limit))
    }

    mutating func stopPage() throws(ActionFailure) {
        guard phone.sentPage != nil else { throw .wrongState }
        endSentPage(.stopped)
    }

    /// The key of a group begins and ends a page to it. The keys of other groups do nothing during the page.
    mutating func pagePressed(_ number: UInt8) {
        let isSame = phone.sentPage?.group == number
        perform(isSame ? .stopPage : .startPage(group: number), as: panelAction())
    }

    mutating func mutePage(_ muted: Bool) {
        guard var page = phone.sentPage else { return }
        page.isMuted = muted
        phone.userAudio = .paging(page)
    }

    /// Media cannot send it.
    mutating func pageUnsent(_ number: UInt8, _ text: String) {
        guard phone.sentPage?.group == number else { return }
        notice(.trouble(text, .page))
        endSentPage(.failed)
    }

    /// Ends the page if a call has the sound by now, or something more important has.
    mutating func keepSentPage() {
        guard phone.sentPage != nil else { return }
        if phone.interruption != .none {
            endSentPage(.interruption)
        } else if phone.calls.contains(where: { $0.isTakingAudioFocus || $0.hasUserAudio }) {
            endSentPage(.call)
        }
    }

    /// A person who does not end the page hears that it is over. At the handset the dial tone follows; where a call is
    /// held, the person resumes it.
    mutating func endSentPage(_ reason: PageSendingEnd) {
        pageEnd = reason
        switch reason {
        case .tooLong, .failed: tellUser(.congestion)
        case .stopped, .call, .priority, .interruption:
            if phone.isEngaged {
                phone.userAudio = .inCall
            } else if isHandsFree {
                phone.userAudio = .closed
            } else {
                listenForDigits()
            }
        }
    }

    /// Reports the page that is over, and why, also if the person left the phone or did something else.
    mutating func tellSentPages(_ old: ObservableState, _ new: ObservableState) {
        let isSame = old.sentPage.map { $0.isSame(as: new.sentPage) } ?? (new.sentPage == nil)
        if let ended = old.sentPage, !isSame {
            let isCalled = phone.calls.contains { $0.isTakingAudioFocus || $0.hasUserAudio }
            notice(.pageSendingEnded(ended.page, pageEnd ?? (isCalled ? .call : .stopped)))
        }
        if let begun = new.sentPage, !isSame { notice(.pageSendingStarted(begun.page)) }
    }
}
