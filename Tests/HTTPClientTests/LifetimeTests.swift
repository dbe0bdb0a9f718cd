import Base
import Bench
import Foundation
import HTTPClient
import HostStalls
import Testing

/// Start, end and limits of a client.
@Suite(.serialized, .stallsForgiven) struct LifetimeTests {
    @Test func closeEndsAllRequestsWithinASecond() throws {
        let server = try WebServer(more: ["--mute"])
        let client = HTTPClient(settings: HTTPClientSettings())
        let answers = Answers()
        // The server reads nothing, so most of each body is never sent.
        let body = [UInt8](repeating: 65, count: 200_000)
        for _ in 0..<8 { client.send(HTTPRequest(.post, server.url("/"), body: body)) { answers.take($0) } }
        try server.wait(for: "connection", times: 4)
        #expect(timed { client.close() }.taken < .seconds(1))
        #expect(answers.all == Array(repeating: .failure(.cancelled), count: 8))
        // Closing once more, and requests to a closed client, do no harm.
        client.close()
        #expect(try client.ask(.get, server.url("/")).failure == .cancelled)
        #expect(answers.all.count == 8)
    }

    /// A machine whose name service is silent shows more than others: there the query is still under way.
    @Test func nameServiceHoldsUpNeitherTimeoutNorClose() throws {
        let client = HTTPClient(settings: HTTPClientSettings())
        let request = HTTPRequest(.post, "https://no-such-phone.example.org/", timeout: .milliseconds(300))
        let (answer, taken) = try timed { try client.ask(request) }
        #expect((answer.failure == .timeout || answer.isFailure(.resolve(""))) && taken < .seconds(1))
        let answers = Answers()
        client.send(HTTPRequest(.post, "https://no-such-door.example.org/")) { answers.take($0) }
        #expect(timed { client.close() }.taken < .milliseconds(500))
        #expect(answers.all.count == 1)
    }

    @Test func closeOfAnUnusedClientReturnsAtOnce() throws {
        let client = HTTPClient(settings: HTTPClientSettings())
        #expect(timed { client.close() }.taken < .milliseconds(500))
        #expect(try client.ask(.get, "https://a.example/").failure == .cancelled)
    }

    @Test func cancelledRequestEndsOnce() throws {
        let server = try WebServer()
        let client = HTTPClient(settings: HTTPClientSettings())
        let (answers, others) = (Answers(), Answers())
        let ticket = client.send(HTTPRequest(.get, server.url("/silent"))) { answers.take($0) }
        client.send(HTTPRequest(.get, server.url("/slow-head?0.5"))) { others.take($0) }
        try server.wait(for: "request", times: 2)
        client.cancel(ticket)
        client.cancel(ticket)
        #expect(answers.wait() && others.wait())
        #expect(answers.all == [.failure(.cancelled)] && others.all.first?.response?.status == 200)
        client.cancel(ticket)
        #expect(try client.ask(.get, server.url("/ok")).response?.status == 200)
        #expect(answers.all.count == 1)
    }

    @Test func requestThatWaitsCanBeCancelled() throws {
        let server = try WebServer()
        let client = HTTPClient(settings: HTTPClientSettings())
        let answers = Answers()
        for _ in 0..<HTTPJobs.mostRunning { client.send(HTTPRequest(.get, server.url("/silent"))) { _ in } }
        let ticket = client.send(HTTPRequest(.get, server.url("/ok"))) { answers.take($0) }
        client.cancel(ticket)
        #expect(answers.wait() && answers.all == [.failure(.cancelled)])
        client.close()
        #expect(!server.requests.contains("GET /ok"))
    }

    @Test func tooManyRequestsAreRefused() throws {
        let server = try WebServer()
        let client = HTTPClient(settings: HTTPClientSettings())
        let (answers, refused) = (Answers(), Answers())
        for _ in 0..<HTTPClient.mostRequests {
            client.send(HTTPRequest(.get, server.url("/silent"))) { answers.take($0) }
        }
        client.send(HTTPRequest(.get, server.url("/ok"))) { refused.take($0) }
        #expect(refused.all == [.failure(.overloaded)])
        client.close()
        #expect(answers.all == Array(repeating: .failure(.cancelled), count: HTTPClient.mostRequests))
    }

    /// A client that its owner forgot ends its thread, and finishes what it began.
    @Test func forgottenClientCancelsItsRequests() throws {
        let server = try WebServer()
        let answers = Answers()
        do {
            let client = HTTPClient(settings: HTTPClientSettings())
            client.send(HTTPRequest(.get, server.url("/silent"))) { answers.take($0) }
            try server.wait(for: "request")
        }
        #expect(answers.wait() && answers.all == [.failure(.cancelled)])
    }

    /// An idle client sleeps: it does not wake up again and again. In a separate process, without other clients.
    @Test func idleClientUsesNoTime() async throws {
        let server = try WebServer()
        await #expect(processExitsWith: .success) { [url = server.url("/ok") as String] in
            let client = HTTPClient(settings: HTTPClientSettings())
            let answer = try client.ask(.get, url)
            let before = try LifetimeTests.switches()
            MonotonicTime.sleep(.seconds(2))
            let more = try LifetimeTests.switches() - before
            try #require(answer.response?.status == 200 && before > 0 && more <= 2)
            client.close()
        }
        #expect(server.requests == ["GET /ok"])
    }

    /// How often threads named `http` went to sleep.
    private static func switches() throws -> Int {
        let threads = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")
        return threads.reduce(0) { sum, thread in
            let folder = "/proc/self/task/\(thread)"
            guard (try? TextFile.read(folder + "/comm")) == "http\n",
                let status = try? TextFile.read(folder + "/status"),
                let line = status.split(separator: "\n").first(where: { $0.hasPrefix("voluntary_ctxt_switches") })
            else { return sum }
            return sum + (line.split(whereSeparator: { !$0.isNumber }).last.flatMap { Int($0) } ?? 0)
        }
    }

    /// In a separate process, because other tests load the library.
    @Test func firstRequestLoadsTheLibrary() async {
        await #expect(processExitsWith: .success) {
            func isMapped() throws -> Bool { try MappedFiles.names().contains { $0.hasPrefix("libcurl.so.4") } }
            let client = HTTPClient(settings: HTTPClientSettings())
            let isMappedBefore = try isMapped()
            let answer = try client.ask(HTTPRequest(.post, "http://localhost:1/"))
            let isMappedAfter = try isMapped()
            try #require(!isMappedBefore && isMappedAfter && answer.isFailure(.network("")))
        }
    }

    @Test func missingLibraryIsNamedWithItsPackage() throws {
        let client = HTTPClient(settings: HTTPClientSettings(), library: "libcurl-that-is-missing.so.4")
        let failure = try client.ask(.get, "https://a.example/").failure
        let text =
            "libcurl-that-is-missing.so.4: cannot open shared object file: No such file or directory; "
            + "install the package libcurl4"
        #expect(failure == .unavailable(text))
        #expect(HTTPClient.libraryFault("libcurl-that-is-missing.so.4") == text)
        // Another library is not taken for it.
        #expect(HTTPClient.libraryFault("libz.so.1")?.hasPrefix("curl_global_init is missing") == true)
        #expect(HTTPClient.libraryFault() == nil)
    }
}
