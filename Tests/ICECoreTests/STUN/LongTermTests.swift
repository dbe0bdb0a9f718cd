import Base
import Cryptography
import ICECore
import Testing

@Suite("Long-term credentials of STUN, client side")
struct LongTermTests {
    private static let plainNonce = "f//499k954d6OL34oL9FSTvy64sA"
    private static let md5AndSHA256: [UInt8] = [0, 1, 0, 0, 0, 2, 0, 0]

    private func challenge(
        _ code: Int = 401, nonce: String = plainNonce, realm: String? = "example.org", algorithms: [UInt8]? = nil
    ) -> STUNMessage {
        var generator = SeededGenerator(seed: 1)
        var attributes: [STUNMessage.Attribute] = [.error(code, "no"), .init(AttributeType.nonce, nonce)]
        if let realm { attributes.append(.init(AttributeType.realm, realm)) }
        if let algorithms { attributes.append(.init(AttributeType.passwordAlgorithms, algorithms)) }
        return STUNMessage(.failure, id: .init(using: &generator), attributes: attributes)
    }

    private func request(_ vector: [UInt8]) throws -> STUNMessage {
        var request = try STUNMessage(vector.span)
        request.attributes = []
        return request
    }

    @Test("the request of RFC 5769 §2.4 has the same integrity")
    func requestOfRFC576924HasSameIntegrity() throws {
        var client = LongTermAuthentication(Vectors.user, .real)
        #expect(client.challenged(challenge()) == .retry)
        let written = client.bytes(of: try request(Vectors.longTerm))
        let (ours, theirs) = (try STUNMessage(written.span), try STUNMessage(Vectors.longTerm.span))
        #expect(Set(ours.attributes.dropLast().map(\.type)) == Set(theirs.attributes.dropLast().map(\.type)))
        #expect(client.proven(theirs, Vectors.longTerm) != nil && client.proven(ours, written) != nil)
        var other = LongTermAuthentication(.init(user: "x", password: Vectors.user.password), .real)
        #expect(other.challenged(challenge()) == .retry && other.proven(theirs, Vectors.longTerm) == nil)
    }

    @Test("a server that hides names gets the hash of RFC 8489 appendix B.1")
    func serverThatHidesNamesGetsHashOfRFC8489AppendixB1() throws {
        let theirs = try STUNMessage(Vectors.longTermSHA256.span)
        var client = LongTermAuthentication(Vectors.user, .real)
        let nonce = try #require(theirs.text(AttributeType.nonce))
        #expect(client.challenged(challenge(nonce: nonce)) == .retry)
        let ours = try STUNMessage(client.bytes(of: try request(Vectors.longTermSHA256)).span)
        #expect(ours.value(AttributeType.userHash) == theirs.value(AttributeType.userHash))
        #expect(ours.value(AttributeType.username) == nil)
    }

    @Test(
        "the strongest algorithm is used, and the list is returned",
        arguments: ["obMatJos2AAABn1", "obMatJos2gAAAn1"])
    func strongestAlgorithmIsUsedAndListIsReturned(nonce: String) throws {
        var client = LongTermAuthentication(Vectors.user, .real)
        #expect(client.challenged(challenge(nonce: nonce, algorithms: Self.md5AndSHA256)) == .retry)
        let written = client.bytes(of: try request(Vectors.longTerm))
        let sent = try STUNMessage(written.span)
        #expect(sent.value(AttributeType.passwordAlgorithms) == Self.md5AndSHA256)
        #expect(sent.value(AttributeType.passwordAlgorithm) == [0, 2, 0, 0])
        #expect(sent.value(AttributeType.messageIntegritySHA256)?.count == 32)
        #expect(client.proven(sent, written) != nil)
    }

    @Test("a stripped or unknown list of algorithms is not answered")
    func strippedOrUnknownListOfAlgorithmsIsNotAnswered() {
        let refused: [STUNMessage] = [
            challenge(nonce: "obMatJos2AAABn1"), challenge(nonce: "obMatJos2AAABn1", algorithms: [0, 9, 0, 0]),
            challenge(nonce: "obMatJos2AAABn1", algorithms: [0, 2, 0]),
            challenge(nonce: ""), challenge(realm: nil), challenge(realm: ""), challenge(403), challenge(438),
            challenge(nonce: String(repeating: "n", count: 764)),
        ]
        for challenge in refused {
            var client = LongTermAuthentication(Vectors.user, .real)
            #expect(client.challenged(challenge) == .refused && !client.isEstablished, "\(challenge)")
        }
        // A server without algorithms supports MD5 only, whatever it lists.
        var client = LongTermAuthentication(Vectors.user, .real)
        #expect(client.challenged(challenge(algorithms: Self.md5AndSHA256)) == .retry)
    }

    @Test("a stale nonce is replaced, and no other later challenge is accepted")
    func staleNonceIsReplacedAndNoOtherLaterChallengeIsAccepted() throws {
        var client = LongTermAuthentication(Vectors.user, .real)
        #expect(client.challenged(challenge(nonce: "obMatJos2AAABn1", algorithms: Self.md5AndSHA256)) == .retry)
        #expect(client.challenged(challenge(438, nonce: "obMatJos2AAABn2", realm: nil)) == .retry)
        let sent = try STUNMessage(client.bytes(of: try request(Vectors.longTerm)).span)
        #expect(sent.text(AttributeType.nonce) == "obMatJos2AAABn2")
        // Wrong credentials; weaker features; another realm.
        #expect(client.challenged(challenge(nonce: "obMatJos2AAABn3", algorithms: Self.md5AndSHA256)) == .refused)
        #expect(client.challenged(challenge(438, nonce: "plain")) == .refused)
        #expect(client.challenged(challenge(438, nonce: "obMatJos2AAABn4", realm: "example.net")) == .refused)
    }

    @Test("hostile challenges are handled")
    func hostileChallengesAreHandled() {
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<2_000 {
            var client = LongTermAuthentication(Vectors.user, .real)
            let algorithms = (0..<Int.random(in: 0...70, using: &generator)).map { _ in
                UInt8.random(in: 0...3, using: &generator)
            }
            _ = client.challenged(challenge(nonce: "obMatJos2AAABn", algorithms: algorithms))
        }
    }
}
