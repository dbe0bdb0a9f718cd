import Base
import SDPCore
import SIPCore

/// Handles far ends that ring. Each of them has its own dialog, with its own route, CSeq and terms.
extension LineMachine {
    /// A provisional response to our INVITE.
    mutating func progressed(_ id: LegID, _ invite: SIPRequest, _ response: SIPResponse, at now: Instant) {
        guard case .inviting(var inviting) = legs[id], response.status != .trying else { return }
        var agreed: NegotiatedMedia?
        var acknowledgement: (prack: SIPRequest, dialog: Dialog)?
        if let tag = try? response.headers.to.tag, var early = inviting.earlyDialog(tag, invite, response) {
            let step = early.progress.take(response)
            switch step {
            case .outOfOrder: return
            case .unreliable: break
            case .next(let sequence):
                acknowledgement = (try? early.dialog.acknowledgement(of: sequence, to: invite))
                    .map { ($0, early.dialog) }
            }
            agreed = early.takeAnswer(in: response, isReliable: step != .unreliable, to: inviting.negotiation)
            inviting.early[tag] = early
        }
        let rings = !inviting.hasRung && response.status == .ringing
        if rings { inviting.hasRung = true }
        legs[id] = .inviting(inviting)
        if rings { progress(.ringing(id), of: id, .ringing, at: now) }
        if let agreed { progress(.earlyMedia(id, agreed), of: id, .sessionProgress, at: now) }
        if let (prack, dialog) = acknowledgement {
            send(prack, in: dialog, .prack(id, tag: dialog.id.remoteTag), at: now)
        }
    }

    /// The dialog that a 2xx to our INVITE confirms: the early one, or a new one.
    func dialog(of request: SentRequest, _ response: SIPResponse, after early: EarlyDialog?) -> Dialog? {
        guard var dialog = early?.dialog else {
            return try? Dialog(sending: request.request, receiving: response)
        }
        do throws(SIPParseError) { try dialog.receive(response, to: request.request) } catch { return nil }
        return dialog
    }

    /// The dialog of a far end that we do not want. It may have received PRACKs whose CSeq we have forgotten, so the
    /// CSeq of this dialog leaps ahead.
    func strayDialog(of request: SentRequest, _ response: SIPResponse) -> Dialog? {
        var dialog = dialog(of: request, response, after: nil)
        dialog?.leap(by: DialogSnapshot.reserve)
        return dialog
    }
}

extension Leg.Inviting {
    /// The early dialog with a far end, created by its first response.
    fileprivate func earlyDialog(_ tag: String, _ invite: SIPRequest, _ response: SIPResponse) -> EarlyDialog? {
        if let known = early[tag] { return known }
        return early.count < EarlyDialog.limit ? EarlyDialog(invite, response, negotiation) : nil
    }
}
