import Base
import CCares
import Glibc
import LineCore
import NIOCore
import NIOPosix
import Platform

/// One query to DNS, by c-ares. It blocks, so it runs on the resolver's thread and never on the loop.
///
/// It keeps nothing from one query to the next, so that a new `resolv.conf` takes effect at once.
struct DNSClient: Sendable {
    /// Milliseconds until the query goes to the next server, or to the same one again.
    private static let timeout: CInt = 1_000
    /// The time for all tries together.
    private static let overallTimeout: Duration = .seconds(4)

    /// `host` or `host:port` of each server. Empty: the system's.
    let servers: [String]
    /// The family of the addresses to look for. AF_UNSPEC: both.
    let family: CInt

    func ask(_ question: DNSQuestion) -> DNSResponse {
        var channel: ares_channel?
        var options = unsafe ares_options()
        unsafe (options.timeout, options.tries) = (Self.timeout, 2)
        let mask = ARES_OPT_TIMEOUTMS | ARES_OPT_TRIES
        guard unsafe ares_init_options(&channel, &options, mask) == ccares_success,
            let channel = unsafe channel
        else { return .silence }
        defer { unsafe ares_destroy(channel) }
        if !servers.isEmpty {
            let list = servers.joined(separator: ",")
            guard unsafe ares_set_servers_ports_csv(channel, list) == ccares_success else { return .silence }
        }
        let inbox = Inbox()
        unsafe send(question, channel, Unmanaged.passUnretained(inbox).toOpaque())
        unsafe wait(for: inbox, channel)
        let reply = withExtendedLifetime(inbox) { inbox.reply } ?? .silence
        return asSystem(question, reply)
    }

    /// Asks the system for a name that DNS does not know. The system may find a name of the local link by other means.
    /// Asks only if the query went to the system's name servers.
    private func asSystem(_ question: DNSQuestion, _ reply: DNSResponse) -> DNSResponse {
        guard case (.addresses(let name), .nothing) = (question, reply.answer), servers.isEmpty,
            let host = SystemSocket.resolve(name, family: family)
        else { return reply }
        return DNSResponse(.addresses([host]), timeToLive: 30)
    }

    private func send(_ question: DNSQuestion, _ channel: ares_channel, _ inbox: UnsafeMutableRawPointer) {
        switch question {
        case .naptr(let name): unsafe ares_query(channel, name, 1, 35, DNSClient.received, inbox)
        case .srv(let name): unsafe ares_query(channel, name, 1, 33, DNSClient.received, inbox)
        case .addresses(let name):
            var hints = ares_addrinfo_hints()
            hints.ai_family = family
            hints.ai_socktype = CInt(SOCK_DGRAM.rawValue)
            unsafe ares_getaddrinfo(channel, name, nil, &hints, DNSClient.found, inbox)
        }
    }

    /// Lets c-ares read and write until it has the answer. When this returns, the query is answered or cancelled.
    private func wait(for inbox: Inbox, _ channel: ares_channel) {
        let end = MonotonicClock.now() + Self.overallTimeout
        while inbox.reply == nil {
            let left = (end - MonotonicClock.now()).nanoseconds / 1_000_000
            guard left > 0 else { return unsafe ares_cancel(channel) }
            var sockets = [ares_socket_t](repeating: ARES_SOCKET_BAD, count: 16)
            let mask = unsafe ares_getsock(channel, &sockets, 16)
            var polled = sockets.enumerated().compactMap { index, socket -> pollfd? in
                let (reads, writes) = (ccares_reads(mask, CInt(index)) != 0, ccares_writes(mask, CInt(index)) != 0)
                let events = Int16((reads ? POLLIN : 0) | (writes ? POLLOUT : 0))
                return events == 0 ? nil : pollfd(fd: socket, events: events, revents: 0)
            }
            unsafe poll(&polled, nfds_t(polled.count), CInt(min(left, 100)))
            for entry in polled where entry.revents != 0 {
                let writes = entry.revents & Int16(POLLOUT) != 0
                let reads = entry.revents & ~Int16(POLLOUT) != 0
                unsafe ares_process_fd(channel, reads ? entry.fd : ARES_SOCKET_BAD, writes ? entry.fd : ARES_SOCKET_BAD)
            }
            // Lets c-ares handle its own timeouts.
            unsafe ares_process_fd(channel, ARES_SOCKET_BAD, ARES_SOCKET_BAD)
        }
    }

    // MARK: Callbacks of c-ares

    /// Receives the reply. It lives as long as `ask`, and c-ares calls back only inside `ask`.
    private final class Inbox {
        var reply: DNSResponse?

        static func at(_ pointer: UnsafeMutableRawPointer?) -> Inbox? {
            unsafe pointer.map { unsafe Unmanaged<Inbox>.fromOpaque($0).takeUnretainedValue() }
        }
    }

    private static let received: ares_callback = { pointer, status, _, bytes, count in
        let inbox = unsafe Inbox.at(pointer)
        guard status == ccares_success, let bytes = unsafe bytes, count > 0 else {
            inbox?.reply = knowsNothing(status) ? .nothing : .silence
            return
        }
        let copy = unsafe Array(UnsafeBufferPointer(start: bytes, count: Int(count)))
        do throws(DNSResponse.Fault) {
            inbox?.reply = try DNSResponse(copy.span)
        } catch {
            inbox?.reply = .silence
        }
    }

    private static let found: ares_addrinfo_callback = { pointer, status, _, result in
        let inbox = unsafe Inbox.at(pointer)
        guard let result = unsafe result else {
            inbox?.reply = knowsNothing(status) ? .nothing : .silence
            return
        }
        var hosts: [String] = []
        var life = DNSResponse.longest
        var node = unsafe result.pointee.nodes
        while let current = unsafe node {
            if let address = unsafe current.pointee.ai_addr,
                let host = unsafe TransportAddress(address)?.address.text, !hosts.contains(host)
            {
                hosts.append(host)
                life = min(life, UInt32(clamping: unsafe current.pointee.ai_ttl))
            }
            unsafe node = current.pointee.ai_next
        }
        unsafe ares_freeaddrinfo(result)
        inbox?.reply = hosts.isEmpty ? .nothing : DNSResponse(.addresses(hosts), timeToLive: life)
    }

    /// Whether DNS answered that nothing exists. False if it did not answer.
    private static func knowsNothing(_ status: CInt) -> Bool {
        status == ccares_no_data || status == ccares_not_found
    }
}

/// The thread that asks a line's questions, one after the other. Confined to its loop.
final class Resolver {
    private let client: DNSClient
    private let loop: any EventLoop
    /// Created with the first question, because most lines have only numeric addresses.
    private var pool: NIOThreadPool?

    init(_ client: DNSClient, loop: any EventLoop) { (self.client, self.loop) = (client, loop) }

    /// - Parameter answered: Called on the loop, always.
    func ask(_ question: DNSQuestion, answered: @escaping (DNSResponse) -> Void) {
        let done = NIOLoopBound(answered, eventLoop: loop)
        let client = client
        threads().runIfActive(eventLoop: loop) { client.ask(question) }.whenComplete { result in
            done.value((try? result.get()) ?? .silence)
        }
    }

    func close() {
        pool?.shutdownGracefully { _ in }
        pool = nil
    }

    private func threads() -> NIOThreadPool {
        if let pool { return pool }
        let fresh = NIOThreadPool(numberOfThreads: 1)
        fresh.start()
        pool = fresh
        return fresh
    }
}
