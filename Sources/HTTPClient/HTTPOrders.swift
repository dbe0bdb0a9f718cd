import Base
import Platform
import Synchronization

/// What other threads ask of the client's thread, and the requests that are not finished.
final class HTTPOrders: Sendable {
    typealias Handler = @Sendable (Result<HTTPResponse, HTTPFailure>) -> Void

    struct Batch {
        var events: [HTTPJobs.Event] = []
        var forgetsConnections = false
    }

    private struct State {
        var batch = Batch()
        var handlers: [HTTPTicket: Handler] = [:]
        var last: UInt64 = 0
        var isClosed = false
    }

    private let state = Mutex(State())
    let wake = WakeSignal.atStart()

    /// - Returns: The request's ticket, and why it is not accepted.
    func send(_ request: HTTPRequest, _ handler: @escaping Handler) -> (HTTPTicket, HTTPFailure?) {
        let answer = state.withLock { state -> (HTTPTicket, HTTPFailure?) in
            state.last += 1
            let ticket = HTTPTicket(number: state.last)
            if state.isClosed { return (ticket, .cancelled) }
            guard state.handlers.count < HTTPClient.mostRequests else { return (ticket, .overloaded) }
            state.handlers[ticket] = handler
            state.batch.events.append(.sent(ticket, request))
            return (ticket, nil)
        }
        wake.raise()
        return answer
    }

    func cancel(_ ticket: HTTPTicket) {
        state.withLock { state in
            // Only once for each request, so the list is bounded.
            let isKnown = state.batch.events.contains { if case .cancelled(ticket) = $0 { true } else { false } }
            if state.handlers[ticket] != nil, !isKnown { state.batch.events.append(.cancelled(ticket)) }
        }
        wake.raise()
    }

    func forgetConnections() {
        state.withLock { $0.batch.forgetsConnections = true }
        wake.raise()
    }

    func close() {
        state.withLock { $0.isClosed = true }
        wake.raise()
    }

    /// - Returns: What has been asked since the last call; nil: the client is closed.
    func take() -> Batch? {
        state.withLock { state in
            guard !state.isClosed else { return nil }
            defer { state.batch = Batch() }
            return state.batch
        }
    }

    /// Calls the request's handler, unless it has been called.
    func finish(_ ticket: HTTPTicket, _ result: Result<HTTPResponse, HTTPFailure>) {
        state.withLock { $0.handlers.removeValue(forKey: ticket) }?(result)
    }

    func finishAll(_ failure: HTTPFailure = .cancelled) {
        let handlers = state.withLock { state in
            defer { state.handlers = [:] }
            return state.handlers
        }
        for (_, handler) in handlers.sorted(by: { $0.key.number < $1.key.number }) { handler(.failure(failure)) }
    }
}
