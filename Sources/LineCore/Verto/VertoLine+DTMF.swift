import Base
import VertoCore

/// Sends digits by `info`, one after the other as by SIP's INFO. Each waits for the answer to the one before it.
extension VertoLine {
    mutating func send(_ elements: [DTMFElement], _ leg: LegID, at now: Instant) {
        var isTaken = false
        if case .up = legs[leg]?.stage { isTaken = true }
        handle(dtmf.send(elements, in: leg, isTaken: isTaken, at: now), at: now)
    }

    mutating func handle(_ effects: [DTMFQueues.Effect], at now: Instant) {
        for effect in effects {
            switch effect {
            case .info(let leg, let symbol):
                guard let call = legs[leg]?.call else {
                    dtmf.forget(leg)
                    continue
                }
                post(.call(call, .dtmf(symbol)), at: now)
            case .sent(let leg, let unsent): outputs.append(.dtmfSent(leg, unsent: unsent))
            }
        }
    }
}
