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
        /// What each line is to be.
        var wanted: [AccountID: LineSettings]
        /// The credentials that a line uses in place of those of its settings.
        var credentials: [AccountID: LineCredentials]
        var lines: [AccountID: Line] = [:]
        /// What lines have learned about their servers since the start.
        var learned: [AccountID: Learned] = [:]
        /// How many calls each account's former and present lines were offered.
        var offered: [AccountID: UInt32] = [:]
        /// Nil before the start, and after the end.
        var budgets: LineBudgets?
        /// The line of each call that was dialled here. The identifier of an offered call names its line.
        var dialled: [PhoneCore.CallID: AccountID] = [:]
        /// Lines that have not finished their shutdown. Nil until `LineEffect.shutDown`.
        var staying: Set<AccountID>?
    }

    /// A line that exists.
    private struct Line {
        let adapter: LineAdapter
        let settings: LineSettings
        var calls: Set<PhoneCore.CallID> = []
        var stage = Stage.up

        enum Stage {
            case up
            /// It unregisters, to be closed and perhaps opened with other settings.
            case leaving
            /// It has unregistered, but its sockets may still be open.
            case left
        }

        /// Lines learn about their servers by themselves.
        func differs(from wanted: LineSettings?) -> Bool {
            guard var wanted else { return true }
            wanted.configuration.account?.trust = settings.configuration.account?.trust ?? LineTrust()
            return wanted != settings
        }
    }

    private struct Learned {
        let account: LineConfiguration.Account
        let trust: LineTrust

        /// Whether the settings are for the same server.
        func holds(for other: LineConfiguration.Account?) -> Bool {
            account.server == other?.server && account.domain == other?.domain && account.verto == other?.verto
        }
    }

    /// The pause before a line that could not be opened is tried again.
    private static let pause = TimeAmount.seconds(1)

    private let loop: any EventLoop
    private let slept: @Sendable () -> Duration
    private let post: @Sendable (LineEvent) -> Void
    private let trace: @Sendable (AccountID, SignalTrace) -> Void
    private let report: @Sendable (AccountID, String) -> Void
    private let trust: @Sendable (AccountID, TrustNews) -> Void
    private let finished: @Sendable () -> Void
    private let confined: NIOLoopBoundBox<Confined>

    /// `report` gets texts for a person who looks for a fault. They are about messages that were rejected because of
    /// their source (only the first of many), and about sockets that were opened again.
    ///
    /// - Parameters:
    ///   - settings: Each line by its account. The key of the direct line is `AccountID.direct`.
    ///   - credentials: What lines use in place of the credentials of their settings.
    ///   - slept: How long the machine has slept.
    ///   - trust: Gets what a line learned about its server. It also gets rejected downgrades.
    ///   - finished: Called once after `LineEffect.shutDown`, within `LineMachine.byeTimeout`.
    public init(
        _ settings: [AccountID: LineSettings], credentials: [AccountID: LineCredentials] = [:], loop: any EventLoop,
        slept: @escaping @Sendable () -> Duration = SleepClock.slept, post: @escaping @Sendable (LineEvent) -> Void,
        trace: @escaping @Sendable (AccountID, SignalTrace) -> Void,
        report: @escaping @Sendable (AccountID, String) -> Void,
        trust: @escaping @Sendable (AccountID, TrustNews) -> Void, finished: @escaping @Sendable () -> Void
    ) {
        (self.loop, self.slept, self.post, self.trace) = (loop, slept, post, trace)
        (self.report, self.trust, self.finished) = (report, trust, finished)
        confined = .makeBoxSendingValue(Confined(wanted: settings, credentials: credentials), eventLoop: loop)
    }

    /// Opens every socket and begins to register. If one cannot be opened, it closes them all.
    public func start() throws(LinesError) {
        precondition(confined.value.lines.isEmpty, "lines start once")
        confined.value.budgets = LineBudgets(loop: loop)
        let accounts = inOrder(confined.value.wanted.keys)
        do throws(LinesError) {
            for account in accounts { try open(account) }
        } catch {
            close()
            throw error
        }
        for account in accounts { adapter(account)?.start() }
    }

    /// Changes the lines while they run. Lines whose settings stay the same are not touched.
    ///
    /// A line with other settings, or without any, unregisters as soon as it has no call. It is closed then, and opened
    /// with the new settings. If a line cannot be opened, its registration fails with the reason, and it is tried again
    /// every second.
    public func apply(_ settings: [AccountID: LineSettings]) {
        confined.value.wanted = settings
        confined.value.credentials = confined.value.credentials.filter { settings[$0.key] != nil }
        // Like the vault: an account that is removed and added again begins without knowledge of its server.
        confined.value.learned = confined.value.learned.filter { settings[$0.key] != nil }
        settleAll()
    }

    /// Carries out an effect. Never blocks.
    public func perform(_ effect: LineEffect) {
        let command = LineCommand(effect)
        switch effect {
        case .dial(let call, _, let account, _, _), .follow(let call, _, let account, _): begin(call, account, command)
        case .pickUp(let call, let number, _): begin(call, number.account, command)
        case .alert(let call), .answer(let call, _, _), .candidates(let call, _, _), .refuse(let call, _),
            .end(let call, _), .hold(let call, _), .dtmf(let call, _), .move(let call, _), .transfer(let call, _),
            .connect(let call, _),
            .declineReferral(let call), .redirect(let call, _):
            tell(call, command)
        case .orphanBye(let account, _): adapter(account)?.command(command)
        case .reconfigure(let account, let credentials):
            confined.value.credentials[account] = LineCredentials(credentials)
            tell(account, command)
        case .reconnect(let account), .disconnect(let account): tell(account, command)
        case .shutDown:
            let staying = confined.value.lines.filter { $0.value.stage != .left }
            confined.value.staying = Set(staying.keys)
            for account in inOrder(staying.keys) where staying[account]?.stage == .up {
                adapter(account)?.command(command)
            }
            if staying.isEmpty { finished() }
        }
    }

    /// Reacts to a change of the machine's links, addresses or routes. After the first call, lines with a reachable
    /// server no longer check it at intervals. Never blocks.
    public func networkStirred() {
        for line in confined.value.lines.values { line.adapter.networkStirred() }
    }

    /// The port on which a line listens, once started.
    public func port(of account: AccountID) -> UInt16? { adapter(account)?.port }

    /// The port on which a line listens for TLS, once started. Nil: it does not listen for TLS.
    public func securePort(of account: AccountID) -> UInt16? { adapter(account)?.securePort }

    public func counters(of account: AccountID) -> LineCounters? { adapter(account)?.counters }

    /// Statistics of the loop's turns, for each kind of socket.
    public var turns: [String: TurnBudget.Statistics] { confined.value.budgets?.statistics ?? [:] }

    /// Closes every socket without a BYE. `LineEffect.shutDown` must have ended calls and registrations before.
    public func close() {
        for line in confined.value.lines.values { line.adapter.close() }
        confined.value.budgets?.close()
        (confined.value.lines, confined.value.budgets) = ([:], nil)
    }

    private func adapter(_ account: AccountID) -> LineAdapter? { confined.value.lines[account]?.adapter }

    private func inOrder(_ accounts: some Sequence<AccountID>) -> [AccountID] {
        accounts.sorted { $0.rawValue < $1.rawValue }
    }

    // MARK: Calls

    private func begin(_ call: PhoneCore.CallID, _ account: AccountID, _ command: LineCommand) {
        guard let line = confined.value.lines[account], line.stage == .up else {
            return post(.ended(call, .lineNotReady))
        }
        confined.value.dialled[call] = account
        confined.value.lines[account]?.calls.insert(call)
        line.adapter.command(command)
    }

    private func tell(_ call: PhoneCore.CallID, _ command: LineCommand) {
        let account: AccountID? =
            switch call.origin {
            case .phone: confined.value.dialled[call]
            case .line(let account): account
            case .info, .past: nil
            }
        account.flatMap { adapter($0) }?.command(command)
    }

    private func tell(_ account: AccountID, _ command: LineCommand) {
        guard let adapter = adapter(account) else {
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
        if case .trust(let news) = output {
            learn(news, account)
            return trust(account, news)
        }
        if case .finished = output { return leave(account) }
        guard let event = LineEvent(output, account) else { return }
        note(event, of: account)
        post(event)
    }

    private func learn(_ news: TrustNews, _ account: AccountID) {
        guard case .learned(let trust) = news else { return }
        confined.value.learned[account] = confined.value.lines[account]?.settings.configuration.account.map {
            Learned(account: $0, trust: trust)
        }
    }

    /// Keeps count of a line's calls.
    private func note(_ event: LineEvent, of account: AccountID) {
        if case .offered(let call, _) = event {
            confined.value.offered[account] = call.number
            confined.value.lines[account]?.calls.insert(call)
        } else if case .ended(let call, _) = event {
            confined.value.dialled[call] = nil
            confined.value.lines[account]?.calls.remove(call)
            // The line may still have to send its last message of the call.
            loop.execute { [weak self] in self?.settle(account) }
        }
    }

    // MARK: Opening and leaving

    private func open(_ account: AccountID) throws(LinesError) {
        guard let wanted = confined.value.wanted[account], let budgets = confined.value.budgets else { return }
        var settings = wanted
        if let credentials = confined.value.credentials[account] {
            settings.configuration = settings.configuration.taking(credentials)
        }
        // Otherwise a change of the account would let a server weaken what it has shown.
        if let learned = confined.value.learned[account], learned.holds(for: settings.configuration.account) {
            settings.configuration.account?.trust = learned.trust
        }
        let adapter = try LineAdapter(
            settings, offeredBefore: confined.value.offered[account] ?? 0, loop: loop, budgets: budgets, slept: slept,
            tell: { [weak self] in self?.hear(account, $0) }, report: { [report] in report(account, $0) })
        confined.value.lines[account] = Line(adapter: adapter, settings: wanted)
    }

    private func settleAll() {
        let accounts = Set(confined.value.wanted.keys).union(confined.value.lines.keys)
        for account in inOrder(accounts) { settle(account) }
    }

    /// Brings a line nearer to what it is to be.
    private func settle(_ account: AccountID) {
        guard confined.value.staying == nil, confined.value.budgets != nil else { return }
        guard let line = confined.value.lines[account] else { return openLater(account) }
        guard line.differs(from: confined.value.wanted[account]), line.calls.isEmpty, line.stage == .up else { return }
        confined.value.lines[account]?.stage = .leaving
        line.adapter.command(.shutDown)
    }

    private func openLater(_ account: AccountID) {
        guard let wanted = confined.value.wanted[account] else { return }
        // A line that leaves may still have the port.
        guard wanted.port == 0 || !confined.value.lines.values.contains(where: { $0.settings.port == wanted.port })
        else { return }
        do throws(LinesError) {
            try open(account)
            adapter(account)?.start()
        } catch {
            post(.registration(account, .failed("\(error)")))
            loop.scheduleTask(in: Self.pause) { [weak self] in self?.settle(account) }
        }
    }

    private func leave(_ account: AccountID) {
        if let line = confined.value.lines[account], line.stage == .leaving {
            confined.value.lines[account]?.stage = .left
            // The adapter is still at work.
            let adapter = NIOLoopBound(line.adapter, eventLoop: loop)
            loop.execute { [weak self] in
                adapter.value.close()
                self?.closed(account)
            }
        }
        if confined.value.staying?.remove(account) != nil, confined.value.staying?.isEmpty == true { finished() }
    }

    /// A line that has left is closed.
    private func closed(_ account: AccountID) {
        guard confined.value.lines[account]?.stage == .left else { return }
        confined.value.lines[account] = nil
        settleAll()
    }
}
