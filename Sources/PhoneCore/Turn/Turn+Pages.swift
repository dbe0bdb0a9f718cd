/// Pages. Which one is heard is a function of the state: of those that have begun and may be heard now, the one whose
/// group comes first. So a page gives way and comes back without anybody doing anything about it.
extension Turn {
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
