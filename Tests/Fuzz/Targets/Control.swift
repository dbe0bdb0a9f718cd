import Base
import Control
import JSON
import NIOCore
import NIOEmbedded

/// Two programs at the socket, whose bytes come in pieces, in turn. Between them the phone settles requests in any
/// order. The first byte is the length of a piece, the last byte of each the action after it.
func fuzzControl(_ input: [UInt8]) {
    var socket = FuzzedSocket()
    let step = 1 + Int(input.first ?? 0) * 4
    for start in stride(from: 0, to: input.count, by: step) {
        socket.take(Array(input[start..<min(start + step, input.count)]))
    }
    socket.end()
}

private struct FuzzedSocket {
    private struct Program {
        let channel: EmbeddedChannel
        var lines = 0
        var answers = 0
        var partial: [UInt8] = []
    }

    private let phone: FuzzedPhone
    private var programs: [Program] = []
    private var turn = 0

    init() {
        phone = FuzzedPhone(ControlSettings(path: ""), vaultAnswers: false)
        for _ in 0..<2 { programs.append(Program(channel: connect())) }
    }

    private func connect() -> EmbeddedChannel {
        let channel = EmbeddedChannel(loop: phone.loop)
        do {
            try phone.control?.serveLines(channel)
            try channel.connect(to: SocketAddress(unixDomainSocketPath: "/1")).wait()
        } catch {
            preconditionFailure("a channel of a test is furnished: \(error)")
        }
        return channel
    }

    mutating func take(_ bytes: [UInt8]) {
        let index = turn % programs.count
        turn += 1
        // A closed channel takes nothing, and reports it.
        if programs[index].channel.isActive,
            (try? programs[index].channel.writeInbound(ByteBuffer(bytes: bytes))) != nil
        {
            programs[index].lines += bytes.count { $0 == UInt8(ascii: "\n") }
        }
        phone.loop.run()
        switch (bytes.last ?? 0) % 6 {
        case 0: phone.settleOne(newest: false)
        case 1: phone.settleOne(newest: true)
        case 2: phone.control?.publish(.line, ["line": "lamp", "level": true])
        case 3: phone.settleAll()
        case 4 where turn % 7 == 0:
            // It leaves with all its pending requests, and comes again.
            programs[index].channel.close(promise: nil)
            collect()
            programs[index] = Program(channel: connect())
        default: break
        }
        collect()
    }

    /// Every request is answered, and leaves no state.
    mutating func end() {
        phone.settleAll()
        collect()
        precondition(phone.control?.statistics.requestsInFlight == 0, "an answer is owed")
        for program in programs { program.channel.close(promise: nil) }
        phone.loop.run()
        precondition(phone.control?.statistics.connections == 0, "a program is kept")
        phone.end()
    }

    private mutating func collect() {
        for index in programs.indices {
            while let buffer = try? programs[index].channel.readOutbound(as: ByteBuffer.self) {
                programs[index].partial += buffer.readableBytesView
            }
            let pieces = programs[index].partial.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            programs[index].partial = Array(pieces.last ?? [])
            for line in pieces.dropLast() { count(Array(line), of: index) }
        }
    }

    private mutating func count(_ line: [UInt8], of index: Int) {
        guard let message = try? JSONValue(parsing: line) else { preconditionFailure("a line is JSON") }
        if message["method"] == "event" { return }
        programs[index].answers += 1
        // One more if the unfinished line is too long.
        precondition(programs[index].answers <= programs[index].lines + 1, "a line is answered once")
    }
}
