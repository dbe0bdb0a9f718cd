import Base

/// A page that this phone sends, as it is shown. Its beginning tells it from the one before it.
struct OwnPage: Equatable, Sendable {
    let page: Page
    let since: Instant
    let isMuted: Bool

    /// Nil: there is none.
    init?(_ phone: borrowing PhoneState, _ policy: borrowing PhonePolicy) {
        guard let sent = phone.sentPage, let page = policy.paging?.page(sent.group) else { return nil }
        (self.page, since, isMuted) = (page, sent.since, sent.isMuted)
    }

    var sending: PageSending { PageSending(group: page.group, isOpen: !isMuted) }

    func isSame(as other: OwnPage?) -> Bool { page == other?.page && since == other?.since }
}
