import Base
import SDPCore

/// Two ends of a call that negotiate with each other, and shorthand for descriptions.
struct Ends {
    var generator = SeededGenerator(seed: 3264)
    var caller: MediaNegotiation
    var called: MediaNegotiation

    init(_ callerPolicy: MediaCapabilities = .init(), _ calledPolicy: MediaCapabilities = .init(opusPayloadType: 110)) {
        caller = MediaNegotiation(
            capabilities: callerPolicy, local: .init(host: "192.0.2.1", port: 4000), using: &generator)
        called = MediaNegotiation(
            capabilities: calledPolicy, local: .init(host: "192.0.2.2", port: 5000), using: &generator)
    }

    /// The caller offers, the called end answers, through bytes both ways.
    mutating func negotiate(callerHolds: Bool = false, calledHolds: Bool = false) throws -> (
        caller: NegotiatedMedia, called: NegotiatedMedia
    ) {
        let offer = try SessionDescription(parsing: caller.offer(held: callerHolds, using: &generator).bytes)
        let (answer, called) = try called.answer(to: offer, held: calledHolds, using: &generator)
        return (try caller.conclude(SessionDescription(parsing: answer.bytes)).media, called.media)
    }

    /// The called end offers again.
    mutating func negotiateBack(
        calledHolds: Bool, callerHolds: Bool = false
    ) throws -> (caller: NegotiatedMedia, called: NegotiatedMedia) {
        let offer = try SessionDescription(parsing: called.offer(held: calledHolds, using: &generator).bytes)
        let (answer, agreed) = try caller.answer(to: offer, held: callerHolds, using: &generator)
        return (agreed.media, try called.conclude(SessionDescription(parsing: answer.bytes)).media)
    }

    /// The called end answers another offer. Here and not in a closure of a test: there, both parts of these ends may
    /// count as one access each to all of them, at the same time.
    mutating func answer(_ offer: SessionDescription) throws -> NegotiatedMedia {
        try called.answer(to: offer, held: false, using: &generator).agreed.media
    }

    /// Whether each end is held by the other one: the caller, the called end.
    var held: [Bool?] { [caller.agreed?.heldByFarEnd, called.agreed?.heldByFarEnd] }

    static func description(_ lines: String, host: String = "198.51.100.7") throws -> SessionDescription {
        let head = "v=0\r\no=- 7 7 IN IP4 \(host)\r\ns=-\r\nc=IN IP4 \(host)\r\nt=0 0\r\n"
        return try SessionDescription(parsing: Array((head + lines).utf8))
    }

    static func fingerprint(_ octet: UInt8) -> CertificateFingerprint {
        .init(digest: .init(repeating: octet, count: 32))
    }

    static let opus = "a=rtpmap:111 opus/48000/2\r\n"
    static let key = "a=crypto:4 AES_CM_128_HMAC_SHA1_80 inline:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwd|2^31\r\n"
}

extension NegotiatedMedia {
    var direction: Direction { Direction(sends: sends, receives: receives) }
}
