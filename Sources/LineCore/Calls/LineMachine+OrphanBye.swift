import Base
import SDPCore
import SIPCore

/// BYEs to calls of the process before, which crashed or was killed in them.
extension LineMachine {
    /// A leg is answered, and what is needed to leave it from another process is known.
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
            // The server may ask who we are, and is only answered when we know that it is the server.
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
        send(.request(request, .orphanBye(number)), to: memo.hop.otherwise(usualTransport), at: now)
    }

    /// It was answered, somehow, or its time is over.
    mutating func endOrphanBye(_ number: UInt32) {
        orphanByes.end(number)
        routing.giveUp { $0.isOrphanBye(number) }
        abandon(.orphanBye(number))
    }
}
