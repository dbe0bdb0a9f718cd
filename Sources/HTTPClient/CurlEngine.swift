import Base
import CCurl
import Cryptography
import Platform
import SecureTransport

/// libcurl's set of exchanges that are under way, with the connections that it keeps for later ones. Confined to the
/// client's thread.
@safe
final class CurlEngine {
    /// How long a connection without an exchange may be used again.
    static let longestIdle = Duration.seconds(30)
    private static let mostIdle = 4

    private let library: CurlLibrary
    private let settings: HTTPClientSettings
    private let pinning: TLSContext?
    private let set: UnsafeMutableRawPointer
    private var transfers: [HTTPTicket: HTTPTransfer] = [:]
    /// Connections so far may lead nowhere.
    private var isStale = false

    init(_ settings: HTTPClientSettings, _ library: CurlLibrary) throws(HTTPFailure) {
        (self.settings, self.library) = (settings, library)
        if let pin = settings.pin {
            guard pin.count == 32 else { throw .tls("the pin is not a SHA-256") }
            do throws(TLSFileError) {
                pinning = try TLSContext(.client, trust: .pinned(pin), files: nil)
            } catch {
                throw .tls(error.description)
            }
        } else {
            pinning = nil
        }
        guard let set = unsafe library.functions.pointee.multi_init() else { throw .network("no memory") }
        unsafe self.set = set
        _ = unsafe ccurl_set_multi(library.functions, set, Int32(CCURL_MOST_IDLE), Self.mostIdle)
    }

    deinit {
        for transfer in transfers.values { remove(transfer) }
        transfers = [:]
        _ = unsafe library.functions.pointee.multi_cleanup(set)
    }

    var isIdle: Bool { transfers.isEmpty }

    /// From now on only new connections are used.
    func forgetConnections() { isStale = true }
    var isUseless: Bool { isStale && isIdle }

    func start(_ ticket: HTTPTicket, _ attempt: HTTPJobs.Attempt) throws(HTTPFailure) {
        // A server may close a kept connection at any time, and libcurl then repeats the request by itself. What must
        // not be repeated gets its own connection.
        let isFresh = isStale || !attempt.request.isRepeatable
        let transfer = try HTTPTransfer(attempt, settings, library, pinning: pinning, isFresh: isFresh)
        guard unsafe library.functions.pointee.multi_add_handle(set, transfer.handle) == 0 else {
            throw .network("no memory")
        }
        transfers[ticket] = transfer
    }

    func stop(_ ticket: HTTPTicket) { _ = transfers.removeValue(forKey: ticket).map(remove) }

    private func remove(_ transfer: HTTPTransfer) {
        _ = unsafe library.functions.pointee.multi_remove_handle(set, transfer.handle)
    }

    /// Does what can be done without waiting.
    /// - Returns: Exchanges that ended.
    func work() -> [(HTTPTicket, Result<HTTPJobs.Answer, HTTPFailure>)] {
        var running: Int32 = 0
        let code = unsafe library.functions.pointee.multi_perform(set, &running)
        var ended: [(HTTPTicket, Result<HTTPJobs.Answer, HTTPFailure>)] = []
        var left: Int32 = 0
        while let message = unsafe library.functions.pointee.multi_info_read(set, &left) {
            guard unsafe message.pointee.what == CCURL_DONE else { continue }
            let (handle, result) = unsafe (message.pointee.easy, message.pointee.data.result)
            guard let ticket = transfers.first(where: { unsafe $0.value.handle == handle })?.key,
                let transfer = transfers.removeValue(forKey: ticket)
            else { continue }
            ended.append((ticket, transfer.result(result)))
            remove(transfer)
        }
        guard code != 0 else { return ended }
        // It cannot go on, which happens only without memory.
        for ticket in transfers.keys {
            ended.append((ticket, .failure(.network("libcurl failed (code \(code))"))))
            stop(ticket)
        }
        return ended
    }

    /// Sleeps until a server, a timer of libcurl, the wake-up signal or the deadline needs the thread.
    func wait(beside wake: WakeSignal, until deadline: Instant?) {
        var entry = ccurl_wait(descriptor: wake.descriptor, events: CCURL_READABLE, happened: 0)
        let left = deadline.map { max(0, ($0 - MonotonicClock.now()).nanoseconds + 999_999) / 1_000_000 } ?? 60_000
        _ = unsafe library.functions.pointee.multi_poll(set, &entry, 1, Int32(clamping: left), nil)
        wake.clear()
    }
}

/// libcurl, loaded when the first value is made. It stays loaded until the program ends.
@safe
package final class CurlLibrary {
    /// Why the library cannot be used.
    package struct Missing: Error, Equatable, Sendable, CustomStringConvertible {
        package let description: String
    }

    /// The Debian package that has the library.
    package static let package = "libcurl4"
    package static let file = "libcurl.so.4"
    /// 7.87: the first version that ends without waiting for DNS. Debian 12 has 7.88.
    private static let oldest = 0x07_57_00

    let functions: UnsafePointer<ccurl>

    /// - Parameter file: Its name, or for tests that of another library.
    package init(_ file: String = file) throws(Missing) {
        let table = UnsafeMutablePointer<ccurl>.allocate(capacity: 1)
        unsafe table.initialize(to: ccurl())
        unsafe functions = UnsafePointer(table)
        if let why = unsafe ccurl_load(table, file) {
            throw Missing(description: unsafe String(cString: why) + "; install the package " + Self.package)
        }
        guard unsafe functions.pointee.global_init(CCURL_EVERYTHING) == CCURL_OK else {
            throw Missing(description: "\(file) does not start")
        }
        let version = unsafe ccurl_version_number(functions)
        guard version >= Self.oldest else {
            throw Missing(description: "\(file) is too old; install the package \(Self.package) of Debian 12 or later")
        }
        // Its connections are verified by our OpenSSL, so it must be the same one.
        let tls = unsafe ccurl_tls(functions).map { unsafe String(cString: $0) } ?? "no TLS"
        guard tls.includes("OpenSSL/3") else {
            throw Missing(description: "\(file) uses \(tls) instead of OpenSSL 3; install the package \(Self.package)")
        }
    }

    deinit { unsafe functions.deallocate() }
}
