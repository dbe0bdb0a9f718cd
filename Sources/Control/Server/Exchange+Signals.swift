import PhoneCore

/// The signalling messages of the lines, for programs that ask.
extension Exchange {
    func publish(_ signal: ControlSignal) {
        signalCounted()
        answer(signals.publish(signal))
    }

    /// Answers `getSignals`, now or later.
    func askForSignals(_ call: RPCCall, from connection: Connection) throws(RPCError) {
        try call.params.allow("after", "wait")
        let seen = UInt64(try call.params.optionalInteger("after", in: 0...Int64.max) ?? 0)
        let waits = call.params.has("wait") ? try call.params.flag("wait") : false
        connection.requestsInFlight += 1
        answer(signals.ask(.init(connection: connection, identifier: call.identifier, seen: seen), waits: waits))
    }

    /// Answers the questions. A connection that is too slow is closed meanwhile, and leaves the desk.
    private func answer(_ questions: [SignalDesk.Question]) {
        for question in questions {
            let page = signals.page(for: question)
            question.connection.requestsInFlight -= 1
            question.connection.answer(
                question.identifier,
                .success([
                    "last": .integer(Int64(clamping: page.last)), "lost": .integer(Int64(clamping: page.lost)),
                    "signals": .array(page.signals.map { $0.json(label: label(of: $0.account)) }),
                ]))
        }
    }
}
