import Base
import SIPCore

/// The addresses that a far end may have us call: only those of the account itself.
extension LineMachine {
    /// Whether an address is one of the account's own: in its domain, or at its server. The direct line has neither.
    /// Its own addresses are those at the hosts that may call it.
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

    /// The text that a person is asked about, or that a list of numbers is searched for. A number of our own is shown
    /// as the number. Any other address is shown as a whole, because its user part could be mistaken for such a number.
    /// A whole address is on no list.
    func shownTarget(_ address: URI) -> String {
        if isAtHome(address), let user = address.sip?.user, CallerIdentity.wholeNumber(of: address) == user {
            return user
        }
        return address.text.shown(bytes: CallerIdentity.addressLimit)
    }
}
