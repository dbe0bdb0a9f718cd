/// Everything that can happen to a phone. One queue, one order.
public enum PhoneEvent: Equatable, Codable, Sendable {
    case panel(PanelEvent)
    case line(LineEvent)
    case media(MediaEvent)
    case vault(VaultEvent)
    case network(NetworkEvent)
    case callerInfo(CallerInfoEvent)
    case backend(BackendEvent)
    case request(ActionID, Request)
    /// What the clock on the wall says: at the start, and whenever the minute changes or the clock is set.
    case clock(WeekTime)
    /// The machine's deadline may have passed; a stale one changes nothing.
    case deadline
    /// End calls politely and stop.
    case shutDown
}
