import Base
import Platform
import Synchronization

/// Sends requests to web servers by libcurl, on a separate thread.
///
/// Thread and library are loaded by the first request. At most four requests are under way at once; others wait.
public final class HTTPClient: Sendable {
    /// How many requests may be unfinished.
    public static let mostRequests = 36
    /// How long `close` waits.
    public static let patience = Duration.seconds(1)

    private enum Thread {
        case none
        case running(NamedThread)
        case ended
    }

    private let settings: HTTPClientSettings
    private let file: String
    private let orders = HTTPOrders()
    private let thread = Mutex(Thread.none)

    public convenience init(settings: HTTPClientSettings) { self.init(settings: settings, library: CurlLibrary.file) }

    /// - Parameter library: The name of libcurl, which a test replaces.
    package init(settings: HTTPClientSettings, library: String) { (self.settings, file) = (settings, library) }

    deinit {
        orders.close()
        thread.withLock { if case .running(let thread) = $0 { thread.detach() } }
    }

    /// Sends a request. May be called from any thread, and never blocks.
    /// - Parameter then: Gets the answer, exactly once, on the client's thread, and must not block. If the client is
    ///   closed or overloaded, it is called at once, on the caller's thread.
    @discardableResult
    public func send(
        _ request: HTTPRequest, then: @escaping @Sendable (Result<HTTPResponse, HTTPFailure>) -> Void
    ) -> HTTPTicket {
        let (ticket, refusal) = orders.send(request, then)
        if let refusal {
            then(.failure(refusal))
        } else if let failure = startThread() {
            orders.finish(ticket, .failure(failure))
        }
        return ticket
    }

    /// Ends a request with `.cancelled`, unless it has ended already.
    public func cancel(_ ticket: HTTPTicket) { orders.cancel(ticket) }

    /// Closes idle connections, because they may lead over a network that is gone. Requests under way go on.
    public func forgetConnections() { orders.forgetConnections() }

    /// Ends all requests with `.cancelled`. Later requests end at once in the same way. Must not be called on the
    /// client's thread.
    /// - Parameter limit: How long to wait for the client's thread. A thread that needs longer ends by itself.
    public func close(waiting limit: Duration = HTTPClient.patience) {
        orders.close()
        let running = thread.withLock { thread in
            defer { thread = .ended }
            return thread
        }
        if case .running(let thread) = running { _ = thread.join(by: MonotonicClock.now() + limit) }
        // A thread that hangs in a library does not finish them.
        orders.finishAll()
    }

    /// Why libcurl cannot be used, for `doctor` and the log. Nil: it can. Loads the library.
    public static func libraryFault() -> String? { libraryFault(CurlLibrary.file) }

    package static func libraryFault(_ file: String) -> String? {
        do throws(CurlLibrary.Missing) {
            _ = try CurlLibrary(file)
            return nil
        } catch {
            return error.description
        }
    }

    private func startThread() -> HTTPFailure? {
        thread.withLock { thread -> HTTPFailure? in
            guard case .none = thread else { return nil }
            do throws(SystemFailure) {
                let (settings, orders, file) = (settings, orders, file)
                thread = .running(try NamedThread(.http) { HTTPLoop(settings, orders, file: file).run() })
                return nil
            } catch {
                return .unavailable(error.description)
            }
        }
    }
}

/// What all requests of a client share.
public struct HTTPClientSettings: Sendable, Equatable {
    /// An HTTP proxy, which tunnels every connection (CONNECT, RFC 9110 §9.3.6). It sees names and sizes, no contents.
    public struct Proxy: Sendable, Equatable {
        /// A name or a numeric address.
        public var host: String
        public var port: UInt16
        public var user: String?
        /// The proxy gets user and password in clear.
        public var password: Redacted<String>?

        public init(host: String, port: UInt16, user: String? = nil, password: Redacted<String>? = nil) {
            (self.host, self.port, self.user, self.password) = (host, port, user, password)
        }
    }

    /// Connections to this machine never use it. Nil: none. The environment's proxies never count.
    public var proxy: Proxy?
    /// PEM file of the trusted authorities, read for each new connection. Nil: the system's.
    public var authorities: String?
    /// SHA-256 of the one certificate that servers may show. Authorities, names and expiry do not count then.
    public var pin: [UInt8]?
    public var userAgent: String
    /// The largest body of an answer in bytes, after decompression.
    public var maximumBody: Int
    /// The time for a connection: name, TCP, proxy and TLS.
    public var connectTimeout: Duration

    public init(
        proxy: Proxy? = nil, authorities: String? = nil, pin: [UInt8]? = nil,
        userAgent: String = "Offhook/" + ProgramVersion.text, maximumBody: Int = 256 * 1_024,
        connectTimeout: Duration = .seconds(10)
    ) {
        (self.proxy, self.authorities, self.pin, self.userAgent) = (proxy, authorities, pin, userAgent)
        (self.maximumBody, self.connectTimeout) = (maximumBody, connectTimeout)
    }
}
