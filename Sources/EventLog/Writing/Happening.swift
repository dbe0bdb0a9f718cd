import Base
import PhoneCore

/// One step of the phone, as the control thread hands it over: copies that share their storage with the originals.
///
/// It carries the machine as it was before, so that a recording may begin with any step and needs no way to ask.
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
