import JSON
import PhoneCore

/// Handles queries for the lines' signalling messages.
extension Exchange {
    func publish(_ signal: ControlSignal) {
        signalCounted()
        answer(signals.publish(signal))
    }

    /// Answers `getSignals`, now or later.
    func askForSignals(_ params: RPCParams, from asker: Asker) throws(RPCError) {
        let seen = UInt64(try params.optionalInteger("after", in: 0...Int64.max) ?? 0)
        let waits = params.has("wait") ? try params.flag("wait") : false
        asker.peer.requestsInFlight += 1
        answer(signals.ask(.init(asker: asker, seen: seen), waits: waits))
    }

    /// Answers the queries. A connection that is too slow closes in between, and leaves the desk.
    private func answer(_ questions: [SignalDesk.Question]) {
        for question in questions {
            let page = signals.page(for: question)
            question.asker.peer.requestsInFlight -= 1
            question.asker.answer(
                .success([
                    "last": .integer(Int64(clamping: page.last)), "lost": .integer(Int64(clamping: page.lost)),
                    "signals": .array(page.signals.map { $0.json(label: label(of: $0.account)) }),
                ]))
        }
    }
}
