extension Int64 {
    /// Seconds since 1970 of a time such as `2026-11-28T06:40:19.5+01:00` (RFC 3339 §5.6). Fractions are cut off.
    ///
    /// Nil for years before 1970, for days that a month does not have, and for everything else that is not such a time.
    package init?(rfc3339 text: String) {
        let bytes = Array(text.utf8)
        func number(_ start: Int, _ count: Int) -> Int64? {
            guard bytes.count >= start + count else { return nil }
            var number: Int64 = 0
            for byte in bytes[start..<start + count] {
                guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
                number = number * 10 + Int64(byte - UInt8(ascii: "0"))
            }
            return number
        }
        func isMark(_ place: Int, _ marks: String) -> Bool { bytes.count > place && marks.utf8.contains(bytes[place]) }
        guard let year = number(0, 4), isMark(4, "-"), let month = number(5, 2), isMark(7, "-"),
            let day = number(8, 2), isMark(10, "Tt "), let hour = number(11, 2), isMark(13, ":"),
            let minute = number(14, 2), isMark(16, ":"), let second = number(17, 2)
        else { return nil }
        guard year >= 1970, (1...12).contains(month), (1...Self.days(of: month, year)).contains(day), hour < 24,
            minute < 60, second <= 60
        else { return nil }
        var place = 19
        if isMark(place, ".") {
            place += 1
            let digits = bytes[place...].prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            guard !digits.isEmpty else { return nil }
            place += digits.count
        }
        var offset: Int64 = 0
        if isMark(place, "Zz") {
            place += 1
        } else {
            guard isMark(place, "+-"), let hours = number(place + 1, 2), isMark(place + 3, ":"),
                let minutes = number(place + 4, 2), hours < 24, minutes < 60
            else { return nil }
            offset = (hours * 60 + minutes) * (bytes[place] == UInt8(ascii: "-") ? -60 : 60)
            place += 6
        }
        guard place == bytes.count else { return nil }
        self = (Self.days(before: year, month) + day - 1) * 86_400 + hour * 3_600 + minute * 60 + second - offset
        if self < 0 { return nil }
    }

    private static func isLeap(_ year: Int64) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

    private static func days(of month: Int64, _ year: Int64) -> Int64 {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// The days from 1970 to the first day of a month.
    private static func days(before year: Int64, _ month: Int64) -> Int64 {
        let past = year - 1
        let years = 365 * (year - 1970) + (past / 4 - past / 100 + past / 400) - (1969 / 4 - 1969 / 100 + 1969 / 400)
        return (1..<month).reduce(years) { $0 + days(of: $1, year) }
    }
}
