/// Everything the phone can do to the world. Effects return nothing; their answers are later events.
public enum PhoneEffect: Equatable, Codable, Sendable {
    case panel(PanelEffect)
    case line(LineEffect)
    case media(MediaEffect)
    case vault(VaultEffect)
    case backend(BackendEffect)
    case control(ControlEffect)
    /// Every call has ended and every line is told to close: the program may stop once the lines have left.
    case stopped
}
