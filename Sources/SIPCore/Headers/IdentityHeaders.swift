/// The headers of extensions that are addresses, or lists of them.
extension SIPHeaders {
    /// The address that the receiver of a REFER is to call (RFC 3515 §2.1). More than one is a fault.
    public var referTo: NameAddress? { get throws(SIPParseError) { try single(.referTo) } }
    /// The party that asked for the call (RFC 3892 §3). It is only claimed, not proven.
    public var referredBy: NameAddress? { get throws(SIPParseError) { try single(.referredBy) } }
    /// The route of requests to the account's server from now on, nearest first (RFC 3608 §5).
    public var serviceRoutes: [NameAddress] { get throws(SIPParseError) { try wholeList(.serviceRoute) } }
    /// The proxies between the registrar and us (RFC 3327 §5).
    public var path: [NameAddress] { get throws(SIPParseError) { try wholeList(.path) } }
    /// The caller's identity as the network asserts it: at most a SIP and a telephone URI (RFC 3325 §9.1).
    public var assertedIdentities: [NameAddress] { get throws(SIPParseError) { try list(.pAssertedIdentity) } }
    /// The identity that the caller wishes to be shown (RFC 3325 §9.2).
    public var preferredIdentities: [NameAddress] { get throws(SIPParseError) { try list(.pPreferredIdentity) } }
    /// Our address that was called (RFC 7315 §4.2).
    public var calledParty: NameAddress? { get throws(SIPParseError) { try single(.pCalledPartyID) } }
    /// The seconds within which the server expects our next message (RFC 5626 §4.4.1, §10).
    public var flowTimer: UInt32? {
        get throws(SIPParseError) { try first(.flowTimer, as: SIPNumber.self)?.value }
    }
    /// Information about the caller: pictures, web pages, and additions of PBXs (RFC 3261 §20.9).
    public var callInfos: [LooseValue] { get throws(SIPParseError) { try list(.callInfo) } }
    /// The ringing that the caller asks for (RFC 3261 §20.4).
    public var alertInfos: [LooseValue] { get throws(SIPParseError) { try list(.alertInfo) } }
}

/// The identity of one party of a call. Older networks use this header instead of P-Asserted-Identity
/// (draft-ietf-sip-privacy-04 §6).
public struct RemotePartyID: SIPHeaderValue {
    /// The party with this identity.
    public enum Party: String, Hashable, Sendable { case calling, called }

    public var address: NameAddress

    public init(_ address: NameAddress) { self.address = address }

    public init(from scanner: inout SIPScanner) throws(SIPParseError) { address = try NameAddress(from: &scanner) }

    /// Nil means the sender of the message.
    public var party: Party? { address.parameters["party"].flatMap { Party(rawValue: $0.asciiLowercased) } }
    /// Whether the network checked the identity.
    public var isScreened: Bool { address.parameters["screen"]?.equalsIgnoringCase("yes") ?? false }
    /// Whether the identity is not to be shown: any privacy except `off`.
    public var isPrivate: Bool { address.parameters["privacy"].map { !$0.equalsIgnoringCase("off") } ?? false }

    public var text: String { address.text }
}

extension SIPHeaders {
    public var remoteParties: [RemotePartyID] { get throws(SIPParseError) { try list(.remotePartyID) } }
}

/// The data that a caller wants to keep private (RFC 3323 §4.2, RFC 3325 §9.3): `id;critical`.
public struct Privacy: SIPHeaderValue {
    /// In lower case.
    public var values: [String]

    public init(_ values: [String]) {
        precondition(!values.isEmpty && values.allSatisfy { $0.utf8.allSatisfy(\.isToken) }, "a privacy is named")
        self.values = values.map(\.asciiLowercased)
    }

    /// The RFC separates the words by semicolons. Commas separate elements of the list, as in every list. Anything that
    /// is not a word is left out, because it must not disclose what the other words hide.
    public init(from scanner: inout SIPScanner) throws(SIPParseError) {
        values = []
        repeat {
            scanner.skipSpace()
            if let word = try? scanner.token() { values.append(word.asciiLowercased) }
            scanner.skip(to: .headerParameterEnd)
        } while scanner.skip(UInt8(ascii: ";"))
        guard !values.isEmpty else { throw scanner.error(.token) }
    }

    /// Whether only the account's own server may learn the caller's identity: `id`, or the wider `user` (RFC 3323
    /// §4.1).
    public var hidesIdentity: Bool { values.contains("id") || values.contains("user") }
    /// Whether the call must fail if this privacy cannot be provided.
    public var isCritical: Bool { values.contains("critical") }

    public var text: String { values.joined(separator: ";") }
}

extension SIPHeaders {
    /// The words of all lines together; nil when no privacy is asked for.
    public var privacy: Privacy? {
        get throws(SIPParseError) {
            let values = try list(.privacy, of: Privacy.self).flatMap(\.values)
            return values.isEmpty ? nil : Privacy(values)
        }
    }
}

/// A party that diverted the call. The most recent diversion comes first (RFC 5806 §10.1).
public struct Diversion: SIPHeaderValue {
    /// The diverting party. The rest of the header is in its parameters.
    public var address: NameAddress

    public init(_ address: NameAddress) { self.address = address }

    public init(from scanner: inout SIPScanner) throws(SIPParseError) { address = try NameAddress(from: &scanner) }

    /// `unconditional`, `user-busy`, `no-answer`, …, in lower case.
    public var reason: String? { address.parameters["reason"]?.asciiLowercased }
    /// The number of diversions in this entry: one, unless `counter` says more.
    public var count: Int { address.parameters["counter"].flatMap { UInt8($0) }.map { max(1, Int($0)) } ?? 1 }
    /// Whether it is not to be shown: any privacy except `off`.
    public var isPrivate: Bool { address.parameters["privacy"].map { !$0.equalsIgnoringCase("off") } ?? false }

    public var text: String { address.text }
}

extension SIPHeaders {
    public var diversions: [Diversion] { get throws(SIPParseError) { try list(.diversion) } }
}

/// One target of a call on its path to us (RFC 7044 §5): `<sip:bob@b?Reason=SIP%3Bcause%3D302>;index=1.1`.
public struct HistoryInfoEntry: SIPHeaderValue {
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
    public var history: [HistoryInfoEntry] { get throws(SIPParseError) { try list(.historyInfo) } }
}
