import Base
import HTTPClient
import Testing

@Suite("Redirects (RFC 9110 §15.4)") struct RedirectsTests {
    private let start: WebAddress

    init() throws { start = try WebAddress("https://a.example/one") }

    @Test(arguments: [301, 302, 303, 307, 308]) func sameServerIsFollowed(_ status: Int) throws {
        var redirects = Redirects()
        let next = try redirects.follow(status, to: "/two", from: start, by: .get)
        #expect(next.address.text == "https://a.example/two" && next.method == .get)
    }

    @Test func methodIsKeptOr303MakesAGet() throws {
        var redirects = Redirects()
        #expect(try redirects.follow(307, to: "/two", from: start, by: .post).method == .post)
        #expect(try redirects.follow(308, to: "/two", from: start, by: .delete).method == .delete)
        #expect(try redirects.follow(303, to: "/two", from: start, by: .post).method == .get)
    }

    @Test(arguments: [301, 302]) func postIsNotMadeAGet(_ status: Int) {
        for method in [HTTPRequest.Method.post, .delete] {
            var redirects = Redirects()
            #expect(throws: HTTPFailure.self) { try redirects.follow(status, to: "/two", from: start, by: method) }
        }
    }

    @Test(arguments: [
        "https://b.example/", "http://a.example/", "https://a.example:8443/", "//b.example/",
        "https://a.example@b.example/",
        "http://localhost/", "https://a.example.b.example/", "ftp://a.example/",
    ])
    func otherServerIsNotFollowed(_ location: String) {
        var redirects = Redirects()
        #expect(throws: HTTPFailure.self) { try redirects.follow(307, to: location, from: start, by: .get) }
    }

    @Test func atMostThreeAreFollowed() throws {
        var redirects = Redirects()
        for _ in 0..<3 { _ = try redirects.follow(307, to: "/two", from: start, by: .get) }
        #expect(throws: HTTPFailure.redirect("the server redirects more than 3 times")) {
            try redirects.follow(307, to: "/two", from: start, by: .get)
        }
    }

    @Test func redirectNeedsAnAddress() {
        var redirects = Redirects()
        #expect(throws: HTTPFailure.redirect("the server redirects without an address")) {
            try redirects.follow(302, to: nil, from: start, by: .get)
        }
        #expect(!Redirects.isRedirect(304) && !Redirects.isRedirect(300) && Redirects.isRedirect(308))
    }

    /// Goal: whatever a server writes, the client stays at this server, and libcurl reads the address as we do. Method:
    /// 50,000 random texts from pieces that matter to an address.
    @Test func anyLocationStaysAtTheServer() throws {
        let pieces = [
            "https:", "http:", "/", "//", "a.example", "b.example", ":", "443", "8443", "@", "?", "#", "..", ".", "[",
            "]", "::1", "127.0.0.1", "%", "%2f", "\\", "\t", " ", "\r\n", "\0", "ä", "x", ";", "localhost", "A.EXAMPLE",
        ]
        var generator = SeededGenerator(seed: 9)
        var followed = 0
        for _ in 0..<50_000 {
            let count = Int.random(in: 1...7, using: &generator)
            let text = (0..<count).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
            var redirects = Redirects()
            guard let next = try? redirects.follow(307, to: text, from: start, by: .post) else { continue }
            followed += 1
            #expect(next.address.text.hasPrefix("https://a.example/") && next.address.hasSameServer(as: start))
            #expect(next.address.text.utf8.allSatisfy { (0x21...0x7E).contains($0) })
            #expect(try WebAddress(next.address.text) == next.address)
        }
        #expect(followed > 1_000)
    }
}
