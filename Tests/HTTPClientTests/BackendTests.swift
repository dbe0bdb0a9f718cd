import Base
import Foundation
import HTTPClient
import HostStalls
import JSON
import Rig
import Testing

enum ReferenceBackend {
    static let python = Workplace.root + "/.build/backend/bin/python"
    static var isThere: Bool { FileManager.default.isExecutableFile(atPath: python) }
}

/// The client at the reference backend (docs/backend.md), with its faults.
@Suite(
    .serialized, .stallsForgiven,
    .enabled(if: ReferenceBackend.isThere, "needs the reference backend (Scripts/setup backend)"))
struct BackendTests {
    private let backend: WebServer
    private let client: HTTPClient

    init() throws {
        let folder = NSTemporaryDirectory() + "oh-backend-\(UUID().uuidString.prefix(8))"
        backend = try WebServer(
            [
                ReferenceBackend.python, "-B", Workplace.root + "/Tests/Servers/backend/serve.py", "--folder", folder,
                "--tls",
                "--no-broker", "--also", "phone.example",
            ], folder: folder)
        client = HTTPClient(settings: HTTPClientSettings(authorities: folder + "/tls/ca.crt"))
    }

    private func url(_ path: String) -> String { backend.url(path, "https") }

    private func post(_ path: String, _ json: String, bearer: String? = nil) throws -> Answers.Answer {
        try client.ask(
            HTTPRequest(
                .post, url(path), bearer: bearer.map { Redacted($0) }, body: Array(json.utf8),
                contentType: "application/json"))
    }

    private func token() throws -> String {
        let answer = try post("/api/token", #"{"device_token": "device-token-1"}"#)
        let body = try JSONValue(parsing: try #require(answer.response).body)
        return try #require(body["access_token"]?.string)
    }

    private func organizations(_ token: String, etag: String? = nil) throws -> Answers.Answer {
        try client.ask(
            HTTPRequest(.get, url("/api/organizations"), bearer: Redacted(token), timeout: .seconds(5), etag: etag))
    }

    @Test func phoneReadsItsOrganizations() throws {
        let token = try token()
        let answer = try organizations(token)
        #expect(answer.response?.status == 200)
        #expect(answer.text?.contains("Analytical Engines") == true)
        let etag = try #require(answer.response?.etag)
        let again = try organizations(token, etag: etag)
        #expect(again.response?.status == 304 && again.response?.body == [])
        #expect(try organizations("wrong").response?.status == 401)
        let switched = try post("/api/voip/switch-org", #"{"target_organization_id": 42}"#, bearer: token)
        #expect(switched.response?.status == 200 && switched.text?.contains("sip_username") == true)
    }

    /// What the phone makes of each fault, of a request that may be repeated and of one that may not.
    @Test func faultsAreToldApart() throws {
        let token = try token()
        func ask(_ fault: String) throws -> (get: Answers.Answer, post: Answers.Answer) {
            try backend.order(#"{"do": "faults", "clear": true}"#)
            try backend.order(#"{"do": "faults", "path": "/api/", \#(fault)}"#)
            return (
                try organizations(token),
                try post("/api/voip/switch-org", #"{"target_organization_id": 42}"#, bearer: token)
            )
        }
        let refused = try ask(#""fault": "refuse", "status": 403, "message": "Not today.""#)
        #expect(refused.get.response?.status == 403 && refused.post.text?.contains("Not today.") == true)
        let busy = try ask(#""fault": "refuse", "times": 1, "retry_after": 1"#)
        #expect(busy.get.response?.status == 200 && busy.post.response?.status == 200)
        let busyPost = try ask(#""fault": "refuse", "method": "POST", "retry_after": 30"#)
        #expect(busyPost.post.response?.status == 503 && busyPost.post.response?.retryAfter == .seconds(30))
        let reset = try ask(#""fault": "reset", "times": 1"#)
        #expect(reset.get.response?.status == 200 && reset.post.response?.status == 200)
        let resetPost = try ask(#""fault": "reset", "method": "POST", "after": true"#)
        #expect(resetPost.post.isFailure(.network("")))
        let half = try ask(#""fault": "half-body""#)
        #expect(half.get.isFailure(.network("")) && half.post.isFailure(.network("")))
        let large = try ask(#""fault": "oversized", "bytes": 300000"#)
        #expect(large.get.failure == .tooLarge && large.post.failure == .tooLarge)
        let garbage = try ask(#""fault": "garbage""#)
        #expect(garbage.get.response?.body.count == 256 && garbage.post.response?.body.count == 256)
        let empty = try ask(#""fault": "empty""#)
        #expect(empty.get.response?.body == [] && empty.post.response?.body == [])
        for place in ["other-host", "plain", "same-host"] {
            let redirected = try ask(#""fault": "redirect", "to": "\#(place)""#)
            #expect(redirected.get.isFailure(.redirect("")) && redirected.post.isFailure(.redirect("")), "\(place)")
        }
        let redirected = try ask(#""fault": "redirect", "to": "same-host", "times": 1"#)
        #expect(redirected.get.response?.status == 200)
    }

    @Test func slowBackendEndsAtTheTimeout() throws {
        let token = try token()
        try backend.order(#"{"do": "faults", "fault": "slow", "seconds": 3, "path": "/api/voip"}"#)
        let request = HTTPRequest(
            .post, url("/api/voip/switch-org"), bearer: Redacted(token), body: Array("{}".utf8),
            contentType: "application/json", timeout: .milliseconds(400))
        #expect(try client.ask(request).failure == .timeout)
    }

    /// Each new connection is judged anew; a kept one was judged when it was made.
    @Test(arguments: ["expired", "wrong-name", "other-authority"]) func wrongCertificateIsRefused(_ kind: String) throws
    {
        _ = try token()
        try backend.order(#"{"do": "certificate", "kind": "\#(kind)", "server": "http"}"#)
        client.forgetConnections()
        let answer = try client.ask(.get, url("/oauth/jwks"))
        #expect(answer.isFailure(.tls("")), "\(answer)")
        try backend.order(#"{"do": "certificate", "kind": "renewed", "server": "http"}"#)
        #expect(try client.ask(.get, url("/oauth/jwks")).response?.status == 200)
    }
}
