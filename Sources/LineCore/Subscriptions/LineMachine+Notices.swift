import Base
import SIPCore

/// Messages that wait at the account's server (RFC 3842), told by NOTIFY without our asking.
extension LineMachine {
    /// By which a NOTIFY that was overtaken on the way is told from the next one.
    struct Notice: Equatable, Sendable {
        let callID: String
        let sequence: UInt32
    }

    mutating func notified(
        _ request: SIPRequest, _ id: ServerTransactionID, over flow: Flow, at now: Instant
    ) {
        // A stranger's word would light our lamp.
        guard isOwnServer(flow) else { return answer(request, .forbidden, id, at: now) }
        let notice: Notice
        do throws(SIPParseError) {
            let event = try request.headers.required(.event, as: LooseValue.self)
            guard event.word == MessageSummary.package else { return refuseEvent(request, id, at: now) }
            notice = Notice(callID: try request.headers.callID, sequence: try request.headers.cSeq.number)
        } catch {
            return answer(request, .badRequest, id, at: now)
        }
        if let last = self.notice, last.callID == notice.callID, last.sequence >= notice.sequence {
            return answer(request, .serverInternalError, id, at: now)
        }
        guard !request.body.isEmpty else { return answer(request, .ok, id, at: now) }
        guard (try? request.headers.contentType)?.name == MessageSummary.mediaType else {
            return refuse(request, accepting: [MessageSummary.mediaType], id, at: now)
        }
        guard let summary = MessageSummary(request.body) else { return answer(request, .badRequest, id, at: now) }
        self.notice = notice
        answer(request, .ok, id, at: now)
        outputs.append(.messagesWaiting(summary.newVoiceMessages))
    }

    private mutating func refuseEvent(_ request: SIPRequest, _ id: ServerTransactionID, at now: Instant) {
        var response = request.response(.badEvent, tag: identifiers.makeTag())
        response.headers.set(.allowEvents, tokens: [MessageSummary.package])
        handle(layer.respond(response, to: id, at: now), at: now)
    }
}
