import Base

/// A change to another organisation that is under way. Until it ends, the former state still applies or can be
/// restored.
struct OrganisationSwitch: Equatable, Codable, Sendable {
    enum Cause: Equatable, Codable, Sendable {
        case call(CallID)
        case action(ActionID)
    }

    enum Step: Equatable, Codable, Sendable {
        /// The backend is asked.
        case asking(until: Instant)
        /// The vault is storing the new credentials.
        case storing(OrganisationContext, ticket: UInt32)
        /// The line is registering with them.
        case connecting(OrganisationContext)
    }

    let target: OrganisationID
    let cause: Cause
    let before: OrganisationContext
    var step: Step
    let until: Instant

    var due: Instant {
        switch step {
        case .asking(let answerBy): min(answerBy, until)
        case .storing, .connecting: until
        }
    }
}
