import Base
import PhoneCore
import PhoneJudges

extension PhoneJudge {
    /// What this event broke; nil when all is well. The machine is woken at its own deadline.
    mutating func violation(
        _ event: PhoneEvent, at now: Instant, _ effects: [PhoneEffect], _ machine: PhoneMachine
    ) -> Violation? {
        do throws(Violation) {
            try check(event, at: now, effects, machine, deadline: machine.deadline)
            return nil
        } catch {
            return error
        }
    }
}
