/// What one call shows to whoever is called, beyond what its account shows.
public struct CallPresentation: Hashable, Codable, Sendable {
    /// How many headers of its own a call may have.
    public static let headerLimit = 32

    /// Instead of the account's. A server may show another one, or none.
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
