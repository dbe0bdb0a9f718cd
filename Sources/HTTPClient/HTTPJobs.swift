import Base

/// Decides about all requests of a client: which are under way, which wait, and what follows an answer.
///
/// A request waits, is under way, or pauses before another attempt. Each ends exactly once, by `finish`.
package struct HTTPJobs: Sendable {
    /// How many requests are under way at once.
    package static let mostRunning = 4
    private static let longestTimeout = Duration.seconds(600)

    package enum Event: Sendable {
        case sent(HTTPTicket, HTTPRequest)
        case cancelled(HTTPTicket)
        case answered(HTTPTicket, Result<Answer, HTTPFailure>)
        /// The time of `deadline` has come.
        case due
    }

    package struct Answer: Equatable, Sendable {
        package let response: HTTPResponse
        package let location: String?

        package init(_ response: HTTPResponse, location: String? = nil) {
            (self.response, self.location) = (response, location)
        }
    }

    package enum Effect: Equatable, Sendable {
        case start(HTTPTicket, Attempt)
        /// Ends an attempt that is under way. It is not answered any more.
        case stop(HTTPTicket)
        case finish(HTTPTicket, Result<HTTPResponse, HTTPFailure>)
    }

    /// One exchange with a server.
    package struct Attempt: Equatable, Sendable {
        package let address: WebAddress
        /// Its method and body are those of this exchange.
        package let request: HTTPRequest
        package let timeout: Duration

        package init(address: WebAddress, request: HTTPRequest, timeout: Duration) {
            (self.address, self.request, self.timeout) = (address, request, timeout)
        }
    }

    private enum State: Equatable, Sendable {
        case waiting
        case running
        case pausing(until: Instant)
    }

    private struct Job: Sendable {
        let ticket: HTTPTicket
        var request: HTTPRequest
        var address: WebAddress
        let deadline: Instant
        var retry: Retry
        var redirects = Redirects()
        var state = State.waiting

        var next: Instant {
            if case .pausing(let until) = state { min(until, deadline) } else { deadline }
        }
    }

    /// In the order in which they were sent.
    private var jobs: [Job] = []

    package init() {}

    package var isEmpty: Bool { jobs.isEmpty }
    package var deadline: Instant? { jobs.lazy.map(\.next).min() }

    /// - Parameter random: Gives a number from 0 up to 1, for the jitter of a pause.
    package mutating func handle(
        _ event: Event, at now: Instant, random: () -> Double = { .random(in: 0..<1) }
    ) -> [Effect] {
        let effects =
            switch event {
            case .sent(let ticket, let request): accept(ticket, request, at: now)
            case .cancelled(let ticket): end(ticket, .failure(.cancelled))
            case .answered(let ticket, let result): judge(ticket, result, at: now, random)
            case .due: pass(now)
            }
        return effects + startMore(at: now)
    }

    private mutating func accept(_ ticket: HTTPTicket, _ request: HTTPRequest, at now: Instant) -> [Effect] {
        let address: WebAddress
        do throws(HTTPFailure) { address = try request.checked() } catch { return [.finish(ticket, .failure(error))] }
        let deadline = now + min(request.timeout, Self.longestTimeout)
        jobs.append(
            Job(
                ticket: ticket, request: request, address: address, deadline: deadline,
                retry: Retry(deadline: deadline, isRepeatable: request.isRepeatable)))
        return []
    }

    private func place(of ticket: HTTPTicket) -> Int? { jobs.firstIndex { $0.ticket == ticket } }

    private mutating func end(_ ticket: HTTPTicket, _ result: Result<HTTPResponse, HTTPFailure>) -> [Effect] {
        guard let place = place(of: ticket) else { return [] }
        let isRunning = jobs.remove(at: place).state == .running
        return (isRunning ? [.stop(ticket)] : []) + [.finish(ticket, result)]
    }

    private mutating func judge(
        _ ticket: HTTPTicket, _ result: Result<Answer, HTTPFailure>, at now: Instant, _ random: () -> Double
    ) -> [Effect] {
        // An answer may meet a request that was cancelled in the same moment.
        guard let place = place(of: ticket), jobs[place].state == .running else { return [] }
        jobs[place].state = .waiting
        if case .success(let answer) = result, Redirects.isRedirect(answer.response.status) {
            return follow(answer, place)
        }
        let result = result.map(\.response)
        guard let next = jobs[place].retry.next(after: result, at: now, random: random()) else {
            return end(ticket, result)
        }
        jobs[place].state = .pausing(until: next)
        return []
    }

    private mutating func follow(_ answer: Answer, _ place: Int) -> [Effect] {
        do throws(HTTPFailure) {
            let next = try jobs[place].redirects.follow(
                answer.response.status, to: answer.location, from: jobs[place].address, by: jobs[place].request.method)
            (jobs[place].address, jobs[place].request.method) = next
            if next.method != .post { (jobs[place].request.body, jobs[place].request.contentType) = (nil, nil) }
            return []
        } catch {
            return end(jobs[place].ticket, .failure(error))
        }
    }

    private mutating func pass(_ now: Instant) -> [Effect] {
        var effects: [Effect] = []
        for ticket in jobs.filter({ $0.deadline <= now }).map(\.ticket) { effects += end(ticket, .failure(.timeout)) }
        for place in jobs.indices {
            if case .pausing(let until) = jobs[place].state, until <= now { jobs[place].state = .waiting }
        }
        return effects
    }

    private mutating func startMore(at now: Instant) -> [Effect] {
        var running = jobs.count { $0.state == .running }
        var effects: [Effect] = []
        for place in jobs.indices where jobs[place].state == .waiting && running < Self.mostRunning {
            jobs[place].state = .running
            running += 1
            let job = jobs[place]
            effects.append(
                .start(
                    job.ticket,
                    Attempt(address: job.address, request: job.request, timeout: max(.zero, job.deadline - now))))
        }
        return effects
    }
}

/// Decides whether a failed request is sent once more, and when: back-off with jitter, until the request's deadline.
package struct Retry: Equatable, Sendable {
    package static let mostAttempts = 4
    private static let firstPause = Duration.milliseconds(250)
    private static let longestPause = Duration.seconds(5)

    /// Statuses that may not return a moment later: overloaded, unavailable, or a gateway's view of a restart
    /// (RFC 9110 §15.5.9, §15.6; RFC 6585 §4).
    private static let passing: Set = [408, 429, 502, 503, 504]

    private let deadline: Instant
    private let isRepeatable: Bool
    private var attempts = 1

    package init(deadline: Instant, isRepeatable: Bool) {
        (self.deadline, self.isRepeatable) = (deadline, isRepeatable)
    }

    /// Counts a failed attempt.
    /// - Parameter random: Any number from 0 up to 1, for the jitter: so phones that failed together do not return
    ///   together.
    /// - Returns: When to send the request again; nil: the result is final.
    package mutating func next(
        after result: Result<HTTPResponse, HTTPFailure>, at now: Instant, random: Double
    ) -> Instant? {
        guard isRepeatable, attempts < Self.mostAttempts, let wish = Self.wish(result) else { return nil }
        let pause = min(Self.firstPause * (1 << (attempts - 1)), Self.longestPause)
        let jitter = pause / 2 * random
        // A server that names a time gets at least that.
        let next = now + (wish > pause ? wish + jitter : pause / 2 + jitter)
        guard next < deadline else { return nil }
        attempts += 1
        return next
    }

    /// How long the server wants to be left alone; nil: another attempt would not help.
    private static func wish(_ result: Result<HTTPResponse, HTTPFailure>) -> Duration? {
        switch result {
        case .success(let response): passing.contains(response.status) ? response.retryAfter ?? .zero : nil
        // A timeout before the deadline is that of the connection.
        case .failure(.network), .failure(.resolve), .failure(.timeout): .zero
        case .failure: nil
        }
    }
}

/// Decides whether a redirect is followed: at most three, and only to the same server. So the token of a request never
/// reaches another one.
package struct Redirects: Equatable, Sendable {
    package static let most = 3

    private var count = 0

    package init() {}

    /// - Parameters:
    ///   - status: 301, 302, 303, 307 or 308 (RFC 9110 §15.4). 303 makes a GET of every request.
    ///   - location: The header `Location`, as it came.
    package mutating func follow(
        _ status: Int, to location: String?, from address: WebAddress, by method: HTTPRequest.Method
    ) throws(HTTPFailure) -> (address: WebAddress, method: HTTPRequest.Method) {
        guard let location else { throw .redirect("the server redirects without an address") }
        count += 1
        guard count <= Self.most else { throw .redirect("the server redirects more than \(Self.most) times") }
        // Browsers make a GET of a POST then. A request with an effect must not become one without.
        guard status > 302 || method == .get else {
            throw .redirect("the server redirects \(method.rawValue) with status \(status); only 307 and 308 keep it")
        }
        let target: WebAddress
        do throws(WebAddress.Fault) {
            target = try address.resolve(location)
        } catch {
            throw .redirect("the server redirects to an address that is not allowed: \(error.rawValue)")
        }
        guard target.hasSameServer(as: address) else {
            throw .redirect(
                "the server redirects to another one, \(target.scheme.rawValue)://\(target.host):\(target.port)")
        }
        return (target, status == 303 ? .get : method)
    }

    /// Whether the status asks for another request to the address in `Location`.
    package static func isRedirect(_ status: Int) -> Bool { [301, 302, 303, 307, 308].contains(status) }
}
