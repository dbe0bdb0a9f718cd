import Base
import ICECore
import Testing

@Suite("Candidates in session descriptions, and their order")
struct CandidateTests {
    @Test("candidate lines of RFC 8839 and of browsers are read")
    func candidateLinesOfRFC8839AndOfBrowsersAreRead() throws {
        let host = try RemoteCandidate("candidate:1 1 UDP 2130706431 203.0.113.141 8998 typ host")
        #expect(host.host == .address(IPAddress("203.0.113.141") ?? .unspecified) && host.port == 8_998)
        let reflexive = try RemoteCandidate(
            "a=candidate:2 1 udp 1694498815 2001:db8::3 45664 typ srflx raddr 203.0.113.141 rport 8998 generation 0 ufrag x/Y+"
        )
        #expect(reflexive.kind == .serverReflexive && reflexive.userFragment == "x/Y+")
        let hidden = try RemoteCandidate(
            "candidate:3 1 udp 2113937151 0B1E7C6D-0001-4000-8000-000000000000.local 54400 typ host")
        #expect(hidden.host == .name("0b1e7c6d-0001-4000-8000-000000000000.local"))
    }

    @Test(
        "an unusable candidate is rejected with its reason",
        arguments: [
            ("candidate:1 1 TCP 2130706431 203.0.113.1 9 typ host tcptype active", RemoteCandidate.Unusable.transport),
            ("candidate:1 2 UDP 2130706430 203.0.113.1 8999 typ host", .component),
            ("", .malformed), ("candidate:", .malformed), ("1 1 UDP 1 203.0.113.1 8998 typ", .malformed),
            ("1 1 UDP 0 203.0.113.1 8998 typ host", .malformed),
            ("1 1 UDP 2147483648 203.0.113.1 8998 typ host", .malformed),
            ("1 1 UDP 1 203.0.113.1 65536 typ host", .malformed), ("1 1 UDP 1 203.0.113.1 1 typ mars", .malformed),
            ("ö 1 UDP 1 203.0.113.1 1 typ host", .malformed), ("1 1 UDP 1 1.2.3.4.5 1 typ host", .malformed),
            ("1 1 UDP 1 fe80::1%eth0 1 typ host", .malformed), ("1 1 UDP 1 a_b.local 1 typ host", .malformed),
            (String(repeating: "1", count: 33) + " 1 UDP 1 203.0.113.1 1 typ host", .malformed),
            ("1 1 UDP 1 203.0.113.1 1 typ host " + String(repeating: "x y ", count: 200), .malformed),
        ])
    func unusableCandidateIsRejectedWithItsReason(_ line: String, _ reason: RemoteCandidate.Unusable) {
        #expect(throws: reason) { try RemoteCandidate(line) }
    }

    @Test("a written candidate is read back")
    func writtenCandidateIsReadBack() throws {
        for (place, kind) in CandidateKind.allCases.enumerated() {
            let candidate = Candidate(
                foundation: "f\(place)", priority: 1_000 + UInt32(place), address: World.endpoint("2001:db8::7", 9),
                kind: kind, related: kind == .host ? nil : World.endpoint("192.0.2.1", 7))
            #expect(try RemoteCandidate(candidate.text) == RemoteCandidate(candidate))
        }
        #expect(
            Candidate(foundation: "1", priority: 5, address: World.endpoint("192.0.2.1", 7), kind: .host).text
                == "1 1 UDP 5 192.0.2.1 7 typ host")
    }

    @Test("hostile lines are handled")
    func hostileLinesAreHandled() {
        var generator = SeededGenerator(seed: 6)
        let good = Array("candidate:2 1 udp 1694498815 2001:db8::3 45664 typ srflx raddr 1.2.3.4 rport 8 ufrag a".utf8)
        var read = 0
        for _ in 0..<20_000 {
            var line = good
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                line[Int.random(in: 0..<line.count, using: &generator)] = .random(in: .min ... .max, using: &generator)
            }
            if (try? RemoteCandidate(String(decoding: line, as: UTF8.self))) != nil { read += 1 }
        }
        #expect((1...15_000).contains(read))
    }

    @Test("credentials follow the grammar and are not printed")
    func credentialsFollowGrammarAndAreNotPrinted() throws {
        let password = String(repeating: "p", count: 22)
        #expect(ICECredentials(userFragment: "abc", password: Redacted(password)) == nil)
        #expect(ICECredentials(userFragment: "abcd", password: Redacted(String(password.dropLast()))) == nil)
        #expect(ICECredentials(userFragment: "ab:d", password: Redacted(password)) == nil)
        #expect(ICECredentials(userFragment: "abcd", password: Redacted(String(repeating: "p", count: 257))) == nil)
        let good = try #require(ICECredentials(userFragment: "ab+/", password: Redacted(password)))
        #expect(!"\(good)".contains(password))
        var dumped = ""
        dump(good, to: &dumped)
        #expect(!dumped.contains(password))
    }
}
