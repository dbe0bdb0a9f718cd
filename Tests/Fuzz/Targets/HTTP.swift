import Base
import Control
import Cryptography
import NIOCore
import NIOEmbedded
import PhoneCore

/// A connection over HTTP: the bytes come in pieces, and the phone does what it is asked.
func fuzzHTTP(_ input: [UInt8]) {
    let phone = FuzzedWeb()
    let step = 1 + Int(input.first ?? 0) * 4
    for start in stride(from: 0, to: input.count, by: step) {
        phone.take(Array(input[start..<min(start + step, input.count)]))
    }
    phone.endure()
}

/// A phone that knows one token, and one connection to it.
private final class FuzzedWeb {
    private static let token = "ohk_fuzz"
    /// More than the longest answer, the page, for each request that so many bytes can be.
    private static let mostBytes = 64 << 20

    private static let snapshot = PhoneSnapshot(
        calls: [], hook: nil, digits: "", muted: false, route: .handset, tone: nil, registrations: [:], lamps: [:],
        ringing: false)

    private let loop = EmbeddedEventLoop()
    private let channel: EmbeddedChannel
    private let control: Control
    private let box = FuzzedControl()
    private var sent = 0

    init() {
        var settings = ControlSettings(path: "")
        settings.http = HTTPSettings(address: "127.0.0.1", port: 0)
        let (box, loop) = (box, loop)
        control = Control(
            settings, loop: loop,
            post: { action, request in
                let effect: ControlEffect =
                    request == .status ? .snapshot(action, Self.snapshot) : .settled(action, .fulfilled)
                loop.execute { box.control?.perform(effect) }
            },
            extras: ControlExtras(
                version: "1", askVault: { action, _ in loop.execute { box.control?.answer(action, .done) } },
                board: PanelDescription(
                    name: "1", isSimulated: false, hasHook: false, hasBell: false, keys: [], lamps: [], meanings: [:]),
                bootTimeline: { [:] }, statistics: { [:] }, metrics: { "up 1\n" }, panel: nil, report: { _ in }))
        box.control = control
        channel = EmbeddedChannel(loop: loop)
        let known = AccessToken(
            label: "fuzz", scope: .configure, digest: Digest.sha256(Array(Self.token.utf8)),
            created: WallTime(unixMilliseconds: 0))
        do {
            try control.serve(channel)
            control.answer(ActionID(.control, 0), .tokens([known], added: nil))
            try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        } catch {
            preconditionFailure("a channel of a test is furnished: \(error)")
        }
    }

    func take(_ bytes: [UInt8]) {
        // A channel that is closed takes nothing, and says so.
        guard channel.isActive, (try? channel.writeInbound(ByteBuffer(bytes: bytes))) != nil else { return }
        loop.run()
        control.publish(.line, ["line": "lamp", "level": true])
        collect()
    }

    /// Time passes: whatever was begun and not finished is closed, and nothing is kept of it.
    func endure() {
        loop.advanceTime(by: .seconds(120))
        collect()
        if channel.isActive, control.statistics.http.streams == 0 {
            preconditionFailure("a connection that says nothing stays open")
        }
        control.close()
        loop.run()
        precondition(!channel.isActive, "the end of the phone closes it")
        precondition(control.statistics.http.connections == 0 && control.statistics.requestsInFlight == 0, "kept")
        box.control = nil
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

/// Through this the control interface gets its answers. It holds that as long as the phone lives, and the interface holds
/// this. Everything here is on one thread.
private final class FuzzedControl: @unchecked Sendable {
    var control: Control?
}
