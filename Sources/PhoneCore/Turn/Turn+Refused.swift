import Base

/// Calls that a line turned away before anybody here could hear of them.
extension Turn {
    mutating func refused(_ caller: Caller, from address: String, because reason: CallRefusal) {
        var who = Identity(caller)
        who.find(in: phone.contacts)
        phone.refusedCalls &+= 1
        notice(
            .callRefused(
                RefusedCall(account: caller.account, number: who.number, name: who.name, from: address, reason: reason))
        )
        // A call that a person would have wanted is in the history, and shown until it is seen.
        guard phone.mode == .running, !isBlocked(who), let end = reason.missedAs else { return }
        phone.callsMade += 1
        let call = Call(
            id: CallID(.info, phone.callsMade), direction: .incoming, who: who, account: caller.account, started: now)
        phone.calls.append(call)
        self.end(call.id, end, overOnTheWire: true)
    }
}
