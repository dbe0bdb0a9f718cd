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
