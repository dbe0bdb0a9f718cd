/// The dialog that a new call replaces (RFC 3891 §6.1), named from the receiver's side: the receiver's own tag is the
/// To tag.
public struct Replaces: SIPHeaderValue {
    public var callID: String
    /// The receiver's tag.
    public var toTag: String
    /// The tag of the receiver's peer.
    public var fromTag: String
    /// Whether only a call that is not yet answered is to be replaced.
    public var isEarlyOnly: Bool

    public init(callID: String, toTag: String, fromTag: String, isEarlyOnly: Bool = false) {
        (self.callID, self.toTag, self.fromTag, self.isEarlyOnly) = (callID, toTag, fromTag, isEarlyOnly)
    }

    /// Names one of our dialogs to the peer that we share it with (RFC 3891 §4).
    public init(_ dialog: Dialog.ID, isEarlyOnly: Bool = false) {
        self.init(
            callID: dialog.callID, toTag: Self.tag(dialog.remoteTag), fromTag: Self.tag(dialog.localTag),
            isEarlyOnly: isEarlyOnly)
    }

    /// There must be exactly one of each tag, else the header names no dialog (RFC 3891 §3).
    public init(from scanner: inout SIPScanner) throws(SIPParseError) {
        callID = try scanner.callIDBeforeParameters()
        let parameters = try scanner.headerParameters()
        guard let toTag = try scanner.tag("to-tag", of: parameters),
            let fromTag = try scanner.tag("from-tag", of: parameters)
        else { throw scanner.error(.missing) }
        (self.toTag, self.fromTag, isEarlyOnly) = (toTag, fromTag, parameters.contains("early-only"))
    }

    /// Whether this names our given dialog. A tag of `0` also means the missing tag of a peer of RFC 2543 (RFC 3891
    /// §3).
    public func names(_ dialog: Dialog.ID) -> Bool {
        callID == dialog.callID && toTag == Self.tag(dialog.localTag) && fromTag == Self.tag(dialog.remoteTag)
    }

    public var text: String {
        "\(callID);to-tag=\(toTag);from-tag=\(fromTag)" + (isEarlyOnly ? ";early-only" : "")
    }

    private static func tag(_ tag: String) -> String { tag.isEmpty ? "0" : tag }
}

extension SIPScanner {
    /// `callid` of RFC 3261 §25.1. It may contain every visible character, but ends where parameters begin.
    mutating func callIDBeforeParameters() throws(SIPParseError) -> String {
        let callID = text { $0.isVisible && $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: ",") }
        guard !callID.isEmpty else { throw error(.token) }
        return callID
    }

    /// A parameter that may not be repeated: two tags would name two dialogs.
    func tag(_ name: String, of parameters: SIPParameters) throws(SIPParseError) -> String? {
        guard parameters.all.count(where: { $0.name.equalsIgnoringCase(name) }) <= 1 else { throw error(.repeated) }
        guard let tag = parameters[name] else { return nil }
        guard !tag.isEmpty, tag.utf8.allSatisfy({ $0.isToken }) else { throw error(.token) }
        return tag
    }
}

extension SIPHeaders {
    public var replaces: Replaces? { get throws(SIPParseError) { try single(.replaces) } }
}
