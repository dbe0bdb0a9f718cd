import Control
import PhoneCore
import Platform
import Synchronization

extension SetupDesk {
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
