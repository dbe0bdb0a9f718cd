import Base
import SIPCore

/// Checks the addresses that a far end may make us call: only those of the account itself.
extension LineMachine {
    /// Whether an address belongs to the account: in its domain, or at its server. On the direct line, the hosts that
    /// may call it count instead.
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

    /// The text for a question to a person, and for a search in a list of numbers. An address of the account is shown
    /// as its number. Any other address is shown as a whole, because its user part could look like such a number. A
    /// whole address matches no list.
    func shownTarget(_ address: URI) -> String {
        if isAtHome(address), let user = address.sip?.user, CallerIdentity.wholeNumber(of: address) == user {
            return user
        }
        return address.text.shown(bytes: CallerIdentity.addressLimit)
    }
}
