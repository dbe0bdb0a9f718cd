/// Makes the random identifiers of SIP with the given generator.
///
/// On a phone this is the system's generator: unpredictable identifiers prevent others from answering in a peer's name.
public struct SIPIdentifiers: Sendable {
    private var generator: any RandomNumberGenerator & Sendable

    public init(_ generator: any RandomNumberGenerator & Sendable) { self.generator = generator }

    /// A Via branch: 128 bits behind the magic cookie (RFC 3261 §8.1.1.7).
    public mutating func makeBranch() -> String { Via.magicCookie + word() + word() }

    /// A From or To tag: 64 bits, where RFC 3261 §19.3 asks for 32.
    public mutating func makeTag() -> String { word() }

    /// A Call-ID: 128 bits that reveal nothing about this host (RFC 3261 §8.1.1.4).
    public mutating func makeCallID() -> String { word() + word() }

    /// A client nonce of digest authentication: 64 bits.
    public mutating func makeClientNonce() -> String { word() }

    /// A first CSeq: small enough never to reach 2³¹ by counting (RFC 3261 §8.1.1.5).
    public mutating func makeSequence() -> UInt32 { UInt32(draw() >> 49) + 1 }

    /// A host that does not exist (RFC 2606 §2), for a client that nobody can connect to (RFC 7118 appendix B.1).
    public mutating func makeUnreachableHost() -> String { word() + ".invalid" }

    private mutating func word() -> String {
        let digits = Array("0123456789abcdef".utf8)
        let bits = draw()
        return String(decoding: (0..<16).map { digits[Int(bits >> (60 - 4 * UInt64($0)) & 0x0F)] }, as: UTF8.self)
    }

    private mutating func draw() -> UInt64 { generator.next() }
}
