import Control
import JSON
import NIOCore
import PhoneCore
import Platform
import Synchronization
import Vault

/// Sets up a running phone for programs at the control interface, as `offhook setup` does at a terminal. It reports the
/// present state, tries devices and accounts for real, adds, changes and removes accounts, and writes files.
///
/// An inspection and a trial each run on a temporary thread. There is at most one of each. A trial ends early when its
/// client is gone, or when the phone needs its sound devices.
final class PageSetup: Sendable {
    typealias Answer = Result<JSONValue, RPCError>

    /// The parts of the phone that setup uses.
    struct Means: Sendable {
        let settings: Settings
        let board: PanelDescription
        let accounts: AccountChanges
        let loop: any EventLoop
        /// Called on the loop.
        let answer: @Sendable (ActionID, Answer) -> Void
        /// Nil: this phone cannot restart itself.
        let restart: (@Sendable () -> Void)?
        /// Reads the configuration again. Blocks for the disk.
        let reload: @Sendable () -> Reloader.Outcome
    }

    /// The kinds of trials, as `getSetup` names them.
    enum TrialKind: String { case sound, account, files }

    struct Trial: Sendable {
        let action: ActionID
        let kind: TrialKind
        let stop: TrialStop
    }

    struct NumberedPlan: Sendable {
        let number: Int64
        let plan: SetupPlan
    }

    struct State: Sendable {
        var isClosed = false
        var trial: Trial?
        var trialThread: NamedThread?
        /// The requests that wait for the running inspection.
        var lookers: [ActionID] = []
        var lookThread: NamedThread?
        var trials: Int64 = 0
        /// The last tried account, until it is added or expires.
        var tried: TriedAccount?
        var plans: Int64 = 0
        /// The last plan, until it is written or expires.
        var plan: NumberedPlan?
        /// Whether files were written since the start.
        var hasWritten = false
    }

    let means: Means
    let state = Mutex(State())

    init(_ means: Means) { self.means = means }

    /// Carries out a request. Called on the control loop.
    func ask(_ action: ActionID, _ request: SetupRequest, _ snapshot: PhoneSnapshot) {
        do throws(RPCError) {
            switch request {
            case .look: try look(for: action, snapshot)
            case .tryDevice(let route, let part, let device):
                try tryDevice(route, part, on: device, for: action, snapshot)
            case .tryRinger(let device): try tryRinger(on: device, for: action, snapshot)
            case .tryAccount(let draft): try tryAccount(draft, for: action)
            case .addTried(let trial): try addTried(trial, for: action)
            case .addAccount(let draft): try add(draft, for: action)
            case .changeAccount(let account, let draft): try change(account, draft, for: action)
            case .removeAccount(let account): remove(account, for: action)
            case .plan(let choices): try plan(choices, for: action)
            case .write(let plan): try write(plan, for: action)
            case .restart: try restart(for: action, snapshot)
            case .reload: try begin(action, .files) { [means] _ in means.reload().answer }
            }
        } catch {
            answer(action, .failure(error))
        }
    }

    /// Ends a trial whose client is gone.
    func stop(_ action: ActionID) { stopTrial { $0.action == action } }

    /// Ends a sound trial when the phone is about to use its devices.
    func giveWay(to effect: MediaEffect) {
        switch effect {
        case .open, .activate, .tone(.some), .ring(.some), .keyClick: stopTrial { $0.kind == .sound }
        default: break
        }
    }

    /// Ends a running trial before the phone ends. Does not wait for a thread that still waits for a server, because
    /// the thread ends with the program. From any thread.
    func close() {
        state.withLock { $0.isClosed = true }
        stopTrial { _ in true }
    }

    /// Answers a request, from any thread. After `close` there is no loop for the answer.
    func answer(_ action: ActionID, _ answer: Answer) {
        state.withLock { [means] state in
            guard !state.isClosed else { return }
            means.loop.execute { means.answer(action, answer) }
        }
    }

    private func stopTrial(_ isMeant: (Trial) -> Bool) {
        let trial = state.withLock { $0.trial }
        if let trial, isMeant(trial) { trial.stop.stop() }
    }
}

extension PageSetup {
    /// Inspects the machine and the files. Requests during an inspection get the same answer.
    func look(for action: ActionID, _ snapshot: PhoneSnapshot) throws(RPCError) {
        let failure: SystemFailure? = state.withLock { state in
            state.lookers.append(action)
            guard state.lookers.count == 1 else { return nil }
            let former = state.lookThread
            do throws(SystemFailure) {
                state.lookThread = try NamedThread(.setup) { [self] in
                    // The former thread has already finished its work, so this does not block for long.
                    former?.join()
                    report(snapshot)
                }
                return nil
            } catch {
                state.lookers = []
                return error
            }
        }
        if let failure { throw RPCError(.noRoom, "\(failure)") }
    }

    private func report(_ snapshot: PhoneSnapshot) {
        let machine = SetupReport.Machine()
        let (lookers, report) = state.withLock { [means] state in
            defer { state.lookers = [] }
            let report = SetupReport(
                settings: means.settings, board: means.board, accounts: means.accounts.accounts,
                accountOfSignIn: means.accounts.accountOfSignIn, tried: state.tried, trying: state.trial?.kind.rawValue,
                hasWritten: state.hasWritten)
            return (state.lookers, report)
        }
        let answer = report.json(machine, snapshot)
        for looker in lookers { self.answer(looker, .success(answer)) }
    }
}

/// Adds, changes and removes accounts while the phone runs.
extension PageSetup {
    func labels() -> [String] { means.accounts.accounts.map(\.account.label) }

    func newAccount(_ draft: AccountDraft) throws(RPCError) -> Account {
        do throws(AccountRefusal) {
            return try draft.account(beside: labels())
        } catch {
            throw RPCError(.invalidParams, error.description)
        }
    }

    /// Adds the tried account, whatever the verdict was.
    func addTried(_ number: Int64, for action: ActionID) throws(RPCError) {
        guard let tried = state.withLock({ $0.tried }), tried.number == number else {
            throw RPCError(.noSuchTrial, "there is no account of this trial any more; try it again")
        }
        means.accounts.add(tried.account) { [self] result in
            if case .success = result { forget(number) }
            answer(action, result.answer(["label": .string(tried.account.label)]))
        }
    }

    func add(_ draft: AccountDraft, for action: ActionID) throws(RPCError) {
        let account = try newAccount(draft)
        means.accounts.add(account) { [self] in
            answer(action, $0.answer(["label": .string(account.label)]))
        }
    }

    func change(_ id: AccountID, _ draft: AccountDraft, for action: ActionID) throws(RPCError) {
        let all = means.accounts.accounts
        guard let present = all.first(where: { $0.id == id }) else { throw .refused(.unknown) }
        let account: Account
        do throws(AccountRefusal) {
            let others = all.filter { $0.id != id }
            account = try draft.account(changing: present.account, beside: others.map(\.account.label))
        } catch {
            throw RPCError(.invalidParams, error.description)
        }
        means.accounts.change(id, to: account) { [self] in
            answer(action, $0.answer(["label": .string(account.label)]))
        }
    }

    func remove(_ id: AccountID, for action: ActionID) {
        means.accounts.remove(id) { [self] in answer(action, $0.answer([:])) }
    }
}

extension Result<[StoredAccount], AccountChanges.Refusal> {
    /// - Parameter value: The answer to a client after a success.
    fileprivate func answer(_ value: JSONValue) -> PageSetup.Answer {
        map { _ in value }.mapError(RPCError.refused)
    }
}

extension RPCError {
    fileprivate static func refused(_ refusal: AccountChanges.Refusal) -> RPCError {
        let word: ErrorWord =
            switch refusal {
            case .busy: .busy
            case .inCall: .inCall
            case .unknown: .invalidParams
            case .inUse, .isOfSignIn: .accountInUse
            case .notKept: .notKept
            }
        return RPCError(word, "\(refusal)")
    }
}
