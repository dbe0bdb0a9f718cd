import PhoneCore

extension PhoneLogLines {
    /// The line for a notice about the backend. No line contains a code.
    func backend(_ notice: Notice) -> Line? {
        switch notice {
        case .organisationSwitching(let organisation):
            told("organization: switching to \(Self.quoted(organisation.rawValue))")
        case .organisationSwitched(let organisation): told("organization: now \(Self.quoted(organisation.name))")
        case .organisationSwitchFailed(let failure):
            warned("organization: the switch failed and the former one stays: \(failure.sentence)")
        case .signInCode(let code): told("sign-in: a person has to enter the code at \(code.address)")
        case .signInFailed(let failure): warned("sign-in failed: \(failure.sentence)")
        case .signedIn(let user): told("signed in as \(Self.quoted(user.shown))")
        case .signedOut: told("signed out; the account of the sign-in is unregistered")
        case .signInNeeded(let need): warned("\(need.sentence); run `offhook ctl sign-in`")
        case .credentialsRenewed(let organisation):
            told("the credentials for \(Self.quoted(organisation.name)) were renewed")
        case .credentialsExpiring(let days):
            warned("the credentials expire in \(days) days and could not be renewed; run `offhook ctl sign-in`")
        default: nil
        }
    }

    private func told(_ text: String) -> Line { Line(isWarning: false, text: text) }
    private func warned(_ text: String) -> Line { Line(isWarning: true, text: text) }
}
