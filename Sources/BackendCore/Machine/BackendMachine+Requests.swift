import Base
import JSON

/// A request without an answer.
struct OpenRequest: Equatable, Sendable {
    enum Purpose: Equatable, Sendable {
        case signIn
        case access
        case call(PendingCall.Kind)
        case revocation
    }

    let id: BackendRequestID
    let purpose: Purpose
    let due: Instant
    /// What the request contains. An error that repeats it is not shown.
    let secrets: [Redacted<String>]
}

extension BackendMachine {
    /// How much longer than the adapter the machine waits.
    private static let grace = Duration.seconds(1)

    @discardableResult
    mutating func send(
        _ request: BackendRequest, for purpose: OpenRequest.Purpose, secrets: [Redacted<String>] = []
    ) -> BackendRequestID {
        let id = makeID()
        statistics.requests += 1
        requests.append(
            OpenRequest(
                id: id, purpose: purpose, due: now + request.timeout + Self.grace,
                secrets: secrets + (request.bearer.map { [$0] } ?? [])))
        effects.append(.send(id, request))
        return id
    }

    /// Gives up a request: its answer will be ignored.
    mutating func abandon(where matches: (OpenRequest.Purpose) -> Bool) {
        for request in requests where matches(request.purpose) { effects.append(.cancel(request.id)) }
        requests.removeAll { matches($0.purpose) }
    }

    /// Takes the answer to a request, or its failure.
    mutating func settle(_ id: BackendRequestID, _ result: Result<BackendResponse, BackendFailure>) {
        guard let place = requests.firstIndex(where: { $0.id == id }) else {
            statistics.lateAnswers += 1
            return
        }
        let request = requests.remove(at: place)
        let answer = Answer(result, without: request.secrets)
        if let failure = answer.failure, !Self.isUsual(answer, request.purpose) { count(failure) }
        switch request.purpose {
        case .signIn: signInAnswered(answer)
        case .access: accessAnswered(answer)
        case .call(let kind): callAnswered(kind, answer)
        case .revocation: revocationAnswered()
        }
    }
}

extension BackendMachine {
    /// Whether a status other than 2xx is part of a normal run: nothing is new, or the user has not confirmed yet.
    private static func isUsual(_ answer: Answer, _ purpose: OpenRequest.Purpose) -> Bool {
        answer.status == 304 || (purpose == .signIn && answer.status == 400)
    }
}

/// The answer to a request.
struct Answer: Equatable, Sendable {
    /// Nil: no answer came.
    let response: BackendResponse?
    /// Nil: the backend accepted the request (status 2xx).
    let failure: BackendFailure?

    init(_ result: Result<BackendResponse, BackendFailure>, without secrets: [Redacted<String>]) {
        switch result {
        case .success(let response):
            self.response = response
            let isAccepted = (200..<300).contains(response.status)
            failure = isAccepted ? nil : BackendFailure(response, without: secrets)
        case .failure(let failure): (response, self.failure) = (nil, failure)
        }
    }

    var status: Int? { response?.status }
    var retryAfter: Duration? { response?.retryAfter }

    /// What an accepted request brought, or why it brought nothing.
    func read<Value>(
        _ parse: ([UInt8]) throws(BackendParseFault) -> Value
    ) -> Result<Value, BackendFailure> {
        if let failure { return .failure(failure) }
        guard let response else { return .failure(.network("no answer")) }
        do throws(BackendParseFault) { return .success(try parse(response.body)) } catch {
            return .failure(.parse(error))
        }
    }
}

extension BackendRequest {
    /// A request with a form (RFC 6749 appendix B).
    static func form(_ url: BackendURL, _ fields: [(String, String)], timeout: Duration) -> BackendRequest {
        var request = BackendRequest(.post, url.text, timeout: timeout)
        let text = fields.map { $0.percentEncoded + "=" + $1.percentEncoded }.joined(separator: "&")
        request.body = .form(Redacted(Array(text.utf8)))
        return request
    }

    static func json(_ url: String, _ value: JSONValue, timeout: Duration) -> BackendRequest {
        var request = BackendRequest(.post, url, timeout: timeout)
        request.body = .json(Redacted(value.utf8))
        return request
    }
}
