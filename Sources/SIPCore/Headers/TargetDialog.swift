/// A dialog that the sender of a request knows, which shows that it may send the request (RFC 4538 §7). It is named
/// from the receiver's side.
public struct TargetDialog: SIPHeaderValue {
    public var callID: String
    /// The receiver's tag.
    public var localTag: String
    /// The other end's tag.
    public var remoteTag: String

    /// Names one of our dialogs to the peer that we share it with.
    public init(_ dialog: Dialog.ID) {
        (callID, localTag, remoteTag) = (dialog.callID, dialog.remoteTag, dialog.localTag)
    }

    public init(from scanner: inout SIPScanner) throws(SIPParseError) {
        callID = try scanner.callIDBeforeParameters()
        let parameters = try scanner.headerParameters()
        guard let localTag = try scanner.tag("local-tag", of: parameters),
            let remoteTag = try scanner.tag("remote-tag", of: parameters)
        else { throw scanner.error(.missing) }
        (self.localTag, self.remoteTag) = (localTag, remoteTag)
    }

    /// Whether this names our given dialog. The tags may be in either order. A peer that writes them from its own side
    /// knows them, too, and only that knowledge counts (RFC 4538 §4).
    public func names(_ dialog: Dialog.ID) -> Bool {
        let tags = [localTag, remoteTag]
        return callID == dialog.callID
            && (tags == [dialog.localTag, dialog.remoteTag] || tags == [dialog.remoteTag, dialog.localTag])
    }

    public var text: String { "\(callID);local-tag=\(localTag);remote-tag=\(remoteTag)" }
}

extension SIPHeaders {
    public var targetDialog: TargetDialog? { get throws(SIPParseError) { try single(.targetDialog) } }
}
