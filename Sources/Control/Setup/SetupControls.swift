import PhoneCore

/// The functions that set up the phone. Both are called on the control thread and do not block.
public struct SetupControls: Sendable {
    /// Takes a request with the phone's present state. Answers it once, with `Control.answer` and the same action.
    public var ask: @Sendable (ActionID, SetupRequest, PhoneSnapshot) -> Void
    /// Ends a trial whose client is gone.
    public var stop: @Sendable (ActionID) -> Void

    public init(
        ask: @escaping @Sendable (ActionID, SetupRequest, PhoneSnapshot) -> Void,
        stop: @escaping @Sendable (ActionID) -> Void
    ) {
        (self.ask, self.stop) = (ask, stop)
    }
}
