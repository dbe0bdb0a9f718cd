/// The properties that all event logs share. `docs/dev/event-log.md` describes the file.
public enum EventLogFormat {
    /// Raised whenever older programs could not read the new format.
    public static let version = 1
    /// The longest line in bytes, without its end. No writer produces a longer one, and no reader accepts one.
    public static let longestLine = 1 << 20
    /// The bytes at the beginning of an event log of any version.
    public static let opening = Array("{\"format\":\"\(name)".utf8)

    /// The latest time: within 146 years of the clock's origin, so that adding a wait to a time never overflows.
    static let latest: Int64 = 1 << 62

    static let name = "offhook recording "
    static var title: String { name + "\(version)" }

    /// The version in a title; nil if it is not a title of an event log.
    static func version(in title: String) -> Int? {
        title.hasPrefix(name) ? Int(title.dropFirst(name.count)) : nil
    }
}
