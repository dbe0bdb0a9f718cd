import Control
import JSON
import NIOCore
import PhoneCore
import Platform
import Synchronization
import Vault

/// Sets a running phone up for programs that ask by the control interface, as `offhook setup` does at a terminal: it
/// tells what is done, tries devices and accounts for real, keeps an account that was tried, and writes files.
///
/// A look and a trial have a thread while they last. There is one of either at a time, and a trial ends when nobody
/// waits for it any longer, or when the phone needs its sound devices.
final class SetupDesk: Sendable {
    typealias Answer = Result<JSONValue, RPCError>

    /// What it uses of the phone.
    struct Means: Sendable {
        let settings: Settings
        let board: PanelDescription
        /// The accounts with which the phone was started.
        let accounts: [StoredAccount]
        let loop: any EventLoop
        /// Keeps an account, and answers from any thread.
        let keep: @Sendable (Account, @escaping @Sendable (Result<AccountID, VaultError>) -> Void) -> Void
        /// Called on the loop.
        let answer: @Sendable (ActionID, Answer) -> Void
        /// Nil: this phone is not started again from here.
        let restart: (@Sendable () -> Void)?
    }

    /// The words of `getSetup`.
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
        /// The requests that wait for the look that is under way.
        var lookers: [ActionID] = []
        var lookThread: NamedThread?
        var trials: Int64 = 0
        /// The account that was tried last, until it is kept or forgotten.
        var tried: TriedAccount?
        /// What was kept since the start, without the password.
        var added: [Account] = []
        var plans: Int64 = 0
        /// What was planned last, until it is written or forgotten.
        var plan: NumberedPlan?
        /// Whether files were written since the start.
        var hasWritten = false
    }

    let means: Means
    let state = Mutex(State())

    init(_ means: Means) { self.means = means }

    /// Does what a request asks; called on the control loop.
    func ask(_ action: ActionID, _ request: SetupRequest, _ snapshot: PhoneSnapshot) {
        do throws(RPCError) {
            switch request {
            case .look: try look(for: action, snapshot)
            case .tryDevice(let route, let part, let device):
                try tryDevice(route, part, on: device, for: action, snapshot)
            case .tryRinger(let device): try tryRinger(on: device, for: action, snapshot)
            case .tryAccount(let draft): try tryAccount(draft, for: action)
            case .addAccount(let trial): try keep(trial, for: action)
            case .plan(let choices): try plan(choices, for: action)
            case .write(let plan): try write(plan, for: action)
            case .restart: try restart(for: action, snapshot)
            }
        } catch {
            answer(action, .failure(error))
        }
    }

    /// Nobody waits for this answer any longer.
    func stop(_ action: ActionID) { stopTrial { $0.action == action } }

    /// The phone is about to use its sound devices, which a trial may hold.
    func giveWay(to effect: MediaEffect) {
        switch effect {
        case .open, .activate, .tone(.some), .ring(.some), .keyClick: stopTrial { $0.kind == .sound }
        default: break
        }
    }

    /// The phone is about to end, and so is what is being tried. A thread that waits for a server is not waited for: it
    /// ends with the program. From any thread.
    func close() {
        state.withLock { $0.isClosed = true }
        stopTrial { _ in true }
    }

    /// Answers a request, from any thread. After `close` there is no loop that could answer.
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
