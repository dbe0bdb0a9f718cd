import Control
import LineCore
import PhoneCore
import SIPCore

extension ControlSignal {
    /// Copies only the masked message, which has no secrets.
    init(_ trace: SignalTrace, _ account: AccountID) {
        let (local, remote) = (trace.flow.local, trace.flow.remote)
        let direction: Direction =
            switch trace.direction {
            case .sent: .sent
            case .received: .received
            }
        self.init(
            at: trace.at, account: account, direction: direction, transport: trace.flow.transport.rawValue,
            local: (local.host, local.port), remote: (remote.host, remote.port), message: trace.masked)
    }
}
