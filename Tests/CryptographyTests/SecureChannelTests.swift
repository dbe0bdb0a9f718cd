import Base
import COpenSSL
import Cryptography
import Foundation
import Rig
import Testing

@Suite("TLS without a transport")
struct SecureChannelTests {
    private let certificates: Certificates

    init() throws {
        certificates = try Certificates()
        try certificates.make("server", "DNS:server.example")
    }

    private func context(
        _ side: TLSContext.Side, _ trust: TLSContext.Trust, _ name: String? = nil
    ) throws -> TLSContext {
        guard let name else { return try TLSContext(side, trust: trust) }
        let key = Array(try Data(contentsOf: URL(fileURLWithPath: certificates.key(name))))
        return try TLSContext(
            side, trust: trust,
            identity: .init(
                certificateFile: certificates.certificate(name), key: SecretBytes(key), keyFile: certificates.key(name))
        )
    }

    /// Carries records to and fro until no more come; the reports of each end.
    private func run(
        _ client: End, _ server: End, piece: Int = .max
    ) -> (client: [SecureChannel.Event], server: [SecureChannel.Event]) {
        var told: (client: [SecureChannel.Event], server: [SecureChannel.Event]) = ([], [])
        while true {
            let (ours, theirs) = (client.takeRecords(), server.takeRecords())
            guard !ours.isEmpty || !theirs.isEmpty else { return told }
            told.server += deliver(ours, to: server, piece)
            told.client += deliver(theirs, to: client, piece)
        }
    }

    private func deliver(_ records: [UInt8], to end: End, _ piece: Int) -> [SecureChannel.Event] {
        var (rest, events) = (records[...], [SecureChannel.Event]())
        while !rest.isEmpty {
            let part = Array(rest.prefix(piece))
            rest = rest.dropFirst(part.count)
            events += end.receive(part)
        }
        return events
    }

    /// A client and a server that have shaken hands.
    private func handshake(
        _ client: TLSContext, _ server: TLSContext, piece: Int = .max
    ) throws -> (client: [SecureChannel.Event], server: [SecureChannel.Event]) {
        let (one, other) = (End(client), End(server))
        #expect(one.start().isEmpty && other.start().isEmpty)
        return run(one, other, piece: piece)
    }

    private func error(_ events: [SecureChannel.Event]) -> OpenSSLError? {
        if case .failed(let error)? = events.last { error } else { nil }
    }

    private func failure(_ events: [SecureChannel.Event]) -> String? { error(events)?.description }

    @Test(
        "two ends connect, and carry any number of bytes, split anywhere, until one closes",
        arguments: [1, 7, .max])
    func twoEndsConnectAndCarryAnyNumberOfBytesSplitAnywhere(piece: Int) throws {
        let client = try End(context(.client, .authorities(file: certificates.authority)))
        let server = try End(context(.server, .anybody, "server"))
        #expect(client.start().isEmpty)
        #expect(!client.send("too early".utf8))
        let told = run(client, server, piece: piece)
        #expect(told.client == [.established(Certificate(der: try certificates.der("server")))])
        #expect(told.server == [.established(nil)])
        let message = (0..<50_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        #expect(client.send(message) && server.send("short".utf8) && server.send([]))
        let (ours, theirs) = run(client, server, piece: piece)
        #expect(ours == [.received(Array("short".utf8))])
        #expect(theirs.flatMap { if case .received(let bytes) = $0 { bytes } else { [UInt8]() } } == message)
        client.close()
        #expect(!client.send("too late".utf8))
        #expect(deliver(client.takeRecords(), to: server, piece) == [.closed])
        // The far end's close is answered by another (RFC 5246 §7.2.1).
        #expect(!server.takeRecords().isEmpty)
        #expect(!server.isEstablished && !server.send("nobody there".utf8))
    }

    @Test("an expired certificate is rejected with the reason at both ends")
    func expiredCertificateIsRejectedWithReasonAtBothEnds() throws {
        try certificates.make("old", "DNS:server.example", days: 0)
        Thread.sleep(forTimeInterval: 1.1)
        let told = try handshake(
            try context(.client, .authorities(file: certificates.authority)), try context(.server, .anybody, "old"))
        #expect(failure(told.client) == "certificate verify failed: certificate has expired")
        #expect(error(told.client)?.isOutOfDate == true)
        #expect(failure(told.server)?.contains("certificate expired") == true)
    }

    @Test("an unknown authority is not trusted")
    func unknownAuthorityIsNotTrusted() throws {
        let elsewhere = try Certificates()
        for trust in [TLSContext.Trust.authorities(file: elsewhere.authority), .system] {
            let told = try handshake(try context(.client, trust), try context(.server, .anybody, "server"))
            #expect(failure(told.client)?.hasPrefix("certificate verify failed: ") == true)
            #expect(error(told.client)?.isOutOfDate == false)
            #expect(failure(told.server)?.contains("unknown ca") == true)
        }
    }

    @Test("a pinned certificate is trusted whatever its issuer, and no other one")
    func pinnedCertificateIsTrustedWhateverItsIssuerAndNoOtherOne() throws {
        try certificates.make("own", "DNS:whatever.example", isSelfSigned: true)
        let pin = TLSContext.Trust.pinned(Certificate(der: try certificates.der("own")).fingerprint)
        let right = try handshake(try context(.client, pin), try context(.server, .anybody, "own"))
        #expect(right.client == [.established(Certificate(der: try certificates.der("own")))])
        let wrong = try handshake(try context(.client, pin), try context(.server, .anybody, "server"))
        #expect(failure(wrong.client) == "certificate verify failed: application verification failure")
        #expect(failure(wrong.server) != nil)
    }

    @Test("a server that requests a certificate gets one, and rejects clients without")
    func serverThatRequestsCertificateGetsOne() throws {
        try certificates.make("client", "URI:sip:client.example")
        let trust = TLSContext.Trust.authorities(file: certificates.authority)
        let server = try context(.server, trust, "server")
        let known = try handshake(try context(.client, trust, "client"), server)
        #expect(known.server == [.established(Certificate(der: try certificates.der("client")))])
        #expect(
            failure(try handshake(try context(.client, trust), server).server) == "peer did not return a certificate")
    }

    @Test("TLS older than 1.2 is rejected", arguments: [UInt8(1), 2])
    func tlsOlderThan12IsRejected(minor: UInt8) throws {
        let server = try End(context(.server, .anybody, "server"))
        #expect(failure(deliver(hello(minor), to: server, .max))?.contains("unsupported protocol") == true)
        // The far end gets the reason: the alert protocol_version (RFC 8446 §6.2).
        #expect(server.takeRecords().suffix(2) == [2, 70])
    }

    /// A ClientHello of version 3.`minor` with one cipher suite that every server knew then.
    private func hello(_ minor: UInt8) -> [UInt8] {
        let body: [UInt8] = [3, minor] + [UInt8](repeating: 7, count: 32) + [0] + [0, 2, 0xc0, 0x09] + [1, 0]
        let handshake: [UInt8] = [1, 0, 0, UInt8(body.count)] + body
        return [22, 3, 1, 0, UInt8(handshake.count)] + handshake
    }

    @Test("records of one byte each become one message")
    func recordsOfOneByteEachBecomeOneMessage() throws {
        let client = End(try context(.client, .authorities(file: certificates.authority)))
        let server = End(try context(.server, .anybody, "server"))
        _ = client.start()
        _ = run(client, server)
        for byte in UInt8(0)..<200 { #expect(client.send([byte])) }
        #expect(deliver(client.takeRecords(), to: server, .max) == [.received(Array(0..<200))])
    }

    /// RFC 8446 §4.6.3: a few bytes that cost the receiver two derivations.
    @Test("a far end that only updates keys is dropped")
    func farEndThatOnlyUpdatesKeysIsDropped() throws {
        let (client, server) = (RawEnd(), End(try context(.server, .anybody, "server")))
        for _ in 0..<3 { client.take(server.takeRecords()).map { _ = server.receive($0) } }
        #expect(server.isEstablished)
        var told: [SecureChannel.Event] = []
        for _ in 0..<4_000 where told.isEmpty {
            told = server.receive(client.changeKeys())
            _ = server.takeRecords()
        }
        #expect(failure(told) == "the far end sends records without data")
    }

    /// In TLS 1.2 either end may request another handshake at any time. It costs a server much and a client little.
    /// Its first bytes would also be attributed to the next sender (RFC 5746 §1).
    @Test(
        "a renegotiation is declined by an alert, and the connection continues", arguments: [true, false])
    func renegotiationIsDeclinedByAlertAndConnectionContinues(isAskedByClient: Bool) throws {
        let trust = TLSContext.Trust.authorities(file: certificates.authority)
        let far =
            isAskedByClient
            ? RawEnd(atMost: TLS1_2_VERSION)
            : RawEnd(
                certificateFile: certificates.certificate("server"), keyFile: certificates.key("server"),
                atMost: TLS1_2_VERSION)
        let near = End(isAskedByClient ? try context(.server, .anybody, "server") : try context(.client, trust))
        #expect(near.start().isEmpty)
        for _ in 0..<3 { far.take(near.takeRecords()).map { _ = near.receive($0) } }
        #expect(near.isEstablished && near.takeRecords().isEmpty)
        let asked = far.renegotiate()
        #expect(Self.kinds(asked) == [22])
        #expect(near.receive(asked).isEmpty)
        #expect(Self.kinds(near.takeRecords()) == [21], "no message of a handshake")
        // A server may send after its request; a client waits.
        if !isAskedByClient { #expect(near.receive(far.say("still here")) == [.received(Array("still here".utf8))]) }
        #expect(near.isEstablished && near.send("still here".utf8))
        #expect(Self.kinds(near.takeRecords()) == [23])
    }

    /// 21: an alert, 22: of a handshake, 23: a message (RFC 5246 §6.2.1).
    private static func kinds(_ records: [UInt8]) -> [UInt8] {
        var (rest, kinds) = (records[...], [UInt8]())
        while let kind = rest.first {
            kinds.append(kind)
            let length = rest.dropFirst(3).prefix(2).reduce(0) { $0 << 8 | Int($1) }
            rest = rest.dropFirst(5 + length)
        }
        return kinds
    }

    @Test("a changed record ends the connection, and none of it is reported")
    func changedRecordEndsConnectionAndNoneOfItIsReported() throws {
        let client = try End(context(.client, .authorities(file: certificates.authority)))
        let server = try End(context(.server, .anybody, "server"))
        _ = client.start()
        _ = run(client, server)
        #expect(client.send("the door code is 4711".utf8))
        var records = client.takeRecords()
        records[records.count / 2] ^= 1
        let told = deliver(records, to: server, .max)
        #expect(told.count == 1 && failure(told) != nil)
        #expect(deliver(records, to: server, .max).isEmpty)
    }

    @Test(
        "non-TLS data ends the connection at once",
        arguments: ["REGISTER sip:example.org SIP/2.0\r\n", "\r\n\r\n\r\n"])
    func nonTLSDataEndsConnectionAtOnce(text: String) throws {
        let server = try End(context(.server, .anybody, "server"))
        #expect(failure(deliver(Array(text.utf8), to: server, 1)) != nil)
        #expect(!server.isEstablished)
    }

    @Test("unusable files are named with the reason")
    func unusableFilesAreNamedWithReason() throws {
        let missing = certificates.folder + "/missing.pem"
        func fault(_ make: () throws -> TLSContext) -> (file: String, why: String)? {
            do { _ = try make() } catch TLSContext.Fault.file(let file, let why) {
                return (file, why.description)
            } catch {}
            return nil
        }
        let absent = fault { try TLSContext(.client, trust: .authorities(file: missing)) }
        #expect(absent?.file == missing && absent?.why == "No such file or directory")
        let key = certificates.key("server")
        let empty = fault { try TLSContext(.client, trust: .authorities(file: key)) }
        #expect(empty?.file == key && empty?.why.isEmpty == false)
        let mixed = fault {
            try TLSContext(
                .server, trust: .anybody,
                identity: .init(
                    certificateFile: certificates.authority,
                    key: SecretBytes(try Data(contentsOf: URL(fileURLWithPath: key))),
                    keyFile: key))
        }
        #expect(mixed?.file == key && mixed?.why.contains("mismatch") == true)
    }
}

/// One end as a class, because expectations cannot inspect a noncopyable value.
private final class End {
    private var channel: SecureChannel

    init(_ context: TLSContext) { channel = SecureChannel(context, serverName: "server.example") }

    var isEstablished: Bool { channel.isEstablished }

    func start() -> [SecureChannel.Event] { channel.start() }
    func receive(_ records: [UInt8]) -> [SecureChannel.Event] { records.withUnsafeBytes { channel.receive($0) } }
    func send(_ bytes: some Sequence<UInt8>) -> Bool { Array(bytes).withUnsafeBytes { channel.send($0) } }
    func takeRecords() -> [UInt8] { channel.takeRecords() }
    func close() { channel.close() }
}
