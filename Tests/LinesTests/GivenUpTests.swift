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
    }

    /// The port from which somebody tries to connect, once the kernel knows of it (`/proc/net/tcp`, SYN_SENT).
    func attempt() async throws -> Int {
        let target = ":" + String(0x1_0000 + UInt32(port), radix: 16, uppercase: true).dropFirst()
        while true {
            for line in try String(contentsOfFile: "/proc/net/tcp", encoding: .utf8).split(separator: "\n") {
                let fields = line.split(separator: " ")
                guard fields.count > 3, fields[2].hasSuffix(target), fields[3] == "02",
                    let port = fields[1].split(separator: ":").last.flatMap({ Int($0, radix: 16) })
                else { continue }
                return port
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
