import Base

extension PhoneState {
    /// Something that the phone does by itself.
    enum Due: Equatable, Sendable {
        case action(ActionLedger.Entry)
        case call(CallID)
        /// Another second of a call has to be reported.
        case second(CallID)
        case userAudio, recall, cradle, network, organisation, signIn, organisationList, interruption, soundTest
        case relay(UInt8)
        case alarm(String)
        /// A person was asked and has not answered.
        case question(CallID)
    }

    /// The next instant at which the phone does something by itself, and what it does. Of several things at the same
    /// instant, those that end a wait come before those that only report.
    func next(_ policy: PhonePolicy) -> (due: Instant, what: Due)? {
        var next: (due: Instant, what: Due)?
        func consider(_ due: Instant?, _ what: Due) {
            if let due, due < next?.due ?? Instant(nanoseconds: .max) { next = (due, what) }
        }
        consider(switching?.due, .organisation)
        consider(backend.signIn.due, .signIn)
        consider(backend.listing?.until, .organisationList)
        for entry in actions.entries { consider(entry.due, .action(entry)) }
        for index in calls.indices {
            consider(calls[index].due, .call(calls[index].id))
            consider(calls[index].question?.until, .question(calls[index].id))
        }
        if let flash = policy.flash { consider(cradleDown.map { $0 + flash.longest }, .cradle) }
        consider(network.changedAt.map { $0 + policy.networkBlipTime }, .network)
        if case .waiting(let until) = interruption { consider(until, .interruption) }
        consider(userAudio.due, .userAudio)
        consider(recall?.until, .recall)
        for number in relays.keys.sorted() {
            if case .pulse(let until) = relays[number] { consider(until, .relay(number)) }
        }
        for name in alarms.keys.sorted() { consider(alarms[name]?.due, .alarm(name)) }
        consider(soundTestDue(policy), .soundTest)
        for index in calls.indices { consider(calls[index].secondDue, .second(calls[index].id)) }
        return next
    }
}
