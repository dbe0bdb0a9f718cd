import Base
import LineCore
import LineMapping
import NIOCore
import PhoneCore
import SIPCore
import Turns

/// The adapter of the telephone lines: for each line its sockets, its connections and its one timer, around a
/// `LineMachine`.
///
/// Create it on one event loop, the control thread, and call every method there. It calls `post`, `trace` and `trust`
/// there, too, but never inside a call of `LineMachine.handle` of the same line.
public final class Lines: Sendable {
    /// State that only the loop uses.
    private struct Confined {
        /// Lines that have not finished their shutdown.
        var staying: Set<AccountID>
        var adapters: [AccountID: LineAdapter] = [:]
        /// Nil before the start.
        var budgets: LineBudgets?
        /// The line of each call that was dialled here. The identifier of an offered call names its line.
        var dialled: [PhoneCore.CallID: AccountID] = [:]
    }

    private let settings: [AccountID: LineSettings]
    private let loop: any EventLoop
    private let slept: @Sendable () -> Duration
    private let post: @Sendable (LineEvent) -> Void
    private let trace: @Sendable (AccountID, SignalTrace) -> Void
    private let report: @Sendable (AccountID, String) -> Void
    private let trust: @Sendable (AccountID, TrustNews) -> Void
    private let finished: @Sendable () -> Void
    private let confined: NIOLoopBoundBox<Confined>

    private var adapters: [AccountID: LineAdapter] { confined.value.adapters }

    /// `report` gets texts for a person who looks for a fault. They are about messages that were rejected because of
    /// their source (only the first of many), and about sockets that were opened again.
    ///
    /// - Parameters:
    ///   - settings: Each line by its account; the direct line is `AccountID.direct`.
    ///   - slept: How long the machine has slept.
    ///   - trust: Gets what a line learned about its server, and rejected downgrades.
    ///   - finished: Called once after `LineEffect.shutDown`, within `LineMachine.byeTimeout`.
    public init(
        _ settings: [AccountID: LineSettings], loop: any EventLoop,
        slept: @escaping @Sendable () -> Duration = SleepClock.slept, post: @escaping @Sendable (LineEvent) -> Void,
        trace: @escaping @Sendable (AccountID, SignalTrace) -> Void,
        report: @escaping @Sendable (AccountID, String) -> Void,
        trust: @escaping @Sendable (AccountID, TrustNews) -> Void, finished: @escaping @Sendable () -> Void
    ) {
        (self.settings, self.loop, self.slept, self.post, self.trace) = (settings, loop, slept, post, trace)
        (self.report, self.trust, self.finished) = (report, trust, finished)
        confined = .makeBoxSendingValue(Confined(staying: Set(settings.keys)), eventLoop: loop)
    }

    /// Opens every socket and begins to register. If one cannot be opened, it closes them all.
    public func start() throws(LinesError) {
        precondition(adapters.isEmpty, "lines start once")
        let budgets = LineBudgets(loop: loop)
        confined.value.budgets = budgets
        do throws(LinesError) {
            for (account, line) in settings.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
                confined.value.adapters[account] = try LineAdapter(
                    line, loop: loop, budgets: budgets, slept: slept, tell: { [weak self] in self?.hear(account, $0) },
                    report: { [report] in report(account, $0) })
            }
        } catch {
            close()
            throw error
        }
        for account in adapters.keys.sorted(by: { $0.rawValue < $1.rawValue }) { adapters[account]?.start() }
    }

    /// Carries out an effect. Never blocks.
    public func perform(_ effect: LineEffect) {
        let command = LineCommand(effect)
        switch effect {
        case .dial(let call, _, let account, _, _), .follow(let call, _, let account, _):
            guard let adapter = adapters[account] else { return post(.ended(call, .lineNotReady)) }
            confined.value.dialled[call] = account
            adapter.command(command)
        case .pickUp(let call, let number, _):
            guard let adapter = adapters[number.account] else { return post(.ended(call, .lineNotReady)) }
            confined.value.dialled[call] = number.account
            adapter.command(command)
        case .alert(let call), .answer(let call, _, _), .candidates(let call, _, _), .refuse(let call, _),
            .end(let call, _), .hold(let call, _), .dtmf(let call, _), .move(let call, _), .transfer(let call, _),
            .connect(let call, _),
            .declineReferral(let call), .redirect(let call, _):
            tell(call, command)
        case .orphanBye(let account, _): adapters[account]?.command(command)
        case .reconnect(let account), .disconnect(let account), .reconfigure(let account, _):
            tell(account, command)
        case .shutDown: for account in adapters.keys { adapters[account]?.command(command) }
        }
    }

    /// Reacts to a change of the machine's links, addresses or routes. After the first call, lines with a reachable
    /// server no longer check it at intervals. Never blocks.
    public func networkStirred() {
        for adapter in adapters.values { adapter.networkStirred() }
    }

    /// The port on which a line listens, once started.
    public func port(of account: AccountID) -> UInt16? { adapters[account]?.port }

    /// The port on which a line listens for TLS, once started. Nil: it does not listen for TLS.
    public func securePort(of account: AccountID) -> UInt16? { adapters[account]?.securePort }

    public func counters(of account: AccountID) -> LineCounters? { adapters[account]?.counters }

    /// Statistics of the loop's turns, for each kind of socket.
    public var turns: [String: TurnBudget.Statistics] { confined.value.budgets?.statistics ?? [:] }

    /// Closes every socket without a BYE. `LineEffect.shutDown` must have ended calls and registrations before.
    public func close() {
        for adapter in adapters.values { adapter.close() }
        confined.value.adapters = [:]
        confined.value.budgets?.close()
    }

    private func tell(_ call: PhoneCore.CallID, _ command: LineCommand) {
        let account: AccountID? =
            switch call.origin {
            case .phone: confined.value.dialled[call]
            case .line(let account): account
            case .info, .past: nil
            }
        account.flatMap { adapters[$0] }?.command(command)
    }

    private func tell(_ account: AccountID, _ command: LineCommand) {
        guard let adapter = adapters[account] else {
            return post(.registration(account, .failed("there is no such line")))
        }
        adapter.command(command)
    }

    private func hear(_ account: AccountID, _ output: LineOutput) {
        if case .trace(let trace) = output { return self.trace(account, trace) }
        if case .remark(let text) = output { return report(account, text) }
        if case .turnedAway(let method, let flow, let why) = output {
            return report(account, why.text(method, from: flow))
        }
        if case .trust(let news) = output { return trust(account, news) }
        if case .finished = output { return leave(account) }
        guard let event = LineEvent(output, account) else { return }
        if case .ended(let call, _) = event { confined.value.dialled[call] = nil }
        post(event)
    }

    private func leave(_ account: AccountID) {
        guard confined.value.staying.remove(account) != nil, confined.value.staying.isEmpty else { return }
        finished()
    }
}
