import Base
import SIPCore

/// Whom a far end may have us call: those whom the line is there to reach, and nobody else.
extension LineMachine {
    /// Whether an address is one of the account's own: of its domain, or of its server. The direct line, which has neither,
    /// is at home at the hosts that may call it.
    func isAtHome(_ address: URI) -> Bool {
        guard let host = address.sip?.host.lowercased() else { return false }
        if let account = configuration.account {
            let own = [account.domain, account.server.host] + (routing.home + registration.living).map(\.remote.host)
            return own.contains { $0.lowercased() == host }
        }
        switch configuration.accepts {
        case .anyone: return true
        case .listed(let hosts): return hosts.contains { $0.lowercased() == host }
        case .ownServerOnly: return false
        }
    }

    /// What a person is asked about, or a list of numbers. A number of our own is shown as such; of whatever could be
    /// mistaken for one the whole address is, which is on no list.
    func shownTarget(_ address: URI) -> String {
        if isAtHome(address), let user = address.sip?.user, CallerIdentity.wholeNumber(of: address) == user {
            return user
        }
        return address.text.shown(bytes: CallerIdentity.addressLimit)
    }
}
