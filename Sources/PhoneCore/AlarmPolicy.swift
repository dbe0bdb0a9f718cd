/// The targets that the phone calls when an input of the board becomes active: a case that was opened, a door.
///
/// The call is hands-free. Each activation of the input places one call, and only while there is no other call.
public struct AlarmPolicy: Equatable, Codable, Sendable {
    /// The targets, tried in turn, with the account and the hours.
    public var dial: SpeedDial
    /// How long the call may wait for the end of another call, or for its line. Then it is given up.
    public var wait: Duration
    /// The shortest time between two calls of this alarm, so that a loose contact does not call all day.
    public var pause: Duration

    public static let usualWait = Duration.seconds(300)
    public static let usualPause = Duration.seconds(300)

    /// - Precondition: times that are positive.
    public init(_ dial: SpeedDial, wait: Duration = usualWait, pause: Duration = usualPause) {
        precondition(wait > .zero && pause > .zero, "an alarm's times are positive")
        (self.dial, self.wait, self.pause) = (dial, wait, pause)
    }
}
