/// Whether a REFER makes a subscription that reports its progress (RFC 4488 §4).
public struct ReferSub: SIPHeaderValue {
    public var isWanted: Bool
    public var parameters = SIPParameters()

    public init(_ isWanted: Bool) { self.isWanted = isWanted }

    public init(from scanner: inout SIPScanner) throws(SIPParseError) {
        let start = scanner.error(.token)
        switch try scanner.token().asciiLowercased {
        case "true": isWanted = true
        case "false": isWanted = false
        default: throw start
        }
        parameters = try scanner.headerParameters()
    }

    public var text: String { "\(isWanted)" + parameters.text(separator: ";") }
}

extension SIPHeaders {
    public var referSub: ReferSub? { get throws(SIPParseError) { try single(.referSub) } }
}

/// A part of a SIP message that is carried as a body (RFC 3420). It reports the progress of a call that one peer has
/// asked the other to make (RFC 3515 §2.4.5).
///
/// Only the status line is read. Headers after it are ignored.
public struct SIPFragment: Equatable, Sendable {
    public var status: SIPStatus
    public var phrase: String

    /// - Parameter phrase: Nil means the status' own phrase.
    public init(_ status: SIPStatus, phrase: String? = nil) {
        (self.status, self.phrase) = (status, (phrase ?? status.phrase).onOneLine)
    }

    /// Reads a body of type `MediaType.sipFragment`. Its first line is the status line, with or without a line break.
    public init(_ body: [UInt8]) throws(SIPParseError) {
        let line = body.drop { $0 == .cr || $0 == .lf }.prefix { $0 != .cr && $0 != .lf }
        guard line.count <= SIPLimits.line else {
            throw SIPParseError(.tooLong(limit: SIPLimits.line), at: SIPLimits.line)
        }
        let message = line + [.cr, .lf, .cr, .lf]
        switch try SIPMessage(Array(message).span) {
        case .response(let response): self.init(response.status, phrase: response.phrase)
        case .request: throw SIPParseError(.startLine, at: 0)
        }
    }

    public var bytes: [UInt8] { Array("SIP/2.0 \(status.code) \(phrase)\r\n".utf8) }
}

extension MediaType {
    /// `message/sipfrag;version=2.0` (RFC 3420 §6.1).
    public static let sipFragment: MediaType = {
        var type = MediaType(name: "message/sipfrag")
        type.parameters["version"] = "2.0"
        return type
    }()
}

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
