import Base
import PhoneCore
import PhoneJudges

extension PhoneJudge {
    /// The rule that this event broke; nil if all hold. The machine is woken at its deadline.
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
