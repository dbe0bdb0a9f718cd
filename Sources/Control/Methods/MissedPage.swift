import JSON
import PhoneCore

/// A page of the missed calls that no person has seen, oldest first.
///
/// No answer has all of them, because their texts come from callers and may be long.
enum MissedPage {
    static let size = 20

    /// - Parameter before: The oldest call of the client's previous page; nil for the newest page.
    static func json(_ missed: [MissedCall], before: CallID?) -> JSONValue {
        let end = before.map { before in missed.firstIndex { $0.call == before } ?? 0 } ?? missed.count
        let page = missed[..<end].suffix(size)
        return ["missed": .array(page.map(\.json)), "more": .bool(page.startIndex > 0)]
    }
}
