import Base

/// A page: speech to a group of phones, without an answer.
public struct Page: Hashable, Codable, Sendable {
    /// The number of its group, from 1.
    public var group: UInt8
    /// The group's name for people.
    public var label: String

    public init(group: UInt8, label: String) { (self.group, self.label) = (group, label) }
}

/// Why a page that has begun is not heard.
public enum PageObstacle: String, CaseIterable, Codable, Sendable {
    /// A person uses the phone, and the group does not interrupt calls.
    case busy
    case doNotDisturb
    /// A page of a group with priority is heard.
    case priority
    /// Something more important has the sound device.
    case interruption
}

/// Why a page that this phone sent is over.
public enum PageSendingEnd: String, CaseIterable, Codable, Sendable {
    /// The person, or a program, ended it.
    case stopped
    /// It was as long as the group allows.
    case tooLong
    /// A call has the sound.
    case call
    /// A page of a group with priority is heard.
    case priority
    /// Something more important has the sound device.
    case interruption
    /// It cannot be sent.
    case failed
}

/// A page that is sent, as Media needs it.
public struct PageSending: Equatable, Codable, Sendable {
    /// The number of its group, from 1.
    public var group: UInt8
    /// Whether the microphone's sound is sent. If not, silence is sent.
    public var isOpen: Bool

    public init(group: UInt8, isOpen: Bool) { (self.group, self.isOpen) = (group, isOpen) }
}

/// The groups whose pages are heard and sent. The first has the highest priority.
public struct PagingPolicy: Equatable, Codable, Sendable {
    public struct Group: Equatable, Codable, Sendable {
        /// Its name for people.
        public var label: String
        /// Whether a page interrupts a call. The call is paused while the page is heard.
        public var interruptsCalls: Bool
        /// Whether its pages are heard even in do-not-disturb.
        public var isEmergency: Bool
        /// The longest page that this phone may send to the group. Nil: it sends none.
        public var longestSent: Duration?

        public init(
            label: String, interruptsCalls: Bool = false, isEmergency: Bool = false, longestSent: Duration? = nil
        ) {
            self.label = label
            self.interruptsCalls = interruptsCalls
            self.isEmergency = isEmergency
            self.longestSent = longestSent
        }
    }

    public var groups: [Group]

    public init(groups: [Group]) { self.groups = groups }

    /// Groups are numbered from 1. Nil: there is no such group.
    func group(_ number: UInt8) -> Group? {
        groups.indices.contains(Int(number) - 1) ? groups[Int(number) - 1] : nil
    }

    /// The page of this group; nil: there is no such group.
    func page(_ number: UInt8?) -> Page? {
        number.flatMap { number in group(number).map { Page(group: number, label: $0.label) } }
    }
}

/// A page that the person at the phone speaks.
struct SentPage: Equatable, Codable, Sendable {
    var group: UInt8
    var since: Instant
    var until: Instant
    var isMuted = false
}

/// A page that this phone sends, for observers. Its start time distinguishes it from the page before.
struct OwnPage: Equatable, Sendable {
    let page: Page
    let since: Instant
    let isMuted: Bool

    /// Nil: the phone sends no page.
    init?(_ phone: borrowing PhoneState, _ policy: borrowing PhonePolicy) {
        guard let sent = phone.sentPage, let page = policy.paging?.page(sent.group) else { return nil }
        (self.page, since, isMuted) = (page, sent.since, sent.isMuted)
    }

    var sending: PageSending { PageSending(group: page.group, isOpen: !isMuted) }

    func isSame(as other: OwnPage?) -> Bool { page == other?.page && since == other?.since }
}

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
