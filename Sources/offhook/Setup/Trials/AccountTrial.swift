import Cryptography
import LineCore
import Lines
import NIOCore
import NIOPosix
import PhoneCore
import SIPCore
import Synchronization
import Vault

/// Registers an account with one of the phone's lines, then removes the registration. Blocks.
struct AccountTrial {
    /// How long the server may take to answer. A phone waits longer, and retries.
    private static let timeout = TimeAmount.seconds(12)
    /// How long the server may take to remove the registration.
    private static let gracePeriod = TimeAmount.seconds(2)

    private let account: Account
    private let line: LineSettings
    private let identifier: AccountID

    /// - Parameters:
    ///   - account: One of `stored`, or one with an unused identifier and label.
    ///   - stored: All accounts, because the configuration may name them.
    init(_ account: StoredAccount, among stored: [StoredAccount], settings: Settings) throws {
        // A trial makes no calls, so any certificate works.
        let plan = try LinePlan(
            accounts: stored.filter { $0.id != account.id } + [account], settings: settings, identity: .make())
        guard var line = plan.settings[account.id] else { throw CommandError("no line for \(account.account.label)") }
        // A running phone may use the configured ports.
        (line.port, line.tls.port) = (0, nil)
        line.configuration.watches = []
        (self.account, self.line, identifier) = (account.account, line, account.id)
    }

    /// - Parameter stop: Ends the trial early. Then the verdict says nothing about the server.
    func run(until stop: TrialStop = TrialStop()) throws -> RegistrationVerdict {
        guard account.registers else { return .notNeeded }
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let loop = group.next()
        let verdict = Result { try self.verdict(on: loop, stop) }
        try group.syncShutdownGracefully()
        return try verdict.get()
    }

    private func verdict(on loop: any EventLoop, _ stop: TrialStop) throws -> RegistrationVerdict {
        let heard = Heard()
        let state = try register(on: loop, heard, stop)
        guard !stop.isStopped else { return .other("the trial was cancelled") }
        switch state {
        case .registered, .notNeeded: return .registered
        // A server that asks for the password and then is silent has not rejected it.
        case .registering, .disconnected: break
        case .failed(let why):
            if let breach = heard.breach {
                return .other("\(breach.sentence). \(AccountCommand.ForgetTrust.advice(account.label))")
            }
            if let answer = heard.response, !answer.status.isSuccess {
                return .refused(status: answer.status.code, phrase: answer.phrase)
            }
            return try RegistrationDiagnosis(account: account, line: line, loop: loop).verdict().overWebSocket(
                account.transport.isWebSocket ? why : nil)
        }
        return try RegistrationDiagnosis(account: account, line: line, loop: loop).verdict()
    }

    /// The final state of the registration, or the last one before the timeout.
    private func register(
        on loop: any EventLoop, _ heard: Heard, _ stop: TrialStop
    ) throws -> RegistrationState {
        let (settled, finished) = (loop.makePromise(of: RegistrationState.self), loop.makePromise(of: Void.self))
        let alarm = loop.scheduleTask(in: Self.timeout) { settled.succeed(.registering) }
        let late = loop.scheduleTask(in: Self.timeout + Self.gracePeriod) { finished.succeed() }
        stop.set { settled.succeed(.registering) }
        defer {
            stop.set(nil)
            alarm.cancel()
            late.cancel()
        }
        let lines: Lines
        do {
            lines = try loop.submit { [identifier, line] in
                let lines = Lines(
                    [identifier: line], loop: loop,
                    post: { event in
                        guard case .registration(_, let state) = event, state != .registering else { return }
                        settled.succeed(state)
                    },
                    trace: { _, trace in heard.take(trace) }, report: { _, _ in },
                    trust: { _, news in heard.take(news) }, finished: { finished.succeed() })
                try lines.start()
                return lines
            }.wait()
        } catch {
            // An unfulfilled promise must not be dropped.
            settled.succeed(.registering)
            finished.succeed()
            throw error
        }
        let state = try settled.futureResult.wait()
        try loop.submit { lines.perform(.shutDown) }.wait()
        try finished.futureResult.wait()
        try loop.submit { lines.close() }.wait()
        return state
    }
}

/// The server's last response, and the last downgrade that the line has rejected. From any thread.
private final class Heard: Sendable {
    private let last = Mutex<SIPResponse?>(nil)
    private let refused = Mutex<TrustBreach?>(nil)

    var response: SIPResponse? { last.withLock { $0 } }
    var breach: TrustBreach? { refused.withLock { $0 } }

    func take(_ news: TrustNews) {
        if case .refused(let breach) = news { refused.withLock { $0 = breach } }
    }

    func take(_ trace: SignalTrace) {
        guard trace.direction == .received, case .response(let response)? = try? SIPMessage(trace.masked.span) else {
            return
        }
        last.withLock { $0 = response }
    }
}
