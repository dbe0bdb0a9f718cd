import Base
import PhoneCore

extension PhoneFigures {
    /// The longest label to show in full.
    private static let longestLabel = 32

    /// The state of the phone in a few words, for a service manager. It names accounts, but no callers.
    public func status(names: LineNames) -> String {
        ([activity] + lines(names) + faultWords).joined(separator: ", ")
    }

    private var activity: String {
        guard !calls.isEmpty else { return "idle" }
        let ringing = calls.values.count { $0.phase == .ringingIn }
        let rings = ringing > 0 ? " (\(ringing) \(ringing == 1 ? "rings" : "ring"))" : ""
        return Self.count(calls.count, "call") + rings
    }

    private func lines(_ names: LineNames) -> [String] {
        let accounts = registrations.sorted { $0.key.rawValue < $1.key.rawValue }
        let registered = accounts.filter { $0.value == .registered }.map { Self.shown(names[$0.key]) }
        let unregistered = accounts.filter { !$0.value.isReady }.map { Self.shown(names[$0.key]) }
        var words: [String] = []
        if registered.count == 1 { words.append("registered as \(registered[0])") }
        if registered.count > 1 { words.append("\(registered.count) lines registered") }
        if unregistered.count == 1 { words.append("\(unregistered[0]) is not registered") }
        if unregistered.count > 1 { words.append("\(unregistered.count) lines are not registered") }
        return words
    }

    private var faultWords: [String] {
        var words: [String] = []
        if network == .disconnected { words.append("no network") }
        if unseenMissedCalls > 0 { words.append("\(unseenMissedCalls) missed") }
        return words
    }

    private static func count(_ number: Int, _ word: String) -> String { "\(number) \(word)\(number == 1 ? "" : "s")" }

    /// A label is a person's text. It must not add lines, which are assignments to a service manager, and must not be
    /// long.
    private static func shown(_ label: String) -> String {
        let clean = String(label.unicodeScalars.map { $0.properties.generalCategory == .control ? "?" : Character($0) })
        return clean.count <= longestLabel ? clean : clean.prefix(longestLabel - 1) + "…"
    }
}

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
