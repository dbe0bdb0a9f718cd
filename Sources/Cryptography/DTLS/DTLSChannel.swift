import Base
import COpenSSL
import Glibc

/// One end of a DTLS handshake that gives a call its SRTP keys (RFC 5764), without a transport: datagrams go in and
/// come out. OpenSSL's timer decides on repetitions, and reads the machine's clock: the owner asks `timeLeft`, and
/// calls `timedOut` when that time is over. It carries no application data; received data is dropped.
///
/// Confined to one thread. The handshake takes some milliseconds of processor time.
@safe
package struct DTLSChannel: ~Copyable {
    /// The active end is the client and begins (RFC 8842 §5).
    package enum Role: Sendable { case active, passive }

    package enum Event: Equatable, Sendable {
        /// The far end has the key of one of the expected fingerprints.
        case established(DTLSSession)
        /// The far end announced that it will send nothing more.
        case closed
        /// There will be no keys, or the association is broken.
        case failed(OpenSSLError)
    }

    package struct Settings: Sendable {
        /// The SHA-256 of the certificates that the far end may show (RFC 8122 §5). Empty: every handshake fails.
        package var fingerprints: [[UInt8]]
        /// Whether the passive end verifies the active end's address by a cookie before it does any work (RFC 6347
        /// §4.2.1). If ICE has verified the address, the cookie would waste a round trip.
        package var asksForCookie: Bool
        /// The time before a flight is first repeated. It doubles each time, up to `longestWait`.
        package var firstWait: Duration
        /// The cookie of all associations with one far end. A peer that returns it receives packets at the address that
        /// we send to. It outlives each association: a far end counts its messages, so it cannot be asked for a second
        /// cookie in one handshake.
        let cookie: [UInt8]

        private static let cookieLength = 32

        package init(fingerprints: [[UInt8]], asksForCookie: Bool = true, firstWait: Duration = .milliseconds(100)) {
            self.fingerprints = fingerprints
            self.asksForCookie = asksForCookie
            self.firstWait = firstWait
            cookie = (0..<Self.cookieLength).map { _ in .random(in: .min ... .max) }
        }
    }

    private enum State {
        /// The far end has to send a cookie back first.
        case listening
        case handshaking, established, ended
    }

    /// An alert in clear, which anybody may have sent. It is believed if the far end sends nothing else while an
    /// unanswered flight is repeated twice.
    private struct Rumour {
        let reason: String
        var repetitions = 0
    }

    /// The most bytes of a datagram that we send. Every path carries it, with room for TURN's and IPv6's headers.
    package static let datagramLimit = 1_200
    /// The most bytes that are read before the far end is authenticated: certificate chains are some kilobytes,
    /// repeated.
    package static let handshakeLimit = 131_072

    private let role: Role
    private let ssl: OpaquePointer
    /// The datagram from the far end, and the records for it. The SSL object owns both BIOs.
    private let incoming: OpaquePointer
    private let outgoing: OpaquePointer
    private let memory: UnsafeMutablePointer<Memory>
    private var state: State
    private var handshakeBytes = 0
    private var rumour: Rumour?
    /// Whether a ClientHello may come during the handshake. A client expects none. After the cookie the far end needs
    /// no other, so a further one is a copy or a stranger's.
    private let takesClientHello: Bool
    /// The random bytes of the ClientHello that began this handshake, at the passive end (RFC 5246 §7.4.1.2). The far
    /// end repeats them with the cookie, and in each repetition. Nil: no ClientHello has come.
    private(set) var greeting: [UInt8]?
    /// Datagrams that were dropped: beyond the limit of a handshake, too long, nothing but unexpected ClientHellos or
    /// alerts in clear, or after the end.
    package private(set) var dropped = 0

    package init(_ context: DTLSContext, _ role: Role, _ settings: Settings) {
        guard let ssl = unsafe SSL_new(context.pointer), let incoming = unsafe BIO_new(BIO_s_mem()),
            let outgoing = unsafe BIO_new(BIO_s_mem())
        else { preconditionFailure("no memory for an association") }
        unsafe SSL_set_bio(ssl, incoming, outgoing)
        let memory = UnsafeMutablePointer<Memory>.allocate(capacity: 1)
        unsafe memory.initialize(to: Memory(settings))
        precondition(unsafe SSL_set_ex_data(ssl, Self.memoryPlace, memory) == 1, "memory for an association")
        unsafe copenssl_set_mtu(ssl, Self.datagramLimit)
        unsafe DTLS_set_timer_cb(ssl) { unsafe DTLSChannel.wait($0, after: $1) }
        switch role {
        case .active: unsafe SSL_set_connect_state(ssl)
        case .passive: unsafe SSL_set_accept_state(ssl)
        }
        state = role == .passive && settings.asksForCookie ? .listening : .handshaking
        takesClientHello = role == .passive && !settings.asksForCookie
        self.role = role
        unsafe (self.ssl, self.incoming, self.outgoing, self.memory) = (ssl, incoming, outgoing, memory)
    }

    deinit {
        unsafe SSL_free(ssl)
        unsafe memory.deinitialize(count: 1)
        unsafe memory.deallocate()
    }

    package var isEstablished: Bool { state == .established }
    /// Whether the far end gets only cookies, because it has not proven that it receives them.
    package var isListening: Bool { state == .listening }
    /// Whether the next ClientHello begins this handshake.
    var awaitsGreeting: Bool { role == .passive && greeting == nil && (state == .listening || state == .handshaking) }

    /// Begins at the active end; the passive one waits. `takeDatagrams()` then returns the datagrams to send.
    package mutating func start() -> [Event] { role == .active ? proceed() : [] }

    /// Handles a datagram from the far end. The owner recognises DTLS by the first byte (20 to 63, RFC 7983 §7).
    package mutating func receive(_ datagram: UnsafeRawBufferPointer) -> [Event] {
        guard state != .ended, let count = Int32(exactly: datagram.count), count > 0, count <= 65_535 else {
            dropped += 1
            return []
        }
        guard state == .handshaking else {
            let wasListening = isListening
            unsafe write(datagram)
            let events = proceed()
            if wasListening, !isListening { greeting = unsafe DTLSRecords.greeting(in: datagram) }
            return events
        }
        if takesClientHello, greeting == nil { greeting = unsafe DTLSRecords.greeting(in: datagram) }
        let (rest, reason) = unsafe DTLSRecords.sift(datagram, takesClientHello: takesClientHello)
        if let reason { rumour = rumour ?? Rumour(reason: reason) } else if !rest.isEmpty { rumour = nil }
        handshakeBytes += rest.count
        guard !rest.isEmpty, handshakeBytes <= Self.handshakeLimit else {
            dropped += 1
            return rest.isEmpty ? [] : fail(OpenSSLError("the far end sends more data than a handshake has"))
        }
        unsafe rest.withUnsafeBytes { unsafe write($0) }
        return proceed()
    }

    private func write(_ datagram: UnsafeRawBufferPointer) {
        let taken = unsafe BIO_write(incoming, datagram.baseAddress, Int32(datagram.count))
        precondition(taken == datagram.count, "a memory BIO takes everything while there is memory")
    }

    /// How long until an unanswered flight has to be repeated; zero: now. Nil: every flight is answered.
    package var timeLeft: Duration? {
        guard state != .ended else { return nil }
        var microseconds: Int64 = 0
        return unsafe copenssl_dtls_time_left(ssl, &microseconds) == 1 ? .microseconds(microseconds) : nil
    }

    /// Repeats an unanswered flight if its time is over. The far end is given up after twelve repetitions.
    package mutating func timedOut() -> [Event] {
        guard state != .ended else { return [] }
        ERR_clear_error()
        let result = unsafe copenssl_dtls_timed_out(ssl)
        guard result >= 0 else { return fail(OpenSSLError("the far end does not answer")) }
        guard result > 0, state == .handshaking, let reason = rumour?.reason else { return [] }
        rumour?.repetitions += 1
        return rumour?.repetitions == 2 ? fail(OpenSSLError("the far end refuses: \(reason)")) : []
    }

    /// Announces the end to the far end. Nothing is read from now on.
    package mutating func close() {
        if state == .established { _ = unsafe SSL_shutdown(ssl) }
        state = .ended
        ERR_clear_error()
    }

    /// The datagrams for the far end, of at most `datagramLimit` bytes; each is returned once.
    package mutating func takeDatagrams() -> [[UInt8]] {
        let records = unsafe OpenSSL.takeBytes(of: outgoing)
        return DTLSRecords.datagrams(of: records, limit: Self.datagramLimit)
    }

    // MARK: Received datagrams

    private mutating func proceed() -> [Event] {
        // OpenSSL reads errors from the thread's queue, so older errors must be removed first.
        ERR_clear_error()
        defer { unsafe copenssl_forget(incoming) }
        switch state {
        case .listening: return listen()
        case .handshaking: return shakeHands()
        case .established: return read()
        case .ended: return []
        }
    }

    /// Answers a ClientHello with a cookie, and keeps no state until the cookie comes back. OpenSSL rejects a
    /// fragmented ClientHello here, because reassembly needs state for an unverified sender.
    private mutating func listen() -> [Event] {
        // The owner knows the address of the sender. Anything but a returned cookie proves nothing about the far end.
        let somebody = unsafe BIO_ADDR_new()
        defer { unsafe BIO_ADDR_free(somebody) }
        guard unsafe DTLSv1_listen(ssl, somebody) == 1 else { return [] }
        state = .handshaking
        return shakeHands()
    }

    private mutating func shakeHands() -> [Event] {
        let result = unsafe SSL_do_handshake(ssl)
        guard result != 1 else { return established() }
        guard unsafe SSL_get_error(ssl, result) != SSL_ERROR_WANT_READ else { return [] }
        let error = OpenSSLError.queued()
        return fail(unsafe memory.pointee.isOther ? OpenSSLError("the far end has another certificate") : error)
    }

    private mutating func established() -> [Event] {
        guard let keys = exportedKeys, let fingerprint = shownFingerprint, let binding else {
            return fail(OpenSSLError("no SRTP profile was agreed on"))
        }
        state = .established
        return [.established(DTLSSession(keys: keys, fingerprint: fingerprint, binding: binding))]
    }

    private var shownFingerprint: [UInt8]? {
        let x509 = unsafe SSL_get1_peer_certificate(ssl)
        defer { unsafe X509_free(x509) }
        return unsafe x509.flatMap { unsafe Certificate($0)?.fingerprint }
    }

    /// RFC 5705 §4: private labels begin like this.
    private var binding: SecretBytes? {
        let label = "EXPERIMENTAL-offhook-words"
        var bytes = [UInt8](repeating: 0, count: 32)
        let isExported = unsafe SSL_export_keying_material(ssl, &bytes, bytes.count, label, label.utf8.count, nil, 0, 0)
        return isExported == 1 ? SecretBytes(taking: &bytes) : nil
    }

    private var exportedKeys: SRTPKeys? {
        guard let chosen = unsafe SSL_get_selected_srtp_profile(ssl),
            let profile = unsafe SRTPProfile(rawValue: UInt16(truncatingIfNeeded: chosen.pointee.id))
        else { return nil }
        let (label, count) = ("EXTRACTOR-dtls_srtp", SRTPKeys.exportedLength(profile))
        return unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: count) { [ssl, role] exported in
            defer { unsafe OPENSSL_cleanse(exported.baseAddress, count) }
            guard
                unsafe SSL_export_keying_material(
                    ssl, exported.baseAddress, count, label, label.utf8.count, nil, 0, 0) == 1
            else { return nil }
            return unsafe SRTPKeys(profile, exported: UnsafeBufferPointer(exported), isClient: role == .active)
        }
    }

    /// Answers the far end's repetitions, and drops its application data.
    private mutating func read() -> [Event] {
        var last: Int32 = 0
        unsafe withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: 1) { [ssl] buffer in
            repeat { last = unsafe SSL_read(ssl, buffer.baseAddress, Int32(buffer.count)) } while last > 0
        }
        switch unsafe SSL_get_error(ssl, last) {
        case SSL_ERROR_WANT_READ: return []
        case SSL_ERROR_ZERO_RETURN:
            close()
            return [.closed]
        default: return fail(.queued())
        }
    }

    private mutating func fail(_ error: OpenSSLError) -> [Event] {
        state = .ended
        ERR_clear_error()
        return [.failed(error)]
    }
}

/// The data that OpenSSL's callbacks need about their association.
extension DTLSChannel {
    struct Memory {
        let fingerprints: [[UInt8]]
        let firstWait: UInt32
        let cookie: [UInt8]
        /// The certificate is not one of the expected.
        var isOther = false

        init(_ settings: Settings) {
            fingerprints = settings.fingerprints
            firstWait = UInt32(clamping: Int64(settings.firstWait / .microseconds(1)))
            cookie = settings.cookie
        }
    }

    /// OpenSSL reserves this index for the program ("app data").
    static let memoryPlace: Int32 = 0
    /// The longest time between two repetitions, in microseconds.
    private static let longestWait: UInt32 = 3_200_000

    private static func memory(of ssl: OpaquePointer?) -> UnsafeMutablePointer<Memory>? {
        unsafe SSL_get_ex_data(ssl, memoryPlace)?.assumingMemoryBound(to: Memory.self)
    }

    /// Whether the certificate is one of the expected. This replaces OpenSSL's whole verification.
    static func accepts(_ verification: OpaquePointer?) -> Bool {
        let place = SSL_get_ex_data_X509_STORE_CTX_idx()
        let ssl = unsafe X509_STORE_CTX_get_ex_data(verification, place).map { OpaquePointer($0) }
        let shown = unsafe X509_STORE_CTX_get0_cert(verification).flatMap { unsafe Certificate($0) }
        guard let memory = unsafe memory(of: ssl), let fingerprint = shown?.fingerprint,
            unsafe memory.pointee.fingerprints.contains(where: { OpenSSL.isSame($0, fingerprint) })
        else {
            unsafe memory(of: ssl)?.pointee.isOther = true
            unsafe X509_STORE_CTX_set_error(verification, X509_V_ERR_APPLICATION_VERIFICATION)
            return false
        }
        return true
    }

    static func makeCookie(
        _ ssl: OpaquePointer?, _ cookie: UnsafeMutablePointer<UInt8>?, _ count: UnsafeMutablePointer<UInt32>?
    ) -> Int32 {
        guard let memory = unsafe memory(of: ssl), let cookie = unsafe cookie, let count = unsafe count else {
            return 0
        }
        let own = unsafe memory.pointee.cookie
        unsafe cookie.update(from: own, count: own.count)
        unsafe count.pointee = UInt32(own.count)
        return 1
    }

    static func isOwnCookie(_ ssl: OpaquePointer?, _ cookie: UnsafePointer<UInt8>?, _ count: UInt32) -> Int32 {
        guard let memory = unsafe memory(of: ssl), let cookie = unsafe cookie else { return 0 }
        let sent = unsafe Array(UnsafeBufferPointer(start: cookie, count: Int(count)))
        return unsafe OpenSSL.isSame(memory.pointee.cookie, sent) ? 1 : 0
    }

    /// Microseconds until the next repetition, given the last wait.
    static func wait(_ ssl: OpaquePointer?, after last: UInt32) -> UInt32 {
        guard last > 0 else { return unsafe memory(of: ssl)?.pointee.firstWait ?? longestWait }
        return min(last * 2, longestWait)
    }
}
