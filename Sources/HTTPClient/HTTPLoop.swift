import Base
import Glibc
import Platform
import Synchronization

/// The client's thread: carries out what `HTTPJobs` decides.
final class HTTPLoop {
    private let settings: HTTPClientSettings
    private let file: String
    private let orders: HTTPOrders
    private var jobs = HTTPJobs()
    private var library: CurlLibrary?
    private var engine: CurlEngine?
    private var lastUse = MonotonicClock.now()

    /// - Parameter file: The name of libcurl.
    init(_ settings: HTTPClientSettings, _ orders: HTTPOrders, file: String) {
        (self.settings, self.orders, self.file) = (settings, orders, file)
    }

    func run() {
        Self.blockBrokenPipes()
        while let batch = orders.take() {
            if batch.forgetsConnections { engine?.forgetConnections() }
            for event in batch.events { handle(event) }
            if let deadline = jobs.deadline, deadline <= MonotonicClock.now() { handle(.due) }
            for (ticket, result) in engine?.work() ?? [] { handle(.answered(ticket, result)) }
            let now = MonotonicClock.now()
            if engine?.isIdle == false { lastUse = now }
            let isOld = now - lastUse >= CurlEngine.longestIdle
            if let engine, engine.isUseless || (engine.isIdle && isOld) { self.engine = nil }
            wait()
        }
        // Ends the exchanges first.
        engine = nil
        orders.finishAll()
    }

    /// A connection that the server has closed must not end the phone. libcurl leaves this to its user.
    private static func blockBrokenPipes() {
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe sigaddset(&signals, SIGPIPE)
        _ = unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    private func wait() {
        if let engine, !engine.isIdle { return engine.wait(beside: orders.wake, until: jobs.deadline) }
        orders.wake.wait(until: Instant.earliest(jobs.deadline, engine.map { _ in lastUse + CurlEngine.longestIdle }))
    }

    private func handle(_ event: HTTPJobs.Event) {
        var effects = jobs.handle(event, at: MonotonicClock.now())[...]
        while let effect = effects.popFirst() {
            switch effect {
            case .start(let ticket, let attempt):
                do throws(HTTPFailure) {
                    try start(ticket, attempt)
                } catch {
                    effects += jobs.handle(.answered(ticket, .failure(error)), at: MonotonicClock.now())
                }
            case .stop(let ticket): engine?.stop(ticket)
            case .finish(let ticket, let result): orders.finish(ticket, result)
            }
        }
    }

    private func start(_ ticket: HTTPTicket, _ attempt: HTTPJobs.Attempt) throws(HTTPFailure) {
        if engine?.isUseless == true { engine = nil }
        let engine = if let engine { engine } else { try CurlEngine(settings, loaded()) }
        self.engine = engine
        try engine.start(ticket, attempt)
    }

    /// A missing library is looked for again by the next request, because it may have been installed.
    private func loaded() throws(HTTPFailure) -> CurlLibrary {
        do throws(CurlLibrary.Missing) {
            let library = if let library { library } else { try CurlLibrary(file) }
            self.library = library
            return library
        } catch {
            throw .unavailable(error.description)
        }
    }
}

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
