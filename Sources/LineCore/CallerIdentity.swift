import SIPCore

/// Who calls: hostile text, cut to length and freed of control characters.
public struct CallerIdentity: Equatable, Sendable {
    /// The user part, or the whole URI when there is none.
    public let number: String
    public let displayName: String?

    public static let numberLimit = 64
    public static let nameLimit = 128

    /// - Parameter isTrusted: The request came from the account's own server, whose word on identity counts
    ///   (RFC 3325 §9.1).
    init(_ request: SIPRequest, isTrusted: Bool) {
        let asserted = isTrusted ? try? request.headers.list(.pAssertedIdentity, of: NameAddress.self).first : nil
        let address = asserted ?? (try? request.headers.from)
        let number: String =
            switch address?.uri {
            case .sip(let uri): uri.user ?? uri.text
            case .tel(let tel): tel.digits
            case .other(let scheme, let rest): scheme + ":" + rest
            case nil: ""
            }
        self.number = Self.clean(number, limit: Self.numberLimit)
        let name = address?.displayName.map { Self.clean($0, limit: Self.nameLimit) }
        displayName = name?.isEmpty == true ? nil : name
    }

    private static func clean(_ text: String, limit: Int) -> String {
        let scalars = text.unicodeScalars.filter { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned: false
            default: true
            }
        }
        return String(String(String.UnicodeScalarView(scalars)).prefix(limit))
    }
}
