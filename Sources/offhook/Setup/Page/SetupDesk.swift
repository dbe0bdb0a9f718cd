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
final class SetupDesk: Sendable {
    typealias Answer = Result<JSONValue, RPCError>

    /// The parts of the phone that setup uses.
    struct Means: Sendable {
        let settings: Settings
        let board: PanelDescription
        let accounts: AccountDesk
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
