import Base

/// The phone is changing to another organisation. Until its end everything is as before, or can be made so again.
struct OrganisationSwitch: Equatable, Codable, Sendable {
    enum Cause: Equatable, Codable, Sendable {
        case call(CallID)
        case action(ActionID)
    }

    enum Step: Equatable, Codable, Sendable {
        /// The backend is asked.
        case asking(until: Instant)
        /// The vault keeps the new credentials.
        case storing(OrganisationContext, ticket: UInt32)
        /// The line registers with them.
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
