import Base
import Control
import Cryptography
import NIOCore
import NIOEmbedded
import PhoneCore

/// A connection over HTTP: the bytes come in pieces, and the phone handles the requests.
func fuzzHTTP(_ input: [UInt8]) {
    let phone = FuzzedWeb()
    let input = phone.resuming(input)
    let step = 1 + Int(input.first ?? 0) * 4
    for start in stride(from: 0, to: input.count, by: step) {
        phone.take(Array(input[start..<min(start + step, input.count)]))
    }
    phone.endure()
}

/// A phone that knows one token, and one connection to it.
private final class FuzzedWeb {
    private static let token = "ohk_fuzz"
    /// In the input it stands for an event whose successors the phone still has: its number differs in each run.
    private static let resumed = Array("RESUMED".utf8)
    /// More than the longest answer, the page, for each request that fits into so many bytes.
    private static let mostBytes = 64 << 20

    private let phone: FuzzedPhone
    private let channel: EmbeddedChannel
    private let control: Control
    private let position: [UInt8]
    private var sent = 0

    init() {
        var settings = ControlSettings(path: "")
        settings.http = HTTPSettings(address: "127.0.0.1", port: 0)
        phone = FuzzedPhone(settings, vaultAnswers: true)
        guard let control = phone.control else { preconditionFailure("it lives") }
        self.control = control
        channel = Self.connect(phone, control)
        position = Self.position(phone, control)
    }

    private static func connect(_ phone: FuzzedPhone, _ control: Control) -> EmbeddedChannel {
        let channel = EmbeddedChannel(loop: phone.loop)
        let known = ControlToken(
            label: "fuzz", scope: .configure, digest: Digest.sha256(Array(Self.token.utf8)),
            created: WallTime(unixMilliseconds: 0))
        do {
            try control.serve(channel)
            control.answer(ActionID(.control, 0), .tokens([known], added: nil))
            try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        } catch {
            preconditionFailure("a channel of a test is furnished: \(error)")
        }
        return channel
    }

    /// The position of a stream, which ends at once; a few events follow it.
    private static func position(_ phone: FuzzedPhone, _ control: Control) -> [UInt8] {
        let stream = connect(phone, control)
        let request = "GET /events HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(token)\r\n\r\n"
        _ = try? stream.writeInbound(ByteBuffer(string: request))
        phone.loop.run()
        var text = ""
        while let buffer = try? stream.readOutbound(as: ByteBuffer.self) { text += String(buffer: buffer) }
        // `finish` would end the timers of the other connection, too.
        stream.close(promise: nil)
        phone.loop.run()
        for _ in 0..<3 { control.publish(.line, ["line": "lamp", "level": true]) }
        guard let field = text.split(whereSeparator: \.isNewline).first(where: { $0.hasPrefix("id: ") }) else {
            preconditionFailure("a stream has its position: \(text)")
        }
        return Array(field.dropFirst(4).utf8)
    }

    /// - Returns: The input with the phone's own number in it.
    func resuming(_ input: [UInt8]) -> [UInt8] {
        guard input.count <= 65_536 else { return input }
        return Array(
            input.split(separator: Self.resumed, omittingEmptySubsequences: false).joined(separator: position))
    }

    func take(_ bytes: [UInt8]) {
        // A closed channel takes nothing, and reports it.
        guard channel.isActive, (try? channel.writeInbound(ByteBuffer(bytes: bytes))) != nil else { return }
        phone.settleAll()
        control.publish(.line, ["line": "lamp", "level": true])
        collect()
    }

    /// Time passes: unfinished requests are closed, and leave no state.
    func endure() {
        phone.loop.advanceTime(by: .seconds(120))
        collect()
        if channel.isActive, control.statistics.http.streams == 1 {
            preconditionFailure("a silent connection stays open")
        }
        phone.end()
        precondition(!channel.isActive, "the end of the phone closes it")
        precondition(control.statistics.http.connections == 0 && control.statistics.requestsInFlight == 0, "kept")
    }

    private func collect() {
        while let buffer = try? channel.readOutbound(as: ByteBuffer.self) {
            let bytes = Array(buffer.readableBytesView)
            if sent == 0, !bytes.isEmpty { precondition(bytes.starts(with: Array("HTTP/1.".utf8)), "an answer") }
            sent += bytes.count
            precondition(sent < Self.mostBytes, "answers without an end")
        }
    }
}
