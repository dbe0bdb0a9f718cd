import Base
import CMosquitto
import CProcess  // For poll.h, which it brings.
import CallerInfoCore
import Cryptography
import Glibc
import Platform
import SecureTransport

/// One connection of libmosquitto to the broker, from the name to the end. Confined to its thread.
///
/// libmosquitto queues the acknowledgement of a message before it delivers the message. Because the library believes
/// that another thread writes (`threaded_set`), it sends nothing by itself: this thread decides when `loop_write` sends
/// the queue. A message that the phone has not dealt with ends the connection before that.
@safe
final class BrokerConnection {
    struct Failure: Error, Equatable {
        let why: String
        let kind: BrokerRetry.Failure

        init(_ why: String, _ kind: BrokerRetry.Failure = .other) { (self.why, self.kind) = (why, kind) }
    }

    struct Message {
        let topic: String
        /// The payload, up to the longest that the phone reads.
        let payload: [UInt8]
        let length: Int
    }

    private enum Phase: Int, Comparable {
        case connecting
        case handshaking
        /// CONNECT is sent.
        case greeting
        /// SUBSCRIBE is sent.
        case subscribing
        case subscribed

        static func < (left: Phase, right: Phase) -> Bool { left.rawValue < right.rawValue }

        /// What the phone waits for, for people.
        var wait: String {
            switch self {
            case .connecting: "the connection"
            case .handshaking: "the TLS handshake"
            case .greeting, .subscribing, .subscribed: "the broker's answer"
            }
        }
    }

    /// The time for each phase before `subscribed`.
    private static let patience = Duration.seconds(10)
    /// How often the library looks at its keep-alive timer.
    private static let upkeep = Duration.seconds(10)
    static let keepAlive: Int32 = 30
    /// How long data may stay unacknowledged by TCP, in milliseconds.
    private static let longestSilence: Int32 = 20_000
    /// How long a broker keeps the session of a phone that is away. Older calls ring no more; only the subscription
    /// counts.
    private static let sessionTime: UInt32 = 7 * 86_400
    /// How many unacknowledged messages the broker may send.
    private static let receiveMaximum: Int32 = 16
    /// How many messages may come in one turn. A broker within its limits sends fewer.
    static let mostMessages = 256
    /// The longest packet: a message with topic and properties.
    private static let longestPacket = UInt32(CallerInfoIntake.longestMessage + 2_048)
    /// The most bytes without a message.
    private static let mostBytes = 1_048_576

    let library: cmosquitto
    private let settings: BrokerSettings
    private let version: BrokerRetry.Version
    let tls: LibraryChannel
    let handle: OpaquePointer
    private var phase = Phase.connecting
    private var deadline: Instant
    private var nextUpkeep: Instant

    // What the library's callbacks report.
    /// Handles a message. Returns whether it may be acknowledged.
    var take: (Message) -> Bool = { _ in false }
    var greeting: Int32?
    var granted: Int32?
    /// The reason of the broker's DISCONNECT.
    var farewell: Int32?
    var complaint: String?
    var messages = 0
    var isUnsettled = false

    /// - Throws: If a file cannot be used. The files are read for each connection, so they may change.
    init(_ library: MosquittoLibrary, _ settings: BrokerSettings, version: BrokerRetry.Version) throws(Failure) {
        self.library = library.functions
        (self.settings, self.version) = (settings, version)
        let now = MonotonicClock.now()
        (deadline, nextUpkeep) = (now + Self.patience, now + Self.upkeep)
        do throws(TLSFileError) {
            tls = LibraryChannel(try settings.context(), limit: Self.mostBytes)
        } catch {
            throw Failure(error.cause)
        }
        // The session is kept at the broker: "clean session" is false.
        guard let handle = unsafe library.functions.new("offhook-" + settings.device, false, nil) else {
            throw Failure("no memory for a connection")
        }
        unsafe self.handle = handle
        try configure()
    }

    deinit { unsafe library.destroy(handle) }

    var isSubscribed: Bool { phase == .subscribed }

    private func configure() throws(Failure) {
        let functions = library
        try check(unsafe functions.int_option(handle, CMOSQUITTO_PROTOCOL_VERSION, version.rawValue))
        try check(unsafe functions.int_option(handle, CMOSQUITTO_RECEIVE_MAXIMUM, Self.receiveMaximum))
        try check(unsafe functions.int_option(handle, CMOSQUITTO_TCP_NODELAY, 1))
        try check(unsafe functions.void_option(handle, CMOSQUITTO_SSL_CTX, tls.pointer))
        try check(unsafe functions.int_option(handle, CMOSQUITTO_SSL_CTX_WITH_DEFAULTS, 0))
        try check(unsafe functions.threaded_set(handle, true))
        if let user = settings.user { try show(user) }
        if let presence = settings.presence {
            let text = Array("offline".utf8)
            try check(unsafe functions.will_set(handle, presence, Int32(text.count), text, 1, true))
        }
        listen()
    }

    private func show(_ user: String) throws(Failure) {
        let secret: SecretBytes
        switch settings.password {
        case nil: return try check(unsafe library.username_pw_set(handle, user, nil))
        case .file(let file):
            do throws(TLSFileError) { secret = try PrivateKeyFile.read(file) } catch { throw Failure(error.cause) }
        case .text(let text):
            var bytes = Array(text.reveal().utf8)
            secret = SecretBytes(taking: &bytes)
        }
        // The library keeps a copy, which ends with the connection.
        try check(
            unsafe secret.withBytes { bytes in
                let bytes = unsafe bytes.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
                return unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: bytes.count + 1) { text in
                    for unsafe(place, byte) in unsafe bytes.enumerated() {
                        unsafe text[place] = CChar(bitPattern: byte)
                    }
                    unsafe text[bytes.count] = 0
                    defer { for place in text.indices { unsafe text[place] = 0 } }
                    return unsafe library.username_pw_set(handle, user, text.baseAddress)
                }
            })
    }

    private func check(_ code: Int32) throws(Failure) { if code != 0 { throw Failure(text(of: code)) } }

    private func text(of code: Int32) -> String {
        switch code {
        case CMOSQUITTO_SYSTEM_ERROR: SystemError.last
        // The library stores the resolver's code as `errno`.
        case CMOSQUITTO_NAME_ERROR: unsafe "its name was not found: " + String(cString: gai_strerror(errno))
        default: unsafe library.strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
        }
    }

    // MARK: Start

    /// Resolves the name, which may take long, and starts the connection.
    func open() throws(Failure) {
        if version == .v5 { try keepProperties() }
        let code = unsafe library.connect_async(handle, settings.host, Int32(settings.port), Self.keepAlive)
        // On a busy machine the far end's certificate may have come already.
        guard code == 0 else { throw lost(text(of: code)) }
        begin(.connecting)
    }

    /// Stores the properties of CONNECT. Only the blocking function takes any, but it stores them before it finds that
    /// the host is missing, and `connect_async` uses what is stored.
    private func keepProperties() throws(Failure) {
        var properties: UnsafeMutableRawPointer?
        defer { unsafe library.property_free_all(&properties) }
        try check(
            unsafe library.property_add_int32(&properties, CMOSQUITTO_SESSION_EXPIRY_INTERVAL, Self.sessionTime))
        try check(
            unsafe library.property_add_int32(&properties, CMOSQUITTO_MAXIMUM_PACKET_SIZE, Self.longestPacket))
        let code = unsafe library.connect_bind_v5(
            handle, nil, Int32(settings.port), Self.keepAlive, nil, properties)
        guard code == CMOSQUITTO_INVALID_ARGUMENT else { throw Failure(text(of: code)) }
    }

    private func begin(_ phase: Phase) {
        self.phase = phase
        deadline = MonotonicClock.now() + Self.patience
    }

    // MARK: Turns

    /// Waits for the broker or for the wake-up signal, and handles what came.
    func turn(beside wake: WakeSignal) throws(Failure) {
        let socket = unsafe library.socket(handle)
        guard socket >= 0 else { throw lost("the connection was closed") }
        let end = isSubscribed ? nextUpkeep : min(deadline, nextUpkeep)
        let wantsToWrite = unsafe phase > .handshaking && library.want_write(handle)
        let events = Int16(
            phase == .connecting ? POLLOUT : wantsToWrite ? POLLIN | POLLOUT : POLLIN)
        let happened = Self.wait(for: socket, events, beside: wake, until: end)
        if happened != 0 { try handle(socket, happened) }
        let now = MonotonicClock.now()
        if now >= nextUpkeep { try keepUp(at: now) }
        if !isSubscribed, now >= deadline {
            throw Failure("it took too long to wait for \(phase.wait)", phase == .greeting ? .silence : .other)
        }
    }

    private static func wait(for socket: Int32, _ events: Int16, beside wake: WakeSignal, until end: Instant) -> Int16 {
        var entries: InlineArray<2, pollfd> = [
            pollfd(fd: socket, events: events, revents: 0),
            pollfd(fd: wake.descriptor, events: Int16(POLLIN), revents: 0),
        ]
        var span = entries.mutableSpan
        unsafe span.withUnsafeMutableBufferPointer {
            if let start = $0.baseAddress { unsafe Poll.wait(start, count: 2, until: end) }
        }
        if entries[1].revents != 0 { wake.clear() }
        return entries[0].revents
    }

    private func handle(_ socket: Int32, _ happened: Int16) throws(Failure) {
        switch phase {
        case .connecting:
            try finishConnecting(socket)
            begin(.handshaking)
            try read(socket)
        case .handshaking: try read(socket)
        case .greeting, .subscribing, .subscribed:
            if happened & ~Int16(POLLOUT) != 0 { try read(socket) }
        }
        try advance()
        if phase > .handshaking { try write() }
    }

    private func finishConnecting(_ socket: Int32) throws(Failure) {
        var (error, size) = (Int32(0), socklen_t(MemoryLayout<Int32>.size))
        guard unsafe getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &size) == 0, error == 0 else {
            throw Failure(SystemError.text(error))
        }
        var limit = Self.longestSilence
        _ = unsafe setsockopt(socket, Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, &limit, size)
    }

    /// Lets the library read, which calls `take` with each message.
    private func read(_ socket: Int32) throws(Failure) {
        messages = 0
        let code = unsafe library.loop_read(handle, 1)
        if isUnsettled { throw Failure("the phone did not deal with a message in time") }
        if messages > Self.mostMessages { throw Failure("it sent more than \(Self.mostMessages) messages at once") }
        if tls.isFlooded { throw Failure("it sent more than \(Self.mostBytes) bytes without a message") }
        guard code == 0 else { throw lost(text(of: code)) }
        if phase == .handshaking {
            // The library takes the end of the connection for a handshake that has to wait.
            var byte: UInt8 = 0
            guard unsafe recv(socket, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT)) != 0 else {
                throw lost("the broker closed the connection during the TLS handshake")
            }
        }
    }

    private func write() throws(Failure) {
        guard unsafe library.want_write(handle) else { return }
        let code = unsafe library.loop_write(handle, 1)
        guard code == 0 else { throw lost(text(of: code)) }
    }

    /// Proceeds to the next phase, if what the phone waited for has come.
    private func advance() throws(Failure) {
        switch phase {
        case .connecting, .subscribed: return
        case .handshaking:
            guard let certificate = unsafe LibraryChannel.certificate(of: library.ssl_get(handle)) else { return }
            // Before CONNECT, which has the password.
            guard settings.pin != nil || CertificateNames(certificate).include(settings.host) else {
                throw Failure("its certificate is not for \(settings.host)")
            }
            begin(.greeting)
        case .greeting:
            guard let greeting else { return }
            if greeting != 0 { throw refusal(greeting) }
            try check(unsafe library.subscribe(handle, nil, settings.topic, 1))
            begin(.subscribing)
        case .subscribing:
            guard let granted else { return }
            guard granted == 1 else {
                throw Failure("it refuses the topic \(settings.topic) (code \(granted))", .refused)
            }
            try announce("online")
            phase = .subscribed
        }
    }

    /// The reason of a CONNACK.
    private func refusal(_ code: Int32) -> Failure {
        let isVersion = code == (version == .v5 ? 0x84 : 1)
        let isReason = version == .v5 && code >= 0x80
        let text = isReason ? library.reason_string(code) : library.connack_string(code)
        let words = unsafe text.map { unsafe String(cString: $0) } ?? "code \(code)"
        // A broker that is busy or away accepts the same login later (MQTT 5 §3.2.2.2, MQTT 3.1.1 §3.2.2.3).
        let isLogin = (version == .v5 ? [0x85, 0x86, 0x87, 0x8A] : [2, 4, 5]).contains(code)
        return Failure("it refuses the phone: " + words, isVersion ? .version : isLogin ? .refused : .other)
    }

    private func lost(_ why: String) -> Failure {
        if let greeting, greeting != 0 { return refusal(greeting) }
        if farewell == 0x8E { return Failure("another client has the name offhook-\(settings.device)") }
        if let farewell {
            let words = unsafe library.reason_string(farewell).map { unsafe String(cString: $0) }
            return Failure("it ended the connection: " + (words ?? "code \(farewell)"))
        }
        if tls.isOtherThanPinned { return Failure("its certificate is not the pinned one") }
        if let refusal = tls.refusal { return Failure("its certificate is refused: " + refusal) }
        return Failure(complaint ?? why, phase == .greeting ? .silence : .other)
    }

    private func keepUp(at now: Instant) throws(Failure) {
        nextUpkeep = now + Self.upkeep
        tls.forgetBytes(upTo: 1_024)
        guard phase == .subscribed else { return }
        let code = unsafe library.loop_misc(handle)
        guard code == 0 else { throw lost(text(of: code)) }
        try write()
    }

    // MARK: Presence

    private func announce(_ presence: String) throws(Failure) {
        guard let topic = settings.presence else { return }
        let text = Array(presence.utf8)
        try check(unsafe library.publish(handle, nil, topic, Int32(text.count), text, 1, true))
    }

    /// Ends the session in order, so that the broker does not publish the last will. It never waits.
    func sayGoodbye() {
        guard isSubscribed else { return }
        do throws(Failure) {
            try announce("offline")
            try check(unsafe library.disconnect(handle))
            try write()
        } catch {
            // Then the broker publishes the last will.
        }
    }
}
