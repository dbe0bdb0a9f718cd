import PhoneCore

/// Some of the missed calls that nobody has seen, oldest first.
///
/// What they say was written by whoever called, and may be long: so no answer has all of them.
enum MissedPage {
    static let size = 20

    /// - Parameter before: The oldest call of the page before this one; nil for the newest.
    static func json(_ missed: [MissedCall], before: CallID?) -> JSONValue {
        let end = before.map { before in missed.firstIndex { $0.call == before } ?? 0 } ?? missed.count
        let page = missed[..<end].suffix(size)
        return ["missed": .array(page.map(\.json)), "more": .bool(page.startIndex > 0)]
    }
}
