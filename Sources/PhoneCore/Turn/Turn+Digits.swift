import Base

/// Digits inside a call: as telephone events, by signalling, or as sound (spec §8).
extension Turn {
    /// The longest sequence of digits taken at once, pauses included.
    private static let longestDTMF = 64

    /// Done when they are handed over; that the last one left is a notice.
    mutating func sendDigits(_ wanted: CallID?, _ elements: [DTMFElement]) throws(ActionFailure) {
        guard let call = wanted.map({ phone[$0] }) ?? phone.focus else { throw .noSuchCall }
        guard !elements.isEmpty else { throw .invalidTarget }
        guard elements.count <= Self.longestDTMF else { throw .noRoom }
        switch call.state {
        case .active(let talk):
            guard let leg = call.leg else { throw .wrongState }
            switch (policy.dtmf, talk.negotiated.telephoneEvents != nil) {
            case (.automatic, true), (.events, true): emit(.media(.dtmf(call.id, elements, inBand: false)))
            case (.events, false): throw .refusedThere
            case (.automatic, false), (.info, _): emit(.line(.dtmf(leg, elements)))
            case (.inBand, _): emit(.media(.dtmf(call.id, elements, inBand: true)))
            }
        case .idle, .ringingIn, .ringingOut, .connecting, .onHold, .reconnecting, .disconnecting, .ended, .failed:
            throw .wrongState
        }
    }

    /// What the line could not say is sung, where that is wanted and somebody hears it.
    mutating func digitsLeft(_ call: Call, unsent: [DTMFElement]) {
        guard call.isUp else { return }
        guard !unsent.isEmpty else { return notice(.dtmfSent(call.id)) }
        guard policy.dtmf == .automatic, call.phase == .active else {
            return notice(.trouble("\(call.id): the far end did not take the digits"))
        }
        emit(.media(.dtmf(call.id, unsent, inBand: true)))
    }

    /// The far end dials, whichever way its digits come: people hear of it, and perhaps a door.
    mutating func digitHeard(_ id: CallID, _ symbol: DTMFSymbol) {
        guard phone[id]?.microphone != nil else { return }
        notice(.dtmfReceived(id, symbol))
        workRelays(id, symbol)
    }
}
