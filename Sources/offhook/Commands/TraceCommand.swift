import Base
import Commands
import Control
import Glibc
import PhoneCore
import Platform
import Trace

struct TraceCommand {
    static var command: Command {
        Command(
            "trace", "Show the SIP messages of a running phone: past ones by call, then new ones.",
            discussion: """
                The phone hides passwords, keys and answers to challenges, also in captures: each character is a star \
                or an x. It also hides digits in calls, unless it runs with --show-digits. Times are UTC.
                """, example: "offhook trace --pcap calls.pcap --no-follow",
            RunningPhone.input, filter,
            Parameter.switching("follow", "Continue with new messages, until interrupted.").usual(true, "--follow"),
            Parameter.flag("bodies", "Show bodies. Without it, texts are stars in captures too."),
            Parameter.option(
                "pcap", "Write a capture for Wireshark or sngrep to this file instead; - is standard output.", .file())
        ) { try TraceCommand(phone: $0, filter: $1, follow: $2, bodies: $3, pcap: $4).run() }
    }

    private static var filter: Input<SignalFilter> {
        .all(
            Parameter.option("call", "Only messages whose Call-ID begins with this text."),
            Parameter.option("account", "Only messages of this account (its label), or direct.", RunningPhone.account),
            Parameter.option("method", "Only this method, and the responses to it."),
            Parameter.option("peer", "Only messages to and from this address, with or without a port.")
        ) { SignalFilter(callID: $0, account: $1, method: $2, peer: $3) }
    }

    let phone: RunningPhone
    let filter: SignalFilter
    let follow: Bool
    let bodies: Bool
    let pcap: String?

    private func run() throws {
        var reader = SignalReader(try phone.connect())
        var output = try pcap.map { try SignalOutput(capture: $0) } ?? SignalOutput(showsBodies: bodies)
        var batch = try reader.past()
        while true {
            if batch.lost > 0 {
                TextOutput(descriptor: STDERR_FILENO).write(
                    "\(batch.lost) messages were lost: they came faster than they were read")
            }
            let wanted = batch.signals.filter(filter.admits)
            try output.write(bodies ? wanted : wanted.map(\.withoutWords))
            guard follow else { return }
            batch = try reader.next()
        }
    }
}

/// Reads the traced messages of a running phone in order.
struct SignalReader {
    /// The messages since the last query.
    struct Batch {
        var signals: [TracedSignal] = []
        /// The number of messages that the phone had already forgotten.
        var lost: Int64 = 0
    }

    /// How long one query may wait for the next message before the reader repeats it.
    private static let timeout = Duration.seconds(600)
    /// More pages than the phone's memory ever fills. Messages that arrive in between are read later.
    private static let longestPast = 64

    private let client: ControlClient
    private let clock = WallTimeConverter()
    private var seen: Int64 = 0

    init(_ client: ControlClient) { self.client = client }

    /// Reads all messages that the phone remembers.
    mutating func past() throws -> Batch {
        var all = Batch()
        for _ in 0..<Self.longestPast {
            let batch = try ask(waits: false)
            all.signals += batch.signals
            all.lost += batch.lost
            if batch.signals.isEmpty { break }
        }
        return all
    }

    /// Waits for the next messages.
    mutating func next() throws -> Batch {
        do {
            return try ask(waits: true)
        } catch ControlClientError.timedOut {
            return Batch()
        }
    }

    private mutating func ask(waits: Bool) throws -> Batch {
        let page = try client.signals(after: seen, waits: waits, timeout: Self.timeout)
        seen = page.last
        return Batch(
            signals: zip(page.signals, page.labels).map { TracedSignal($0, label: $1, clock) }, lost: page.lost)
    }
}

extension TracedSignal {
    fileprivate init(_ signal: ControlSignal, label: String?, _ clock: WallTimeConverter) {
        let account = signal.account == .direct ? "direct" : label ?? "account \(signal.account.rawValue)"
        self.init(
            time: clock.microseconds(of: signal.at), isSent: signal.direction == .sent, transport: signal.transport,
            local: End(signal.localHost, signal.localPort), remote: End(signal.remoteHost, signal.remotePort),
            account: account, message: signal.message)
    }
}

/// The output of a trace: a ladder on standard output, or a capture. The capture's file stays open for the life of the
/// program.
struct SignalOutput {
    private enum Form {
        case ladder(Ladder)
        case capture(path: String)
    }

    private var form: Form
    private let descriptor: Int32

    init(showsBodies: Bool) {
        form = .ladder(Ladder(showsBodies: showsBodies))
        descriptor = STDOUT_FILENO
    }

    /// Begins a capture. Only the owner may read its file, because it shows callers and callees.
    /// - Parameter path: `-` is standard output.
    init(capture path: String) throws(CommandError) {
        form = .capture(path: path)
        descriptor =
            path == "-"
            ? STDOUT_FILENO : unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, mode_t(0o600))
        guard descriptor >= 0 else { throw CommandError("\(path): \(SystemError.last)") }
        try write(bytes: CaptureFile.opening, path)
    }

    /// Writes all messages at once, so that no reader waits for a part of them. A ladder shows them call by call.
    mutating func write(_ signals: [TracedSignal]) throws(CommandError) {
        guard !signals.isEmpty else { return }
        switch form {
        case .capture(let path): try write(bytes: signals.flatMap { CaptureFile.record(of: $0) }, path)
        case .ladder(var ladder):
            let lines = Ladder.byCall(signals).flatMap { ladder.lines(for: $0) }
            form = .ladder(ladder)
            try write(bytes: Array((lines.joined(separator: "\n") + "\n").utf8), "standard output")
        }
    }

    private func write(bytes: [UInt8], _ path: String) throws(CommandError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw CommandError("\(path): \(SystemError.last)") }
            rest = rest.dropFirst(count)
        }
    }
}
