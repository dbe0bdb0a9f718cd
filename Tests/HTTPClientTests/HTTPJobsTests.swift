import Base
import HTTPClient
import Testing

/// What follows a request, in simulated time, without a server.
@Suite struct HTTPJobsTests {
    /// Owns the clock, and keeps the effects.
    struct Simulation {
        var jobs = HTTPJobs()
        var now = Instant.zero
        var effects: [HTTPJobs.Effect] = []

        mutating func post(_ event: HTTPJobs.Event) { effects += jobs.handle(event, at: now) { 0.5 } }

        mutating func run(for duration: Duration) {
            let end = now + duration
            while let due = jobs.deadline, due <= end {
                now = due
                post(.due)
            }
            now = end
        }

        mutating func take() -> [HTTPJobs.Effect] {
            defer { effects = [] }
            return effects
        }

        var finished: [HTTPTicket: [Result<HTTPResponse, HTTPFailure>]] {
            effects.reduce(into: [:]) { all, effect in
                if case .finish(let ticket, let result) = effect { all[ticket, default: []].append(result) }
            }
        }

        var running: [HTTPTicket] {
            effects.reduce(into: []) { running, effect in
                switch effect {
                case .start(let ticket, _): running.append(ticket)
                case .stop(let ticket): running.removeAll { $0 == ticket }
                case .finish: break
                }
            }
        }
    }

    private let first = HTTPTicket(number: 1)
    private let ok = HTTPJobs.Answer(HTTPResponse(status: 200))
    private let busy = HTTPJobs.Answer(HTTPResponse(status: 503))

    private func attempt(
        _ target: String, timeout: Duration = .seconds(15), method: HTTPRequest.Method = .get,
        change: (inout HTTPRequest) -> Void = { _ in }
    ) throws -> HTTPJobs.Attempt {
        var request = HTTPRequest(method, "https://a.example/a")
        change(&request)
        return HTTPJobs.Attempt(
            address: try WebAddress("https://a.example" + target), request: request, timeout: timeout)
    }

    @Test func answerEndsTheRequest() throws {
        var phone = Simulation()
        phone.post(.sent(first, HTTPRequest(.get, "https://a.example/a")))
        #expect(phone.take() == [.start(first, try attempt("/a"))])
        phone.post(.answered(first, .success(ok)))
        #expect(phone.take() == [.finish(first, .success(ok.response))])
        #expect(phone.jobs.isEmpty && phone.jobs.deadline == nil)
        phone.post(.answered(first, .success(ok)))
        phone.post(.cancelled(first))
        #expect(phone.take() == [])
    }

    @Test func wrongRequestEndsBeforeItBegins() {
        var phone = Simulation()
        phone.post(.sent(first, HTTPRequest(.get, "http://a.example/")))
        #expect(
            phone.take() == [
                .finish(first, .failure(.malformed("http:// is allowed only to this machine; use https://")))
            ])
    }

    @Test func timeoutCoversAllAttempts() {
        var phone = Simulation()
        phone.post(.sent(first, HTTPRequest(.get, "https://a.example/", timeout: .seconds(1))))
        phone.run(for: .milliseconds(900))
        phone.post(.answered(first, .failure(.network("refused"))))
        // The second attempt begins 187 ms later at the earliest, which is too late.
        #expect(phone.finished == [first: [.failure(.network("refused"))]])
    }

    @Test func silentServerEndsWithTheTimeout() {
        var phone = Simulation()
        phone.post(.sent(first, HTTPRequest(.get, "https://a.example/", timeout: .seconds(4))))
        phone.run(for: .milliseconds(3_999))
        #expect(phone.finished == [:])
        phone.run(for: .milliseconds(1))
        #expect(phone.take().suffix(2) == [.stop(first), .finish(first, .failure(.timeout))])
    }

    @Test func repeatableRequestIsSentAgain() throws {
        var phone = Simulation()
        phone.post(.sent(first, HTTPRequest(.get, "https://a.example/a")))
        phone.post(.answered(first, .failure(.network("refused"))))
        #expect(phone.take() == [.start(first, try attempt("/a"))])
        phone.run(for: .seconds(1))
        #expect(phone.take() == [.start(first, try attempt("/a", timeout: .microseconds(14_812_500)))])
        phone.post(.answered(first, .success(busy)))
        phone.run(for: .seconds(1))
        phone.post(.answered(first, .success(ok)))
        #expect(phone.finished == [first: [.success(ok.response)]])
    }

    @Test func lastAnswerOfABusyServerIsTheResult() {
        var phone = Simulation()
        phone.post(.sent(first, HTTPRequest(.get, "https://a.example/a")))
        for _ in 0..<4 {
            phone.post(.answered(first, .success(busy)))
            phone.run(for: .seconds(2))
        }
        #expect(phone.finished == [first: [.success(busy.response)]])
    }

    @Test func redirectBeginsAnotherAttemptWithinTheSameTime() throws {
        var phone = Simulation()
        let token = Redacted("t")
        phone.post(
            .sent(first, HTTPRequest(.post, "https://a.example/a", bearer: token, body: [1], contentType: "x/y")))
        phone.run(for: .seconds(1))
        _ = phone.take()
        phone.post(.answered(first, .success(.init(HTTPResponse(status: 307), location: "/b"))))
        #expect(
            phone.take() == [
                .start(
                    first,
                    try attempt("/b", timeout: .seconds(14), method: .post) {
                        ($0.bearer, $0.body, $0.contentType) = (token, [1], "x/y")
                    })
            ])
        phone.post(.answered(first, .success(.init(HTTPResponse(status: 303), location: "/c"))))
        #expect(
            phone.take() == [
                .start(
                    first,
                    try attempt("/c", timeout: .seconds(14)) {
                        ($0.bearer, $0.isRepeatable) = (token, false)
                    })
            ])
        phone.post(.answered(first, .success(.init(HTTPResponse(status: 307), location: "https://b.example/"))))
        #expect(
            phone.take() == [
                .finish(first, .failure(.redirect("the server redirects to another one, https://b.example:443")))
            ])
    }

    @Test func fourAreUnderWayAndTheOthersWaitInOrder() {
        var phone = Simulation()
        for number in 1...10 {
            phone.post(.sent(HTTPTicket(number: UInt64(number)), HTTPRequest(.get, "https://a.example/\(number)")))
        }
        #expect(phone.running.map(\.number) == [1, 2, 3, 4])
        phone.post(.cancelled(HTTPTicket(number: 5)))
        phone.post(.answered(HTTPTicket(number: 3), .success(ok)))
        phone.post(.cancelled(HTTPTicket(number: 1)))
        // `running` counts 3 still, because an answer stops nothing.
        #expect(phone.running.map(\.number) == [2, 3, 4, 6, 7])
        #expect(phone.finished[HTTPTicket(number: 1)] == [.failure(.cancelled)])
        // A request that waits has its time, too.
        phone.run(for: .seconds(15))
        #expect(phone.finished.count == 10 && phone.jobs.isEmpty)
    }

    /// Goal: each request ends exactly once, and never more than four are under way. Method: 3,000 random histories.
    @Test func everyRequestEndsOnce() {
        for seed in 0..<3_000 {
            var generator = SeededGenerator(seed: UInt64(seed))
            var phone = Simulation()
            let results: [Result<HTTPJobs.Answer, HTTPFailure>] = [
                .success(ok), .success(busy), .failure(.network("x")), .failure(.tls("x")),
                .success(.init(HTTPResponse(status: 302), location: "/x")), .success(.init(HTTPResponse(status: 302))),
            ]
            var (sent, seen, running): (UInt64, Int, Set<HTTPTicket>) = (0, 0, [])
            for _ in 0..<40 {
                let ticket = HTTPTicket(number: .random(in: 1...max(1, sent), using: &generator))
                switch Int.random(in: 0..<6, using: &generator) {
                case 0, 1:
                    sent += 1
                    let isPost = Bool.random(using: &generator)
                    phone.post(
                        .sent(HTTPTicket(number: sent), HTTPRequest(isPost ? .post : .get, "https://a.example/")))
                case 2: phone.post(.cancelled(ticket))
                case 3: phone.run(for: .milliseconds(.random(in: 0..<3_000, using: &generator)))
                default:
                    // Only what is under way is answered.
                    guard let ticket = running.sorted(by: { $0.number < $1.number }).first else { continue }
                    running.remove(ticket)
                    phone.post(.answered(ticket, results[.random(in: 0..<results.count, using: &generator)]))
                }
                for effect in phone.effects.dropFirst(seen) {
                    switch effect {
                    case .start(let ticket, _): running.insert(ticket)
                    case .stop(let ticket), .finish(let ticket, _): running.remove(ticket)
                    }
                }
                seen = phone.effects.count
                #expect(running.count <= HTTPJobs.mostRunning, "seed \(seed)")
            }
            phone.run(for: .seconds(60))
            #expect(phone.finished.count == sent && phone.jobs.isEmpty, "seed \(seed)")
            #expect(phone.finished.values.allSatisfy { $0.count == 1 }, "seed \(seed)")
        }
    }
}
