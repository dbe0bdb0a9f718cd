/// Everything that the phone can cause outside itself. Effects return nothing; the answers are later events.
public enum PhoneEffect: Equatable, Codable, Sendable {
    case panel(PanelEffect)
    case line(LineEffect)
    case media(MediaEffect)
    case vault(VaultEffect)
    case callerInfo(CallerInfoEffect)
    case backend(BackendEffect)
    case control(ControlEffect)
    /// The new content of the display.
    case display(DisplayContent)
    /// Every call has ended and every line has its order to close. The program may stop when the lines are closed.
    case stopped
}
