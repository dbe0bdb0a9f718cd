/// The time of headers such as `Date` (RFC 9110 §5.6.7, IMF-fixdate). The obsolete forms are not read.
public enum HTTPDate {
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// - Parameter text: `Sun, 06 Nov 1994 08:49:37 GMT`. The name of the day is not checked.
    /// - Returns: Seconds since 1970, UTC; nil for every other text.
    public static func seconds(_ text: String) -> Int64? {
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        guard text.utf8.count == 29, words.count == 6, words[0].hasSuffix(","), words[5] == "GMT",
            let day = number(words[1], 2), let month = months.firstIndex(of: String(words[2])),
            let year = number(words[3], 4)
        else { return nil }
        let time = words[4].split(separator: ":", omittingEmptySubsequences: false)
        guard time.count == 3, let hour = number(time[0], 2), let minute = number(time[1], 2),
            let second = number(time[2], 2), (1...31).contains(day), year >= 1970, hour < 24, minute < 60, second <= 60
        else { return nil }
        return days(year, Int64(month), day) * 86_400 + hour * 3_600 + minute * 60 + second
    }

    private static func number(_ text: Substring, _ digits: Int) -> Int64? {
        guard text.utf8.count == digits, text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return nil }
        return Int64(text)
    }

    /// Days from 1970-01-01 to a date. Years begin in March, so that a leap day is the last day of its year.
    /// - Parameter month: 0 is January.
    private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let fromMarch = (month + 10) % 12
        let year = fromMarch >= 10 ? year - 1 : year
        let leaps = year / 4 - year / 100 + year / 400
        // 719,468 days lie between 0000-03-01 and 1970-01-01.
        return year * 365 + leaps + (153 * fromMarch + 2) / 5 + day - 1 - 719_468
    }
}
