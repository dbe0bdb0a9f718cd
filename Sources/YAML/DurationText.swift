/// Durations as people write them: `30 ms`, `4 s`, `2 min`.
enum DurationText {
    private static let units: [(name: String, length: Duration)] = [
        ("d", .seconds(86_400)), ("h", .seconds(3_600)), ("min", .seconds(60)), ("s", .seconds(1)),
        ("ms", .milliseconds(1)), ("us", .microseconds(1)),
    ]

    /// A whole number of at most nine digits, a unit, and any spaces between the two.
    static func parse(_ text: String) -> Duration? {
        let digits = text.prefix { ("0"..."9").contains($0) }
        let unit = text.dropFirst(digits.count).drop { $0 == " " }
        guard digits.utf8.count <= 9, let count = Int(digits),
            let length = units.first(where: { $0.name == unit })?.length
        else { return nil }
        return length * count
    }

    /// The duration in the largest unit that divides it.
    static func text(_ duration: Duration) -> String {
        guard duration != .zero else { return "0 ms" }
        for (name, length) in units {
            let count = Int64((duration / length).rounded())
            if length * count == duration { return "\(count) \(name)" }
        }
        return "\(duration)"
    }
}
