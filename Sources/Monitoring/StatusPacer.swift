import Base

/// Passes a text on when it changes, at most once a second, but always the last one.
public struct StatusPacer: Sendable {
    private static let pause = Duration.seconds(1)

    private var shown: String?
    private var showed: Instant?
    private var waiting: String?

    public init() {}

    /// When to call `handle` again at the latest.
    public var deadline: Instant? { waiting == nil ? nil : showed.map { $0 + Self.pause } }

    /// - Parameter text: The current text.
    /// - Returns: A text to show now.
    public mutating func handle(_ text: String, at now: Instant) -> String? {
        guard text != shown else {
            waiting = nil
            return nil
        }
        if let showed, now < showed + Self.pause {
            waiting = text
            return nil
        }
        (shown, showed, waiting) = (text, now, nil)
        return text
    }
}
