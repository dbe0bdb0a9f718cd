import Base
import Glibc
import Platform

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
