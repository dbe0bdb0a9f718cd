import Base
import CCurl
import Cryptography
import SecureTransport

/// One exchange with a server: libcurl's handle, what it sends, and what has come.
@safe
final class HTTPTransfer {
    let handle: UnsafeMutableRawPointer
    private let library: CurlLibrary
    private let settings: HTTPClientSettings
    private let attempt: HTTPJobs.Attempt
    /// For connections of this exchange, if a certificate is pinned. It outlives them.
    private let pinning: TLSContext?
    private let complaint: UnsafeMutablePointer<CChar>
    private let body: UnsafeMutableBufferPointer<UInt8>
    private var headers: UnsafeMutablePointer<ccurl_list>?
    private var reader: ResponseReader
    /// Why the connection may not be made.
    private var refusal: HTTPFailure?

    /// - Parameter isFresh: Whether it makes its own connection.
    init(
        _ attempt: HTTPJobs.Attempt, _ settings: HTTPClientSettings, _ library: CurlLibrary, pinning: TLSContext?,
        isFresh: Bool
    ) throws(HTTPFailure) {
        guard let handle = unsafe library.functions.pointee.easy_init() else { throw .network("no memory") }
        unsafe self.handle = handle
        (self.library, self.settings, self.attempt, self.pinning) = (library, settings, attempt, pinning)
        reader = ResponseReader(limit: settings.maximumBody)
        unsafe complaint = .allocate(capacity: Int(CCURL_ERROR_BYTES))
        unsafe complaint.initialize(repeating: 0, count: Int(CCURL_ERROR_BYTES))
        unsafe body = .allocate(capacity: attempt.request.body?.count ?? 0)
        _ = unsafe body.initialize(from: attempt.request.body ?? [])
        let code = configure(isFresh: isFresh)
        guard code == CCURL_OK else { throw .unavailable("libcurl refuses an option (code \(code))") }
    }

    /// - Precondition: The handle is not in use.
    deinit {
        unsafe library.functions.pointee.easy_cleanup(handle)
        unsafe ccurl_wipe_list(headers)
        unsafe library.functions.pointee.slist_free_all(headers)
        unsafe complaint.deallocate()
        for place in unsafe body.indices { unsafe body[place] = 0 }
        unsafe body.deallocate()
    }

    // MARK: Options

    private func set(_ option: Int, _ value: Int) -> Int32 {
        unsafe ccurl_set_number(library.functions, handle, Int32(option), value)
    }

    private func set(_ option: Int, _ value: String?) -> Int32 {
        unsafe ccurl_set_text(library.functions, handle, Int32(option), value)
    }

    private func configure(isFresh: Bool) -> Int32 {
        let groups = [limits, trust, proxy, content]
        for group in groups {
            let code = group()
            guard code == CCURL_OK else { return code }
        }
        return set(CCURL_FRESH_CONNECT, isFresh ? 1 : 0)
    }

    /// The first failure of several options.
    private func first(_ codes: Int32...) -> Int32 { codes.first { $0 != CCURL_OK } ?? Int32(CCURL_OK) }

    private func limits() -> Int32 {
        let left = Int(attempt.timeout.roundedMilliseconds)
        let connecting = min(Int(settings.connectTimeout.roundedMilliseconds), left)
        let owner = unsafe Unmanaged.passUnretained(self).toOpaque()
        return unsafe first(
            set(CCURL_NO_SIGNAL, 1), set(CCURL_QUICK_EXIT, 1), set(CCURL_TIMEOUT, left),
            set(CCURL_CONNECT_TIMEOUT, connecting),
            set(CCURL_LONGEST_IDLE, Int(CurlEngine.longestIdle.components.seconds)),
            ccurl_set_size(library.functions, handle, Int32(CCURL_LARGEST_FILE), Int64(settings.maximumBody)),
            ccurl_set_pointer(library.functions, handle, Int32(CCURL_ERROR_BUFFER), complaint),
            ccurl_set_callbacks(
                library.functions, handle,
                { unsafe HTTPTransfer.take($0, $1, $2, $3) { unsafe $0.takeLine($1) } },
                { unsafe HTTPTransfer.take($0, $1, $2, $3) { unsafe $0.takeBody($1) } },
                { owner, _, received, _, _ in
                    unsafe HTTPTransfer.with(owner) { $0.reader.checkReceived(Int(received)) ? 0 : 1 } ?? 1
                },
                { _, context, owner in
                    unsafe HTTPTransfer.with(owner) { unsafe $0.govern(context) } ?? Int32(CCURL_CONTEXT_REFUSED)
                }, owner))
    }

    /// libcurl also verifies where its rules are ours, but it gets no authorities.
    private func trust() -> Int32 {
        first(
            set(CCURL_PROTOCOLS, attempt.address.scheme.rawValue), set(CCURL_TLS_VERSION, CCURL_TLS_1_2),
            set(CCURL_CA_FILE, nil), set(CCURL_CA_FOLDER, nil), set(CCURL_VERIFY_PEER, 1),
            set(CCURL_VERIFY_HOST, settings.pin == nil ? 2 : 0), set(CCURL_SESSION_CACHE, 0))
    }

    /// Empty texts override the environment's proxies.
    private func proxy() -> Int32 {
        guard let proxy = settings.proxy, !attempt.address.isLoopback else {
            return first(set(CCURL_PROXY, ""), set(CCURL_NO_PROXY, ""))
        }
        return first(
            set(CCURL_PROXY, "http://\(proxy.host.inBrackets):\(proxy.port)"), set(CCURL_NO_PROXY, ""),
            set(CCURL_PROXY_TUNNEL, 1),
            set(CCURL_HIDE_CONNECT_HEADERS, 1), set(CCURL_PROXY_AUTH, CCURL_AUTH_BASIC),
            set(CCURL_PROXY_USER, proxy.user), set(CCURL_PROXY_PASSWORD, proxy.password?.reveal()))
    }

    private func content() -> Int32 {
        let request = attempt.request
        for line in lines {
            guard let longer = unsafe library.functions.pointee.slist_append(headers, line) else {
                return Int32(CCURL_NO_MEMORY)
            }
            unsafe headers = longer
        }
        let code = unsafe first(
            set(CCURL_URL, attempt.address.text), set(CCURL_PATH_AS_IS, 1),
            set(CCURL_HTTP_VERSION, CCURL_HTTP_1_1),
            set(CCURL_ACCEPT_ENCODING, "gzip"), set(CCURL_USER_AGENT, settings.userAgent),
            ccurl_set_pointer(library.functions, handle, Int32(CCURL_HTTP_HEADER), headers))
        guard code == CCURL_OK else { return code }
        switch request.method {
        case .get: return set(CCURL_HTTP_GET, 1)
        case .delete: return first(set(CCURL_HTTP_GET, 1), set(CCURL_CUSTOM_REQUEST, "DELETE"))
        case .post:
            return unsafe first(
                set(CCURL_POST, 1),
                ccurl_set_size(library.functions, handle, Int32(CCURL_POST_SIZE), Int64(body.count)),
                ccurl_set_pointer(library.functions, handle, Int32(CCURL_POST_FIELDS), body.baseAddress))
        }
    }

    /// A name with a colon only removes libcurl's own header.
    private var lines: [String] {
        let request = attempt.request
        var lines = request.headers.map { $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)" } + ["Expect:"]
        if request.method == .post {
            lines.append(request.contentType.map { "Content-Type: \($0)" } ?? "Content-Type:")
        }
        if let bearer = request.bearer { lines.append("Authorization: Bearer \(bearer.reveal())") }
        if let etag = request.etag { lines.append("If-None-Match: \(etag)") }
        return lines
    }

    // MARK: Callbacks

    private static func with<Result>(_ owner: UnsafeMutableRawPointer?, _ body: (HTTPTransfer) -> Result) -> Result? {
        unsafe owner.map { body(unsafe Unmanaged<HTTPTransfer>.fromOpaque($0).takeUnretainedValue()) }
    }

    /// - Returns: The number of bytes taken; fewer end the transfer.
    private static func take(
        _ start: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ owner: UnsafeMutableRawPointer?,
        _ give: (inout ResponseReader, UnsafeRawBufferPointer) -> Bool
    ) -> Int {
        let bytes = unsafe UnsafeRawBufferPointer(start: start, count: size * count)
        return unsafe with(owner) { unsafe give(&$0.reader, bytes) } == true ? size * count : -1
    }

    /// Applies our trust to libcurl's context of a new connection.
    private func govern(_ foreign: UnsafeMutableRawPointer?) -> Int32 {
        do throws(TLSFileError) {
            let trust = settings.authorities.map { TLSContext.Trust.authorities(file: $0) } ?? .system
            let context = if let pinning { pinning } else { try TLSContext(.client, trust: trust, files: nil) }
            if let foreign = unsafe foreign, unsafe context.govern(foreign, host: attempt.address.host) {
                return Int32(CCURL_OK)
            }
            refusal = .tls("TLS cannot be configured")
        } catch {
            refusal = .tls(error.description)
        }
        return Int32(CCURL_CONTEXT_REFUSED)
    }

    // MARK: Result

    /// - Parameter code: libcurl's result.
    func result(_ code: Int32) -> Result<HTTPJobs.Answer, HTTPFailure> {
        if let failure = reader.failure ?? refusal { return .failure(failure) }
        guard code == CCURL_OK else { return .failure(failure(code)) }
        let status = unsafe Int(ccurl_status(library.functions, handle))
        guard status >= 200 else { return .failure(.malformed("the server answered with status \(status)")) }
        return .success(HTTPJobs.Answer(reader.response(status: status), location: reader.location))
    }

    private func failure(_ code: Int32) -> HTTPFailure {
        let own = unsafe String(cString: complaint)
        let general = unsafe library.functions.pointee.easy_strerror(code).map { unsafe String(cString: $0) } ?? ""
        return HTTPFailure(
            code: Int(code), (own.isEmpty ? general : own).shown(bytes: 200), isPinned: pinning != nil)
    }
}

extension HTTPFailure {
    /// - Parameter text: libcurl's own, for people.
    init(code: Int, _ text: String, isPinned: Bool) {
        self =
            switch code {
            case CCURL_NO_PROXY_ADDRESS, CCURL_NO_ADDRESS: .resolve(text)
            case CCURL_TIMED_OUT: .timeout
            // Before 8.6 it took a line beyond its own limit for a lack of memory.
            case CCURL_LARGE_FILE, CCURL_TOO_LARGE, CCURL_NO_MEMORY: .tooLarge
            case CCURL_UNSUPPORTED_PROTOCOL, CCURL_MALFORMED_URL, CCURL_WEIRD_ANSWER, CCURL_BAD_ENCODING:
                .malformed(text)
            case CCURL_CERTIFICATE_REFUSED where isPinned: .tls("the server's certificate is not the pinned one")
            case CCURL_CERTIFICATE_REFUSED: .tls(text)
            case CCURL_HANDSHAKE_FAILED: Self.handshake(text)
            case CCURL_NO_ANSWER: .network("the server closed the connection without an answer")
            default: .network(text)
            }
    }

    /// OpenSSL's reason follows the last colon: `error:0A00010B:SSL routines::wrong version number`. Without a reason
    /// the connection itself ended.
    private static func handshake(_ text: String) -> HTTPFailure {
        guard text.includes("error:"), let reason = text.split(separator: ":").last,
            !reason.hasPrefix("unexpected eof")
        else { return .network("the server ended the TLS handshake: \(text)") }
        return .tls("the TLS handshake failed: \(reason)")
    }
}

extension Duration {
    /// In whole milliseconds, at least 1 because 0 is no limit to libcurl.
    fileprivate var roundedMilliseconds: Int64 { max(1, (nanoseconds + 999_999) / 1_000_000) }
}

/// Collects one answer from the pieces that libcurl delivers, within limits.
package struct ResponseReader: Equatable, Sendable {
    /// In bytes, with all interim answers and trailers.
    package static let longestHead = 32 * 1_024
    package static let mostLines = 200
    private static let longestWait = Duration.seconds(86_400)

    /// Why the rest is not read.
    package private(set) var failure: HTTPFailure?
    package private(set) var location: String?

    private let limit: Int
    private var headBytes = 0
    private var lines = 0
    private var body: [UInt8] = []
    private var etag: String?
    private var retryAfter: String?
    private var contentType: String?
    private var date: String?

    /// - Parameter limit: The largest body in bytes, after decompression.
    package init(limit: Int) { self.limit = limit }

    /// Takes one line of the head, or of the trailers, with its line break.
    /// - Returns: Whether to go on.
    package mutating func takeLine(_ line: some Collection<UInt8>) -> Bool {
        headBytes += line.count
        lines += 1
        guard headBytes <= Self.longestHead, lines <= Self.mostLines else { return fail(.tooLarge) }
        // The final answer follows an interim one (RFC 9110 §15.2), or replaces one that asks for a proxy's password.
        if line.starts(with: "HTTP/".utf8) {
            (location, etag, retryAfter, contentType, date) = (nil, nil, nil, nil, nil)
            return true
        }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return true }
        let name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
        let path: WritableKeyPath<ResponseReader, String?>
        switch name {
        case "location": path = \.location
        case "etag": path = \.etag
        case "retry-after": path = \.retryAfter
        case "content-type": path = \.contentType
        case "date": path = \.date
        default: return true
        }
        let value = Self.text(line[line.index(after: colon)...])
        // The first one counts; trailers and repetitions do not change it.
        if self[keyPath: path] == nil, body.isEmpty, value?.isEmpty == false { self[keyPath: path] = value }
        return true
    }

    /// Takes a piece of the body.
    /// - Returns: Whether to go on.
    package mutating func takeBody(_ piece: some Collection<UInt8>) -> Bool {
        guard failure == nil, body.count + piece.count <= limit else { return fail(.tooLarge) }
        body.append(contentsOf: piece)
        return true
    }

    /// Checks how many bytes have come, before decompression.
    /// - Returns: Whether to go on.
    package mutating func checkReceived(_ count: Int) -> Bool { count <= limit || fail(.tooLarge) }

    private mutating func fail(_ why: HTTPFailure) -> Bool {
        failure = failure ?? why
        return false
    }

    /// Visible text without surrounding spaces; nil for other bytes, because no header that is read here has them.
    private static func text(_ bytes: some Collection<UInt8>) -> String? {
        let isSpace: (UInt8) -> Bool = { [0x20, 0x09, 0x0D, 0x0A].contains($0) }
        let inner = Array(bytes.drop(while: isSpace)).reversed().drop(while: isSpace).reversed()
        guard inner.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) else { return nil }
        return String(decoding: inner, as: UTF8.self)
    }

    package func response(status: Int) -> HTTPResponse {
        HTTPResponse(
            status: status, body: body, etag: etag, retryAfter: wait, contentType: contentType, date: date)
    }

    /// `Retry-After`, in seconds or as a time. A time is compared with the server's own, so our clock does not count.
    private var wait: Duration? {
        guard let retryAfter else { return nil }
        if retryAfter.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) {
            return min(Int64(retryAfter).map { .seconds($0) } ?? Self.longestWait, Self.longestWait)
        }
        guard let until = HTTPDate.seconds(retryAfter), let now = date.flatMap(HTTPDate.seconds) else { return nil }
        return min(.seconds(max(0, until - now)), Self.longestWait)
    }
}
