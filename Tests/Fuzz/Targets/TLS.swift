import Base
import COpenSSL
import Cryptography

/// A certificate, the first bytes at a client or server, and an attacker's changes of a whole conversation.
func fuzzTLS(_ input: [UInt8]) {
    guard let kind = input.first else { return }
    let bytes = input.dropFirst()
    switch kind % 4 {
    case 0:
        _ = Certificate(der: Array(bytes)).subjectAlternativeNames
    case 1: deafen(Fuzzed(.server), bytes)
    case 2: deafen(Fuzzed(.client), bytes)
    default: meddle(bytes)
    }
}

/// A peer that cannot finish a handshake is not heard, however the bytes are split.
private func deafen(_ end: Fuzzed, _ bytes: ArraySlice<UInt8>) {
    let step = 1 + Int(bytes.first ?? 0)
    end.start()
    for start in stride(from: bytes.startIndex, to: bytes.endIndex, by: step) {
        end.receive(Array(bytes[start..<min(start + step, bytes.endIndex)]))
    }
    precondition(end.heard.isEmpty && !end.isEstablished, "heard an unproven peer")
}

/// Two bytes choose the place in the conversation where the others overwrite it, once: the data up to the change
/// arrives unchanged.
private func meddle(_ bytes: ArraySlice<UInt8>) {
    var place = bytes.prefix(2).reduce(0) { $0 << 8 | Int($1) } % 4_096
    let changes = bytes.dropFirst(2)
    let (client, server) = (Fuzzed(.client), Fuzzed(.server))
    client.start()
    var said = false
    while true {
        if client.isEstablished, server.isEstablished, !said {
            said = true
            client.send(message)
            server.send(message)
        }
        let (ours, theirs) = (client.takeRecords(), server.takeRecords())
        guard !ours.isEmpty || !theirs.isEmpty else { break }
        server.receive(written(changes, over: ours, at: &place))
        client.receive(written(changes, over: theirs, at: &place))
    }
    for end in [client, server] { precondition(message.starts(with: end.heard), "received data that was never sent") }
}

private let message = Array("INVITE sip:door@example.org SIP/2.0\r\n".utf8)

/// An attacker's version of these bytes, overwritten at a place counted from the first of all.
func written(_ changes: ArraySlice<UInt8>, over records: [UInt8], at place: inout Int) -> [UInt8] {
    defer { place -= records.count }
    guard records.indices.contains(place) else { return records }
    let end = min(records.count, place + changes.count)
    return Array(records[..<place] + changes.prefix(end - place) + records[end...])
}

/// One end, and its received data.
private final class Fuzzed {
    private var channel: SecureChannel
    private(set) var heard: [UInt8] = []
    private var wasEstablished = false

    init(_ side: TLSContext.Side) { channel = SecureChannel(side == .client ? Authority.client : Authority.server) }

    var isEstablished: Bool { channel.isEstablished }

    func start() { take(channel.start()) }
    func receive(_ records: [UInt8]) { take(records.withUnsafeBytes { channel.receive($0) }) }
    func send(_ message: [UInt8]) { _ = message.withUnsafeBytes { channel.send($0) } }
    func takeRecords() -> [UInt8] { channel.takeRecords() }

    private func take(_ events: [SecureChannel.Event]) {
        for event in events {
            switch event {
            case .established: wasEstablished = true
            case .received(let bytes):
                precondition(wasEstablished, "heard before there was a handshake")
                heard += bytes
            case .closed, .failed: precondition(!channel.isEstablished, "ended, and continues")
            }
        }
    }
}

/// Made again in each run: a server with a self-signed certificate, and a client that trusts it.
private enum Authority {
    static let (client, server): (TLSContext, TLSContext) = {
        let (certificate, key) = make()
        var contexts: (TLSContext, TLSContext)?
        inFile(certificate) { path in
            let identity = TLSContext.Identity(certificateFile: path, key: SecretBytes(key), keyFile: "made here")
            do throws(TLSContext.Fault) {
                contexts = (
                    try TLSContext(.client, trust: .authorities(file: path)),
                    try TLSContext(.server, trust: .anybody, identity: identity)
                )
            } catch {
                preconditionFailure("a certificate of our own is one: \(error)")
            }
        }
        guard let contexts else { preconditionFailure("a file is used once") }
        return contexts
    }()

    /// A certificate and its key, in PEM.
    private static func make() -> (certificate: [UInt8], key: [UInt8]) {
        let (key, certificate) = (copenssl_make_p256_key(), X509_new())
        defer {
            X509_free(certificate)
            EVP_PKEY_free(key)
        }
        X509_set_version(certificate, 2)
        ASN1_INTEGER_set(X509_get_serialNumber(certificate), 1)
        X509_gmtime_adj(X509_getm_notBefore(certificate), -60)
        X509_gmtime_adj(X509_getm_notAfter(certificate), 86_400)
        let name = X509_get_subject_name(certificate)
        X509_NAME_add_entry_by_txt(name, "CN", 0x1001, "fuzzed", -1, -1, 0)
        X509_set_issuer_name(certificate, name)
        X509_set_pubkey(certificate, key)
        X509_sign(certificate, key, EVP_sha256())
        return (
            text { PEM_write_bio_X509($0, certificate) },
            text { PEM_write_bio_PrivateKey($0, key, nil, nil, 0, nil, nil) }
        )
    }

    private static func text(_ write: (OpaquePointer?) -> Int32) -> [UInt8] {
        let memory = BIO_new(BIO_s_mem())
        defer { BIO_free(memory) }
        precondition(write(memory) == 1, "memory takes it")
        var bytes = [UInt8](repeating: 0, count: BIO_ctrl_pending(memory))
        BIO_read(memory, &bytes, Int32(bytes.count))
        return bytes
    }
}
