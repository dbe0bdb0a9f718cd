import Base
import Foundation
import LineCore
import Lines
import NIOCore
import NIOPosix
import PhoneCore
import SIPCore
import Testing
import VertoCore

@Suite("Connections that are given up before they are there", .timeLimit(.minutes(1)))
struct GivenUpTests {
    private let loop = MultiThreadedEventLoopGroup.singleton.next()

    /// The kernel sends both attempts again after a second, and by then the server takes them.
    @Test("what becomes of one that was given up is not taken for the next one's")
    func anotherFollows() async throws {
        let server = try await FullServer(on: loop)
        let account = Self.account(server.port)
        let phone = try await Phone("101", on: loop, account: account) {
            $0.webSocketPath = "/"
        }
        try await phone.start()
        let first = try await server.attempt()
        try await phone.perform(.disconnect(Phone.account))
        try await phone.perform(.reconnect(Phone.account))
        try await Task.sleep(for: .milliseconds(100))
        try await server.accept()
        var words: [Int: String] = [:]
        for await (port, word) in server.words {
            words[port] = word
            if words.count == 2 { break }
        }
        #expect(words[first] == "", "it is closed without a word")
        words[first] = nil
        #expect(words.values.first?.hasPrefix("GET / HTTP/1.1\r\n") == true)
        try await phone.close()
        try await server.close()
    }

    private static func account(_ port: UInt16) -> LineConfiguration.Account {
        var account = LineConfiguration.Account(
            domain: "server.example", server: NextHop(host: "127.0.0.1", port: port, transport: .ws))
        account.verto = .freeSWITCH
        account.password = Redacted("secret")
        return account
    }
}

/// A server that takes one connection, and others when it is told to.
private final class FullServer: Sendable {
    let port: UInt16
    /// What came first over each connection, by the port from which it was made; empty: it was closed before.
    let words: AsyncStream<(Int, String)>
    private let channel: any Channel
    private let filler: any Channel

    init(on loop: any EventLoop) async throws {
        let (words, heard) = AsyncStream.makeStream(of: (Int, String).self)
        self.words = words
        channel = try await ServerBootstrap(group: loop)
            .serverChannelOption(.backlog, value: 0)
            .serverChannelOption(.autoRead, value: false)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(FirstWord(channel.remoteAddress?.port ?? 0, heard))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        port = UInt16(channel.localAddress?.port ?? 0)
        filler = try await ClientBootstrap(group: loop).connect(host: "127.0.0.1", port: Int(port)).get()
        // Only then nobody else gets in.
        try await entry { $0.local == Int(port) && $0.state == "0A" && $0.queue > 0 ? () : nil }
    }

    /// The port from which somebody tries to connect (SYN_SENT), once the kernel knows of it.
    func attempt() async throws -> Int {
        try await entry { $0.remote == Int(port) && $0.state == "02" ? $0.local : nil }
    }

    /// What `/proc/net/tcp` says of a socket. Of one that listens (0A), `queue` counts who waits to be accepted.
    private struct Entry {
        let local: Int, remote: Int, state: String, queue: Int
    }

    private func entry<Value>(_ match: (Entry) -> Value?) async throws -> Value {
        while true {
            for line in try String(contentsOfFile: "/proc/net/tcp", encoding: .utf8).split(separator: "\n") {
                let fields = line.split(separator: " ").prefix(5).map(String.init)
                let ends = fields.dropFirst().compactMap { $0.split(separator: ":").last }
                let numbers = ends.compactMap { Int($0, radix: 16) }
                guard fields.count == 5, numbers.count == 4 else { continue }
                let entry = Entry(local: numbers[0], remote: numbers[1], state: fields[3], queue: numbers[3])
                if let value = match(entry) { return value }
            }
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    func accept() async throws { try await channel.setOption(.autoRead, value: true).get() }

    func close() async throws {
        try await filler.close().get()
        try await channel.close().get()
    }

    private final class FirstWord: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let port: Int
        private let heard: AsyncStream<(Int, String)>.Continuation
        private var isTold = false

        init(_ port: Int, _ heard: AsyncStream<(Int, String)>.Continuation) {
            (self.port, self.heard) = (port, heard)
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) { tell(String(buffer: unwrapInboundIn(data))) }

        func channelInactive(context: ChannelHandlerContext) {
            tell("")
            context.fireChannelInactive()
        }

        private func tell(_ word: String) {
            guard !isTold else { return }
            isTold = true
            heard.yield((port, word))
        }
    }
}
