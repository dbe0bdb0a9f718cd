import Base

/// When a message was sent, in Greenwich time (RFC 3261 §20.17): `Sat, 13 Nov 2010 23:29:00 GMT`.
public struct SIPDate: SIPHeaderValue {
    /// Seconds since 1970-01-01 00:00:00, without leap seconds.
    public var secondsSince1970: Int64

    private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    /// The times whose year fits into four digits.
    private static let range: Range<Int64> = -62_167_219_200..<253_402_300_800

    /// - Parameter seconds: In the years 0 to 9999.
    public init(secondsSince1970 seconds: Int64) {
        precondition(Self.range.contains(seconds), "a year has four digits")
        secondsSince1970 = seconds
    }

    /// The day of the week is not checked against the date; any other zone than GMT is a fault (RFC 4475 §3.1.2.12).
    public init(from scanner: inout SIPScanner) throws(SIPParseError) {
        try scanner.expectName(among: Self.days)
        try scanner.expect(UInt8(ascii: ","))
        scanner.skipSpace()
        let day = Int(try scanner.digits(2, 1...31))
        scanner.skipSpace()
        let month = try scanner.expectName(among: Self.months) + 1
        scanner.skipSpace()
        let year = try scanner.digits(4, 0...9_999)
        scanner.skipSpace()
        let hour = try scanner.digits(2, 0...23)
        try scanner.expect(UInt8(ascii: ":"))
        let minute = try scanner.digits(2, 0...59)
        try scanner.expect(UInt8(ascii: ":"))
        // The second is 60 in a leap second.
        let second = try scanner.digits(2, 0...60)
        scanner.skipSpace()
        try scanner.expectName(among: ["GMT"])
        guard day <= Self.length(of: month, in: year) else { throw scanner.error(.number(maximum: 31)) }
        let date = Self.day(year: year, month: month, day: day)
        secondsSince1970 = ((date * 24 + hour) * 60 + minute) * 60 + second
    }

    public var text: String {
        let day = Self.floorDivide(secondsSince1970, 86_400)
        let second = Int(secondsSince1970 - day * 86_400)
        let (year, month, monthDay) = Self.calendar(day)
        let name = Self.days[Int(day - Self.floorDivide(day, 7) * 7)]
        let time = [second / 3_600, second / 60 % 60, second % 60].map { Self.padded($0, 2) }.joined(separator: ":")
        return "\(name), \(Self.padded(monthDay, 2)) \(Self.months[month - 1]) \(Self.padded(year, 4)) \(time) GMT"
    }
}

/// Converts dates of the Gregorian calendar in both directions, without a table. A year is counted from March, so that
/// the leap day is its last day.
extension SIPDate {
    /// Days since 1970-01-01.
    private static func day(year: Int64, month: Int, day: Int) -> Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let era = floorDivide(shifted, 400)
        let yearOfEra = shifted - era * 400
        let dayOfYear = Int64((153 * ((month + 9) % 12) + 2) / 5 + day - 1)
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private static func calendar(_ day: Int64) -> (year: Int, month: Int, day: Int) {
        let shifted = day + 719_468
        let era = floorDivide(shifted, 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = Int(dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100))
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = (monthFromMarch + 2) % 12 + 1
        return (
            Int(yearOfEra + era * 400) + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        )
    }

    private static func length(of month: Int, in year: Int64) -> Int {
        let next = month == 12 ? day(year: year + 1, month: 1, day: 1) : day(year: year, month: month + 1, day: 1)
        return Int(next - day(year: year, month: month, day: 1))
    }

    private static func floorDivide(_ number: Int64, _ divisor: Int64) -> Int64 {
        number >= 0 ? number / divisor : (number - divisor + 1) / divisor
    }

    private static func padded(_ number: Int, _ count: Int) -> String {
        String(repeating: "0", count: max(0, count - "\(number)".utf8.count)) + "\(number)"
    }
}

extension SIPScanner {
    /// Reads one of these words and returns its index.
    @discardableResult
    fileprivate mutating func expectName(among names: [String]) throws(SIPParseError) -> Int {
        let start = error(.token)
        let word = try token()
        guard let index = names.firstIndex(where: { $0.equalsIgnoringCase(word) }) else { throw start }
        return index
    }

    /// Reads a number of exactly `count` digits. A day of the month may have one digit less, because some peers omit
    /// the zero.
    fileprivate mutating func digits(_ count: Int, _ range: ClosedRange<Int64>) throws(SIPParseError) -> Int64 {
        let start = error(.number(maximum: UInt64(range.upperBound)))
        let limit = reach { $0.isDigit }
        let least = range.lowerBound == 1 ? 1 : count
        guard (least...count).contains(limit - offset) else { throw start }
        let number = Int64(try number(upTo: UInt64(range.upperBound)))
        guard range.contains(number) else { throw start }
        return number
    }
}

extension SIPHeaders {
    public var date: SIPDate? { get throws(SIPParseError) { try single(.date) } }
}
