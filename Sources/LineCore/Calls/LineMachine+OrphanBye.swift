import Base
import SDPCore
import SIPCore

/// BYEs for calls of an earlier process, which crashed or was killed during them.
extension LineMachine {
    /// Reports that a leg is answered, and what another process would need to end it.
    mutating func answered(_ id: LegID, _ agreed: NegotiatedMedia, at now: Instant) {
        progress(.answered(id, agreed), of: id, .ok, at: now)
        guard let dialog = legs[id]?.dialog else { return }
        let memo = DialogSnapshot(dialog, realm: id.origin == .local ? authentication.realm : nil)
        if let text = memo?.text { outputs.append(.memo(id, text)) }
    }

    mutating func beginOrphanBye(_ text: String, at now: Instant) {
        guard !isShuttingDown else { return }
        do throws(SIPParseError) {
            let number = orphanByes.begin(try DialogSnapshot(text), at: now)
            // The server may challenge the BYE. It gets an answer only if we know that it is the server, so we locate
            // it first.
            if let account = configuration.account, routing.home.isEmpty, registration.living.isEmpty {
                send(.orphanBye(number), to: account.server, at: now)
            } else {
                sendOrphanBye(number, at: now)
            }
        } catch {
            outputs.append(.dropped(.malformed(error)))
        }
    }

    mutating func sendOrphanBye(_ number: UInt32, at now: Instant) {
        guard let memo = orphanByes[number] else { return }
        var request = memo.request
        request.headers.append(.reason, Reason.interrupted)
        send(.request(request, .orphanBye(number)), to: webSocketServer ?? memo.hop.otherwise(usualTransport), at: now)
    }

    /// The BYE got any final response, or its time is over.
    mutating func endOrphanBye(_ number: UInt32) {
        orphanByes.end(number)
        routing.giveUp { $0.isOrphanBye(number) }
        abandon(.orphanBye(number))
    }
}
