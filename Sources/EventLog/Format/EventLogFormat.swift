/// What all recordings have in common. `docs/recording.md` describes the file.
public enum EventLogFormat {
    /// Raised whenever a program of before could not read what is written now.
    public static let version = 1
    /// The longest line in bytes, its end not counted: no writer makes a longer one, no reader takes one.
    public static let longestLine = 1 << 20
    /// The bytes with which a recording of any version begins.
    public static let opening = Array("{\"format\":\"\(name)".utf8)

    /// Times are within 146 years of the clock's origin, so that adding a wait to one never overflows.
    static let latest: Int64 = 1 << 62

    static let name = "offhook recording "
    static var title: String { name + "\(version)" }

    /// The version that a title names; nil when it is no title of a recording.
    static func version(in title: String) -> Int? {
        title.hasPrefix(name) ? Int(title.dropFirst(name.count)) : nil
    }
}
