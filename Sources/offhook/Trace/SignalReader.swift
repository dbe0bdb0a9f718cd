import Base
import Control
import PhoneCore
import Trace

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
