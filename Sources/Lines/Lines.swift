import Base
import LineCore
import NIOCore
import SIPCore
import Telephony
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
        var credentials: [AccountID: AccountCredentials]
        /// The credentials that take effect with the next `apply`.
        var prepared: [AccountID: AccountCredentials] = [:]
        /// The lines that exist, by their numbers.
        var lines: [Int: Line] = [:]
        /// The line of each account. A line that its account has left for another server is in `lines` only.
        var current: [AccountID: Int] = [:]
        /// How many lines were opened so far.
        var opened = 0
        /// What lines have learned about their servers since the start: the newest servers of each account, the last
        /// one last.
        var learned: [AccountID: [Learned]] = [:]
        /// How many calls each account's former and present lines were offered.
        var offered: [AccountID: UInt32] = [:]
        /// Nil before the start, and after the end.
        var budgets: LineBudgets?
        /// The line of each call.
        var lineOfCall: [CallID: Int] = [:]
        /// Accounts whose line could not be opened, and is tried again.
        var retried: Set<AccountID> = []
        /// Lines that have not finished their shutdown. Nil until `LineCommand.shutDown`.
        var staying: Set<Int>?
    }

    /// A line that exists.
    private struct Line {
        let account: AccountID
        let adapter: LineAdapter
        let settings: LineSettings
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

        /// Whether the line is to register at another server.
        func isElsewhere(than wanted: LineSettings?) -> Bool {
            guard let own = settings.configuration.account, let other = wanted?.configuration.account else {
                return false
            }
            return !own.isAtServer(of: other)
        }
    }

    private struct Learned {
        let account: LineConfiguration.Account
        let trust: LineTrust
    }

    /// The pause before a line that could not be opened is tried again.
    private static let pause = TimeAmount.seconds(1)
    /// How many servers of an account a line remembers.
    private static let mostServers = 16

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
    ///   - finished: Called once after `LineCommand.shutDown`, within `LineMachine.byeTimeout`.
    public init(
        _ settings: [AccountID: LineSettings], credentials: [AccountID: AccountCredentials] = [:], loop: any EventLoop,
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
    ///
    /// A line whose account moves to another server need not wait for its calls. It unregisters, and stays for the
    /// calls that it has. A line without a call, and with a fixed port, first gives up this port. That takes at most
    /// `LineMachine.byeTimeout`. If a former line with a call has the port, its successor gets one from the kernel. It
    /// keeps that port until the phone starts again.
    public func apply(_ settings: [AccountID: LineSettings]) {
        let former = confined.value.wanted
        confined.value.wanted = settings
        // Credentials belong to one server. Another one never gets them.
        confined.value.credentials = confined.value.credentials.filter { account, _ in
            guard let now = settings[account] else { return false }
            guard let own = now.configuration.account, let was = former[account]?.configuration.account else {
                return true
            }
            return own.isAtServer(of: was)
        }
        confined.value.credentials.merge(confined.value.prepared) { $1 }
        confined.value.prepared = [:]
        // Like the vault: an account that is removed and added again begins without knowledge of its server.
        confined.value.learned = confined.value.learned.filter { settings[$0.key] != nil }
        settleAll()
    }

    /// The next `apply` moves the account to the server at which these credentials are valid.
    public func prepare(_ credentials: AccountCredentials, for account: AccountID) {
        confined.value.prepared[account] = credentials
    }

    /// Carries out a command. Never blocks.
    public func perform(_ command: LineCommand) {
        let performer: LineAdapter?
        switch command {
        case .dial(let call, _, let account, _, _), .follow(let call, _, let account, _):
            performer = begin(call, account)
        case .pickUp(let call, let number, _): performer = begin(call, number.account)
        case .alert(let call), .answer(let call, _, _), .candidates(let call, _, _), .refuse(let call, _),
            .end(let call, _), .hold(let call, _), .dtmf(let call, _), .move(let call, _), .transfer(let call, _),
            .connect(let call, _),
            .declineReferral(let call), .redirect(let call, _):
            performer = confined.value.lineOfCall[call].flatMap { confined.value.lines[$0] }?.adapter
        case .orphanBye(let account, _): performer = adapter(account)
        case .reconfigure(let account, let credentials):
            confined.value.credentials[account] = credentials
            performer = wanted(account)
        case .reconnect(let account), .disconnect(let account): performer = wanted(account)
        case .shutDown: return shutDownAll()
        }
        performer?.feed(.command(command))
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

    /// Closes every socket without a BYE. `LineCommand.shutDown` must have ended calls and registrations before.
    public func close() {
        for line in confined.value.lines.values { line.adapter.close() }
        confined.value.budgets?.close()
        (confined.value.lines, confined.value.current, confined.value.budgets) = ([:], [:], nil)
    }

    private func line(_ account: AccountID) -> Line? {
        confined.value.current[account].flatMap { confined.value.lines[$0] }
    }
    private func adapter(_ account: AccountID) -> LineAdapter? { line(account)?.adapter }

    private func inOrder(_ accounts: some Sequence<AccountID>) -> [AccountID] {
        accounts.sorted { $0.rawValue < $1.rawValue }
    }

    // MARK: Calls

    /// The line of a call that begins. Without one the call ends.
    private func begin(_ call: CallID, _ account: AccountID) -> LineAdapter? {
        guard let line = line(account), line.stage == .up else {
            post(.ended(call, .lineNotReady))
            return nil
        }
        confined.value.lineOfCall[call] = confined.value.current[account]
        return line.adapter
    }

    /// The line that is to register or unregister. Without one the registration fails.
    private func wanted(_ account: AccountID) -> LineAdapter? {
        let adapter = adapter(account)
        if adapter == nil { post(.registration(account, .failed("there is no such line"))) }
        return adapter
    }

    private func shutDownAll() {
        let staying = confined.value.lines.filter { $0.value.stage != .left }
        confined.value.staying = Set(staying.keys)
        for (_, line) in staying.sorted(by: { $0.key < $1.key }) where line.stage == .up {
            line.adapter.feed(.command(.shutDown))
        }
        if staying.isEmpty { finished() }
    }

    private func hear(_ number: Int, of account: AccountID, _ output: LineOutput) {
        // A line that is about to be replaced says nothing about its account any more.
        let isCurrent = confined.value.current[account] == number && confined.value.lines[number]?.stage == .up
        switch output {
        case .event(let event):
            guard isCurrent || isHeard(event, of: number) else { return refuse(event, number) }
            note(event, of: number)
            post(event)
        case .trace(let trace): self.trace(account, trace)
        case .remark(let text): report(account, text)
        case .turnedAway(let method, let flow, let why): report(account, why.text(method, from: flow))
        case .trust(let news):
            guard isCurrent else { return }
            learn(news, account)
            trust(account, news)
        case .finished: leave(number)
        // The adapter carries these out.
        case .send, .lookUp, .locate, .ask, .abandon, .dropped, .strayKeepAlive: break
        }
    }

    /// Whether an event of a line that is about to leave, or that its account has left, concerns the phone.
    private func isHeard(_ event: LineEvent, of number: Int) -> Bool {
        switch event {
        case .registration, .watched, .messagesWaiting, .offered: false
        case .refused, .text: true
        case .offerSent(let call), .ringing(let call), .earlyMedia(let call, _), .answered(let call, _),
            .memo(let call, _), .renegotiated(let call, _, _), .displayUpdated(let call, _, _, _),
            .holdSettled(let call, _), .holdDelayed(let call, _), .moved(let call, _), .transferSettled(let call, _),
            .transferred(let call, _), .referred(let call, _), .redirected(let call, _), .dtmfSent(let call, _),
            .dtmfReceived(let call, _), .endTold(let call, _), .ended(let call, _):
            confined.value.lineOfCall[call] == number
        }
    }

    /// Refuses a call that a server offers to a line that its account has left. The server may not know that yet.
    private func refuse(_ event: LineEvent, _ number: Int) {
        guard case .offered(let call, _) = event, let line = confined.value.lines[number] else { return }
        line.adapter.feed(.command(.refuse(call, .unavailable)))
        report(line.account, "a call was refused: the former server offered it after the account had left")
    }

    private func learn(_ news: TrustNews, _ account: AccountID) {
        guard case .learned(let trust) = news, let own = line(account)?.settings.configuration.account else { return }
        let others = confined.value.learned[account, default: []].filter { !$0.account.isAtServer(of: own) }
        confined.value.learned[account] = (others + [Learned(account: own, trust: trust)]).suffix(Self.mostServers)
    }

    /// Keeps count of a line's calls.
    private func note(_ event: LineEvent, of number: Int) {
        guard let account = confined.value.lines[number]?.account else { return }
        if case .offered(let call, _) = event {
            confined.value.offered[account] = call.number
            confined.value.lineOfCall[call] = number
        } else if case .ended(let call, _) = event {
            confined.value.lineOfCall[call] = nil
            // The line may still have to send its last message of the call.
            loop.execute { [weak self] in self?.settle(account) }
        }
    }

    private func hasCall(_ number: Int) -> Bool { confined.value.lineOfCall.values.contains(number) }

    // MARK: Opening and leaving

    /// - Parameter freely: Whether the kernel chooses the port.
    private func open(_ account: AccountID, freely: Bool = false) throws(LinesError) {
        guard let wanted = confined.value.wanted[account], let budgets = confined.value.budgets else { return }
        precondition(wanted.configuration.id == account, "a line is configured for its account")
        var settings = wanted
        if let credentials = confined.value.credentials[account] {
            settings.configuration = settings.configuration.taking(credentials)
        }
        if freely { settings.port = 0 }
        // Otherwise a change of the account would let a server weaken what it has shown.
        if let own = settings.configuration.account,
            let known = confined.value.learned[account]?.last(where: { $0.account.isAtServer(of: own) })
        {
            settings.configuration.account?.trust = known.trust
        }
        forget(formersOf: account, at: wanted)
        let number = confined.value.opened
        let adapter = try LineAdapter(
            settings, offeredBefore: confined.value.offered[account] ?? 0, loop: loop, budgets: budgets, slept: slept,
            tell: { [weak self] in self?.hear(number, of: account, $0) }, report: { [report] in report(account, $0) })
        confined.value.opened += 1
        confined.value.lines[number] = Line(account: account, adapter: adapter, settings: wanted)
        confined.value.current[account] = number
    }

    /// Closes the account's former lines at this server that have no call: such a line would unregister what the new one
    /// registers.
    private func forget(formersOf account: AccountID, at wanted: LineSettings) {
        let formers = confined.value.lines.filter { $0.value.account == account }
        for (number, line) in formers where !line.isElsewhere(than: wanted) && !hasCall(number) {
            line.adapter.close()
            confined.value.lines[number] = nil
        }
    }

    private func settleAll() {
        let accounts = Set(confined.value.wanted.keys).union(confined.value.lines.values.map(\.account))
        for account in inOrder(accounts) { settle(account) }
    }

    /// Brings an account's lines nearer to what they are to be.
    private func settle(_ account: AccountID) {
        guard confined.value.staying == nil, confined.value.budgets != nil else { return }
        let current = confined.value.current[account]
        for (number, line) in confined.value.lines where line.account == account && number != current {
            if !hasCall(number) { shutDown(number) }
        }
        guard let current, let line = confined.value.lines[current] else { return openLater(account) }
        let wanted = confined.value.wanted[account]
        guard line.differs(from: wanted), line.stage == .up else { return }
        if line.isElsewhere(than: wanted), hasCall(current) || line.settings.port == 0 {
            confined.value.current[account] = nil
            // A Verto session carries its calls: leaving it would end them.
            if line.settings.configuration.account?.verto == nil { line.adapter.feed(.command(.disconnect(account))) }
            openLater(account)
            if !hasCall(current) { shutDown(current) }
        } else if !hasCall(current) {
            shutDown(current)
        }
    }

    /// The line unregisters, and is closed then.
    private func shutDown(_ number: Int) {
        guard let line = confined.value.lines[number], line.stage == .up else { return }
        confined.value.lines[number]?.stage = .leaving
        line.adapter.feed(.command(.shutDown))
    }

    private func openLater(_ account: AccountID) {
        guard let wanted = confined.value.wanted[account] else { return }
        let lines = confined.value.lines.values
        // A line that leaves may still have the port. Only the account's former line may keep it for a whole call.
        let isTaken = wanted.port != 0 && lines.contains { $0.settings.port == wanted.port }
        guard !isTaken || lines.contains(where: { $0.account == account }) else { return }
        do throws(LinesError) {
            try open(account, freely: isTaken)
            adapter(account)?.start()
        } catch {
            post(.registration(account, .failed("\(error)")))
            guard confined.value.retried.insert(account).inserted else { return }
            loop.scheduleTask(in: Self.pause) { [weak self] in
                self?.confined.value.retried.remove(account)
                self?.settle(account)
            }
        }
    }

    private func leave(_ number: Int) {
        if let line = confined.value.lines[number], line.stage == .leaving {
            confined.value.lines[number]?.stage = .left
            // The adapter is still at work.
            let adapter = NIOLoopBound(line.adapter, eventLoop: loop)
            loop.execute { [weak self] in
                adapter.value.close()
                self?.closed(number)
            }
        }
        if confined.value.staying?.remove(number) != nil, confined.value.staying?.isEmpty == true { finished() }
    }

    /// A line that has left is closed.
    private func closed(_ number: Int) {
        guard let line = confined.value.lines[number], line.stage == .left else { return }
        confined.value.lines[number] = nil
        if confined.value.current[line.account] == number { confined.value.current[line.account] = nil }
        settleAll()
    }
}

extension LineConfiguration.Account {
    /// Whether the same server serves both accounts.
    fileprivate func isAtServer(of other: LineConfiguration.Account) -> Bool {
        server == other.server && domain == other.domain && verto == other.verto
    }
}
