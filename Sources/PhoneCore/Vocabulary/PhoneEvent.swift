/// Everything that can happen to a phone. All events come from one queue, in one order.
public enum PhoneEvent: Equatable, Codable, Sendable {
    case panel(PanelEvent)
    case line(LineEvent)
    case media(MediaEvent)
    case vault(VaultEvent)
    case network(NetworkEvent)
    case callerInfo(CallerInfoEvent)
    case backend(BackendEvent)
    case request(ActionID, Request)
    /// The local time of the week: at the start, and whenever the minute changes or the clock is set.
    case clock(WeekTime)
    /// The integrator changed the configuration. Nothing that an adapter does at its start may differ.
    indirect case policyChanged(PhonePolicy)
    /// The machine's deadline may have passed; a stale one changes nothing.
    case deadline
    /// End all calls by signalling and stop.
    case shutDown
}
