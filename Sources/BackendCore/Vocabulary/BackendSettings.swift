import Base

/// The backend that the phone signs in to, as configured.
public struct BackendSettings: Equatable, Sendable {
    /// Where the API is: every path below is appended to it.
    public var base: BackendURL
    /// The identity provider. ID tokens must name exactly this issuer (OpenID Connect Discovery 1.0 §4.3).
    public var issuer: BackendURL
    public var clientID: String
    public var scopes = "openid profile email offline_access"
    public var paths = BackendPaths()
    public var times = BackendTimes()
    /// The phone's name for people, shown by the backend.
    public var deviceName: String?
    /// Whether the phone registers for caller info.
    public var usesPush = true

    /// Where the identity provider describes itself (OpenID Connect Discovery 1.0 §4).
    public var discoveryAddress: String { issuer.appending("/.well-known/openid-configuration") }

    /// - Parameter issuer: Nil: the base.
    public init(base: BackendURL, issuer: BackendURL? = nil, clientID: String = "offhook") {
        (self.base, self.issuer, self.clientID) = (base, issuer ?? base, clientID)
    }
}

/// The paths of the API. Each begins with a slash.
public struct BackendPaths: Equatable, Sendable {
    public var deviceTokens = "/api/device-tokens"
    public var token = "/api/token"
    public var organisations = "/api/organizations"
    public var switchOrganisation = "/api/voip/switch-org"
    public var credentials = "/api/voip-credentials"
    public var pushRegistrations = "/api/push-registrations"

    public init() {}

    /// Whether a text is usable as a path.
    public static func isValid(_ path: String) -> Bool {
        path.hasPrefix("/") && !path.hasPrefix("//") && path.utf8.count <= 256
            && path.utf8.allSatisfy { (0x21...0x7E).contains($0) && !#"<>"\^`{|}#?"#.utf8.contains($0) }
    }
}

public struct BackendTimes: Equatable, Sendable {
    /// For each request to the backend.
    public var request = Duration.seconds(15)
    /// For a change of organisation: a caller waits.
    public var switchOrganisation = Duration.seconds(4)
    /// For a request and the access token that it waits for.
    public var call = Duration.seconds(30)
    /// For the deletion at the backend when the user signs out.
    public var signOut = Duration.seconds(5)
    /// Credentials are renewed at this age.
    public var credentials = Duration.seconds(30 * 86_400)
    /// The push registration is renewed at this age, or earlier if the backend wishes it.
    public var push = Duration.seconds(7 * 86_400)

    public init() {}
}

/// The limits for everything that the backend sends.
public enum BackendLimits {
    /// The largest body. It bounds the time for which the control thread reads an answer.
    public static let bodyBytes = 65_536
    public static let tokenBytes = 4_096
    public static let idTokenBytes = 16_384
    public static let idBytes = 64
    public static let nameBytes = 128
    public static let emailBytes = 254
    /// For `sub` (OpenID Connect Core 1.0 §2).
    public static let subjectBytes = 255
    public static let userCodeBytes = 32
    /// For the sentence of an error.
    public static let messageBytes = 200
    public static let organisations = 100
    public static let keys = 32
    /// For topics, host names, user names.
    public static let fieldBytes = 255

    /// The clock counts as unset before this time, a day before this version. A machine without a clock starts in the
    /// past.
    public static let earliestTime = ProgramVersion.written - 86_400
    /// By how much the clocks of phone and backend may differ, in seconds.
    public static let clockSkew: Int64 = 60
}

/// An absolute address of a server: `https://…`, or `http://…` on this machine.
public struct BackendURL: Hashable, Codable, Sendable {
    public enum Fault: String, Error, Equatable, Sendable {
        case notAbsolute = "it has to begin with https:// and a host"
        case clear = "http:// is allowed for this machine only"
        case userInfo = "it must not have a name or a password"
        case fragment = "it must not have a fragment (#)"
        case characters = "it has characters that a URL must not have"
        case tooLong = "it is too long"
    }

    public static let longest = 1_024

    /// The whole URL, as given.
    public let text: String
    public let isSecure: Bool
    /// Host and port as given, in lower case.
    public let authority: String

    public init(_ given: String) throws(Fault) {
        guard given.utf8.count <= Self.longest else { throw .tooLong }
        // Visible ASCII without the characters that RFC 3986 §2 leaves out.
        guard given.utf8.allSatisfy({ (0x21...0x7E).contains($0) && !#"<>"\^`{|}"#.utf8.contains($0) }) else {
            throw .characters
        }
        guard !given.contains("#") else { throw .fragment }
        let address: WebAddress
        do throws(WebAddress.Fault) { address = try WebAddress(given) } catch { throw Fault(error) }
        (text, isSecure) = (given, address.scheme == .https)
        let rest = given.lowercased().dropFirst(isSecure ? 8 : 7)
        authority = String(rest.prefix { $0 != "/" && $0 != "?" })
    }

    /// The URL without a slash at its end.
    var folder: String { text.last == "/" ? String(text.dropLast()) : text }

    /// The URL of a path that begins with a slash.
    func appending(_ path: String) -> String { folder + path }
}

extension BackendURL.Fault {
    fileprivate init(_ fault: WebAddress.Fault) {
        self =
            switch fault {
            case .tooLong: .tooLong
            case .scheme, .authority, .host: .notAbsolute
            case .characters: .characters
            case .clear: .clear
            case .user: .userInfo
            }
    }
}
