import Base

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
