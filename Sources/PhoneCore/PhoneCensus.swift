/// The sizes of the phone's tables. Tests check by it that memory stays bounded.
package struct PhoneCensus: Equatable, Sendable {
    package let calls: Int
    package let pastCalls: Int
    package let actions: Int
    package let registrations: Int
    package let messages: Int
    package let watched: Int
    package let missed: Int
    package let contacts: Int
    package let peerKeys: Int
    package let alarms: Int
    package let inputs: Int
    package let organisations: Int
    package let listings: Int

    /// Whether each table is within its limit.
    package func isBounded(by policy: PhonePolicy) -> Bool {
        calls <= policy.maximumCalls + PhoneState.spareCalls && pastCalls <= RecentCalls.capacity
            && actions <= Self.actionsOfACall * (calls + 1) && registrations <= PhoneState.mostAccounts
            && messages <= PhoneState.mostAccounts && watched <= policy.watchedNumbers.count
            && missed <= PhoneState.mostMissed && contacts <= PhoneState.mostContacts
            && peerKeys <= PhoneState.mostPeerKeys
            && alarms <= policy.alarms.count && inputs <= PhoneState.mostInputs
            && organisations <= KnownOrganisation.longestList && listings <= BackendState.Listing.longest
    }

    /// One action of each kind that lasts, also for a call that has just ended.
    private static let actionsOfACall = 9
}

extension PhoneCensus {
    init(_ phone: PhoneState) {
        self.init(
            calls: phone.calls.count, pastCalls: phone.recentCalls.pasts.count, actions: phone.actions.entries.count,
            registrations: phone.registrations.count, messages: phone.messages.count, watched: phone.watched.count,
            missed: phone.missed.count, contacts: phone.contacts.count,
            peerKeys: phone.peerKeys?.count ?? 0, alarms: phone.alarms.count,
            inputs: phone.inputs.count, organisations: phone.backend.organisations.count,
            listings: phone.backend.listing?.actions.count ?? 0)
    }
}
