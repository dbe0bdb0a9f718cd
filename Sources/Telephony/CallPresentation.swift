/// The identity and the headers that one call shows to its far end, beyond those of its account.
public struct CallPresentation: Hashable, Codable, Sendable {
    /// The most headers that a call may have.
    public static let headerLimit = 32

    /// In place of the account's name and number. A server may show another one, or none.
    public var callerName: String?
    public var callerNumber: String?
    /// At most `headerLimit`.
    public var headers: [CallHeader]

    public init(callerName: String? = nil, callerNumber: String? = nil, headers: [CallHeader] = []) {
        self.callerName = callerName
        self.callerNumber = callerNumber
        self.headers = headers
    }
}
