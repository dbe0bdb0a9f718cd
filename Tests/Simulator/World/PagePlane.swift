import PhoneCore

/// The paging groups of all phones: the sender and the receivers of each. The first sender has the group, as with real
/// phones.
struct PagePlane: Sendable {
    private var listeners: Set<Int> = []
    /// The phone that has a group, by the group's number.
    private var senders: [UInt8: Int] = [:]

    mutating func join(_ phone: Int) { listeners.insert(phone) }

    /// A phone sends to a group from now on; nil: to none.
    /// - Returns: The notified phones and their events.
    mutating func send(_ group: UInt8?, of phone: Int) -> [(listener: Int, event: MediaEvent)] {
        let before = senders.first { $0.value == phone }?.key
        guard before != group else { return [] }
        var events: [MediaEvent] = []
        if let before {
            senders[before] = nil
            events.append(.pageEnded(before))
        }
        if let group, senders[group] == nil {
            senders[group] = phone
            events.append(.pageStarted(group))
        }
        return listeners.sorted().filter { $0 != phone }.flatMap { listener in events.map { (listener, $0) } }
    }

    /// A phone's process has ended.
    mutating func leave(_ phone: Int) -> [(listener: Int, event: MediaEvent)] {
        listeners.remove(phone)
        return send(nil, of: phone)
    }
}
