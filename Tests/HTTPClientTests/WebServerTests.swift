import Base
import Bench
import Foundation
import HTTPClient
import HostStalls
import Testing

/// The client at a server that misbehaves, over real sockets.
@Suite(.serialized, .stallsForgiven) struct WebServerTests {
    private let server: WebServer
    private let client = HTTPClient(settings: HTTPClientSettings())

    init() throws { server = try WebServer() }

    private func get(_ target: String, timeout: Duration = .seconds(10)) throws -> Answers.Answer {
        try client.ask(HTTPRequest(.get, server.url(target), timeout: timeout))
    }

    @Test func requestArrivesAsItWasGiven() throws {
        let answer = try client.ask(
            HTTPRequest(
                .post, server.url("/ok?a=b%20c"), headers: [.init("X-Test", "y"), .init("X-Empty", "")],
                bearer: Redacted("token-1"), body: Array(#"{"a": 1}"#.utf8), contentType: "application/json"))
        #expect(answer.text == #"{"answer": 42}"# && answer.response?.status == 200)
        #expect(answer.response?.contentType == "application/json")
        #expect(answer.response?.date.flatMap(HTTPDate.seconds) != nil)
        let request = try server.wait(for: "request")
        #expect(request["method"] == "POST" && request["target"] == "/ok?a=b%20c" && request["body"] == #"{"a": 1}"#)
        let headers = request["headers"]
        #expect(headers?["authorization"] == "Bearer token-1" && headers?["content-type"] == "application/json")
        #expect(headers?["user-agent"]?.string?.hasPrefix("Offhook/") == true)
        #expect(
            headers?["x-test"] == "y" && headers?["x-empty"] == ""
                && headers?["host"]?.string == "localhost:\(server.port)")
        #expect(headers?["expect"] == nil && headers?["cookie"] == nil)
    }

    @Test func eachMethodIsSent() throws {
        #expect(try client.ask(.get, server.url("/ok")).response?.status == 200)
        #expect(try client.ask(.delete, server.url("/ok")).response?.status == 200)
        #expect(try client.ask(.post, server.url("/ok")).response?.status == 200)
        #expect(server.requests == ["GET /ok", "DELETE /ok", "POST /ok"])
        #expect(server.events("request").allSatisfy { $0["headers"]?["content-type"] == nil && $0["body"] == "" })
    }

    @Test(arguments: [400, 401, 403, 404, 409, 422, 500]) func errorStatusIsAnAnswerWithItsBody(_ status: Int) throws {
        let answer = try get("/status?\(status)")
        #expect(answer.response?.status == status && answer.text == #"{"error": "test"}"#)
        #expect(answer.response?.retryAfter == .seconds(7))
        #expect(server.requests.count == 1)
    }

    @Test func slowHeadEndsAtTheTimeout() throws {
        let (answer, taken) = try timed { try get("/slow-head?5", timeout: .milliseconds(500)) }
        #expect(answer.failure == .timeout && taken > .milliseconds(490) && taken < .seconds(2))
        #expect(try get("/slow-head?0.2").response?.status == 200)
    }

    @Test func slowBodyEndsAtTheTimeout() throws {
        #expect(try get("/slow-body", timeout: .milliseconds(500)).failure == .timeout)
    }

    @Test func silentServerEndsAtTheTimeout() throws {
        #expect(try get("/silent", timeout: .milliseconds(300)).failure == .timeout)
    }

    @Test(arguments: ["/half", "/reset", "/closing"]) func brokenAnswerIsTriedAgainAndThenFails(_ target: String) throws
    {
        #expect(try get(target).isFailure(.network("")))
        #expect(server.requests.count == 4)
    }

    @Test(arguments: ["/half", "/reset", "/closing"]) func brokenAnswerToAPostIsNotTriedAgain(_ target: String) throws {
        #expect(try client.ask(.post, server.url(target)).isFailure(.network("")))
        #expect(server.requests.count == 1)
    }

    @Test(arguments: ["/large?300000", "/chunked?300000", "/gzip?262145", "/gzip?100000000", "/nothing-but-gzip"])
    func answerBeyondTheLimitIsCutOff(_ target: String) throws {
        #expect(try get(target).failure == .tooLarge)
        #expect(server.requests.count == 1)
    }

    @Test(arguments: ["/large?262144", "/chunked?262000", "/gzip?262144"])
    func answerWithinTheLimitIsRead(_ target: String) throws {
        let body = try #require(try get(target).response).body
        #expect(body.count > 261_000 && body.allSatisfy { $0 == UInt8(ascii: "x") })
    }

    @Test(arguments: ["/headers?1000", "/long-header?40000", "/long-header?200000", "/interim"])
    func headBeyondTheLimitIsCutOff(_ target: String) throws { #expect(try get(target).failure == .tooLarge) }

    @Test(arguments: ["/garbage", "/bare", "/wrong-gzip"]) func whatIsNoHTTPIsMalformed(_ target: String) throws {
        #expect(try get(target).isFailure(.malformed("")))
        #expect(server.requests.count == 1)
    }

    @Test func unchangedVersionIsNotSentAgain() throws {
        let first = try get("/etag")
        #expect(first.text == "version 1" && first.response?.etag == #""v1""#)
        let second = try client.ask(HTTPRequest(.get, server.url("/etag"), etag: first.response?.etag))
        #expect(second.response == HTTPResponse(status: 304, etag: #""v1""#))
    }

    @Test func busyServerIsAskedAgain() throws {
        #expect(try get("/busy?2").response?.status == 200)
        #expect(server.requests.count == 3)
        #expect(try client.ask(.post, server.url("/busy?1")).response?.status == 503)
    }

    @Test func redirectIsFollowedOnTheSameServer() throws {
        let answer = try client.ask(
            HTTPRequest(.get, server.url("/redirect?302,/ok"), bearer: Redacted("token-1")))
        #expect(answer.response?.status == 200)
        let requests = server.events("request")
        #expect(server.requests == ["GET /redirect?302,/ok", "GET /ok"])
        #expect(requests.allSatisfy { $0["headers"]?["authorization"] == "Bearer token-1" })
        // The cookie that came with the redirect was forgotten.
        #expect(requests.allSatisfy { $0["headers"]?["cookie"] == nil })
    }

    @Test func redirectElsewhereIsNotFollowed() throws {
        let other = try WebServer()
        let answer = try client.ask(
            HTTPRequest(.get, server.url("/redirect?307,\(other.url("/ok"))"), bearer: Redacted("token-1")))
        #expect(answer.isFailure(.redirect("")))
        #expect(other.events("connection").isEmpty)
        #expect(try get("/redirect?307,/redirect?307,").isFailure(.redirect("")))
    }

    @Test func connectionIsUsedAgain() throws {
        for _ in 0..<5 { #expect(try get("/ok").response?.status == 200) }
        #expect(server.events("connection").count == 1)
        client.forgetConnections()
        #expect(try get("/ok").response?.status == 200)
        #expect(server.events("connection").count == 2)
    }

    /// A server may close a kept connection while a request is on its way, after it has acted on it.
    @Test func requestWithAnEffectIsSentOnceEvenIfAKeptConnectionEnds() throws {
        #expect(try get("/once").response?.status == 200)
        #expect(try client.ask(.post, server.url("/once")).response?.status == 200)
        #expect(server.requests == ["GET /once", "POST /once"])
        // Without an effect it is repeated at once, over another connection.
        #expect(try get("/once").response?.status == 200)
    }

    @Test func manyRequestsShareFewConnections() throws {
        let answers = Answers()
        for _ in 0..<HTTPClient.mostRequests {
            client.send(HTTPRequest(.get, server.url("/slow-head?0.05"))) { answers.take($0) }
        }
        #expect(answers.wait(HTTPClient.mostRequests))
        #expect(answers.all.allSatisfy { $0.response?.status == 200 })
        #expect(server.events("connection").count <= HTTPJobs.mostRunning)
    }

    @Test func serverThatIsNotThereIsANetworkFailure() throws {
        let url = server.url("/ok")
        server.kill()
        _ = try? server.wait(for: "end", upTo: .seconds(5))
        #expect(try client.ask(.get, url).isFailure(.network("")))
        #expect(try client.ask(.get, "https://no-such-name.invalid/").isFailure(.resolve("")))
    }
}
