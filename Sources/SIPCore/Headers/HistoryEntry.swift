/// One target of a call on its path to us (RFC 7044 §5): `<sip:bob@b?Reason=SIP%3Bcause%3D302>;index=1.1`.
public struct HistoryEntry: SIPHeaderValue {
    public var address: NameAddress

    public init(_ address: NameAddress) { self.address = address }

    public init(from scanner: inout SIPScanner) throws(SIPParseError) { address = try NameAddress(from: &scanner) }

    /// The position in the tree of targets: 1.1 was derived from 1. Empty when it is absent or malformed.
    public var index: [Int] {
        let parts = (address.parameters["index"] ?? "").split(separator: ".", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { UInt16($0) }.map(Int.init)
        return numbers.count == parts.count ? numbers : []
    }

    /// Why the call was retargeted from here: the response of the target. It is in the URI (RFC 7044 §5).
    public var reason: Reason? {
        guard let text = address.uri.sip?.header(.reason) else { return nil }
        do throws(SIPParseError) { return try Reason(text) } catch { return nil }
    }

    /// Whether the entry is not to be shown (RFC 7044 §10.1.1).
    public var isPrivate: Bool {
        guard let text = address.uri.sip?.header(.privacy) else { return false }
        do throws(SIPParseError) { return try Privacy(text).values.contains("history") } catch { return true }
    }

    public var text: String { address.text }
}

extension SIPHeaders {
    public var history: [HistoryEntry] { get throws(SIPParseError) { try list(.historyInfo) } }
}
