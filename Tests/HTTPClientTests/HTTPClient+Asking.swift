import Base
import Bench
import Dispatch
import HTTPClient
import Synchronization
import Testing

/// The answers to requests, in the order in which they came.
final class Answers: Sendable {
    typealias Answer = Result<HTTPResponse, HTTPFailure>

    private let answers = Mutex<[Answer]>([])
    private let semaphore = DispatchSemaphore(value: 0)

    func take(_ answer: Answer) {
        answers.withLock { $0.append(answer) }
        semaphore.signal()
    }

    var all: [Answer] { answers.withLock { $0 } }

    /// Waits for so many more answers.
    func wait(_ count: Int = 1, upTo limit: Int = 20) -> Bool {
        (0..<count).allSatisfy { _ in semaphore.wait(timeout: .now() + .seconds(limit)) == .success }
    }
}

extension HTTPClient {
    /// Sends a request and waits for its answer.
    func ask(_ request: HTTPRequest, sourceLocation: SourceLocation = #_sourceLocation) throws -> Answers.Answer {
        let answers = Answers()
        send(request) { answers.take($0) }
        try #require(answers.wait(), "there is no answer", sourceLocation: sourceLocation)
        return answers.all[0]
    }

    func ask(_ method: HTTPRequest.Method = .get, _ url: String) throws -> Answers.Answer {
        try ask(HTTPRequest(method, url, timeout: .seconds(10)))
    }
}

extension Answers.Answer {
    var failure: HTTPFailure? { if case .failure(let failure) = self { failure } else { nil } }
    var response: HTTPResponse? { if case .success(let response) = self { response } else { nil } }
    var text: String? { response.map { String(decoding: $0.body, as: UTF8.self) } }

    /// Whether it is a failure of this kind, whatever its text.
    func isFailure(_ like: HTTPFailure) -> Bool {
        switch (failure, like) {
        case (.network, .network), (.resolve, .resolve), (.tls, .tls), (.redirect, .redirect),
            (.malformed, .malformed), (.unavailable, .unavailable):
            true
        default: failure == like
        }
    }
}

/// Measures how long something takes.
func timed<Value>(_ body: () throws -> Value) rethrows -> (value: Value, taken: Duration) {
    let start = MonotonicTime.now
    return (try body(), MonotonicTime.now - start)
}
