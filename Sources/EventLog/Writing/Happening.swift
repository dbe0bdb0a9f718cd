import Base
import PhoneCore

/// One step of the phone, as the control thread passes it on. Its copies share their storage with the originals.
///
/// It contains the machine before the step, so that an event log may begin with any step.
public struct Happening: Sendable {
    public let machine: PhoneMachine
    public let event: PhoneEvent
    public let at: Instant
    public let effects: [PhoneEffect]

    public init(before machine: PhoneMachine, _ event: PhoneEvent, at: Instant, effects: [PhoneEffect]) {
        self.machine = machine
        self.event = event
        self.at = at
        self.effects = effects
    }
}
