import Base
import JSON

/// The endpoints of the identity provider (OpenID Connect Discovery 1.0 §3, RFC 8628 §4).
struct ProviderEndpoints: Equatable, Sendable {
    let deviceAuthorisation: BackendURL
    let token: BackendURL
    let keys: BackendURL
    let revocation: BackendURL?
    /// ID tokens must name exactly this issuer.
    let issuer: String

    /// - Parameter issuer: The configured issuer, which the document must name (§4.3 there). Only a slash at the end
    ///   may differ.
    init(_ body: [UInt8], of issuer: BackendURL) throws(BackendParseFault) {
        let reader = try AnswerReader(body)
        let named = try reader.address("issuer")
        guard named.folder == issuer.folder else { throw reader.fault("issuer", .mismatch) }
        self.issuer = named.text
        deviceAuthorisation = try reader.address("device_authorization_endpoint")
        token = try reader.address("token_endpoint")
        keys = try reader.address("jwks_uri")
        revocation = try reader.addressIfAny("revocation_endpoint")
        // A provider with TLS must not send the phone's secrets to a program of this machine.
        guard issuer.isSecure else { return }
        guard deviceAuthorisation.isSecure else { throw reader.fault("device_authorization_endpoint", .insecure) }
        guard token.isSecure else { throw reader.fault("token_endpoint", .insecure) }
        guard keys.isSecure else { throw reader.fault("jwks_uri", .insecure) }
        guard revocation?.isSecure ?? true else { throw reader.fault("revocation_endpoint", .insecure) }
    }
}

/// The answer to a device authorisation request (RFC 8628 §3.2).
struct DeviceAuthorisation: Equatable, Sendable {
    let deviceCode: Redacted<String>
    let userCode: String
    let address: String
    /// The address that already contains the code.
    let completeAddress: String?
    let expiresIn: Duration
    let interval: Duration

    init(_ body: [UInt8]) throws(BackendParseFault) {
        let reader = try AnswerReader(body)
        deviceCode = try reader.secret("device_code")
        let code = try reader.line("user_code", bytes: BackendLimits.userCodeBytes)
        guard code.shown(bytes: BackendLimits.userCodeBytes) == code else {
            throw reader.fault("user_code", .characters)
        }
        userCode = code
        address = try reader.address("verification_uri").text
        completeAddress = try reader.addressIfAny("verification_uri_complete")?.text
        let lifetime = try reader.number("expires_in", in: 1...Int64.max)
        expiresIn = .seconds(min(lifetime, 3_600))
        // Without `interval` it is 5 seconds (§3.2).
        let interval = try reader.numberIfAny("interval", in: 0...Int64.max) ?? 5
        self.interval = .seconds(min(max(interval, 1), 300))
    }
}

/// The tokens of a sign-in (RFC 6749 §5.1, OpenID Connect Core 1.0 §3.1.3.3).
struct SignInTokens: Equatable, Sendable {
    let access: Redacted<String>
    let refresh: Redacted<String>?
    let identity: Redacted<String>

    init(_ body: [UInt8]) throws(BackendParseFault) {
        let reader = try AnswerReader(body)
        access = try reader.secret("access_token")
        try reader.expectBearer()
        refresh = try reader.secretIfAny("refresh_token", bytes: BackendLimits.tokenBytes)
        identity = try reader.secret("id_token", bytes: BackendLimits.idTokenBytes)
    }
}

/// The answer to a poll that gave no tokens (RFC 8628 §3.5).
enum PollRefusal: Equatable {
    case pending, slowDown, denied, expired
    case other

    init(_ body: [UInt8]) {
        let error = (try? AnswerReader(body).visibleIfAny("error", bytes: BackendLimits.idBytes)) ?? nil
        self =
            switch error {
            case "authorization_pending": .pending
            case "slow_down": .slowDown
            case "access_denied": .denied
            case "expired_token": .expired
            default: .other
            }
    }
}

/// An access token of the phone.
struct AccessGrant: Equatable, Sendable {
    let token: Redacted<String>
    let expiresIn: Duration

    init(_ body: [UInt8]) throws(BackendParseFault) {
        let reader = try AnswerReader(body)
        token = try reader.secret("access_token")
        try reader.expectBearer()
        expiresIn = .seconds(min(try reader.number("expires_in", in: 1...Int64.max), 86_400))
    }
}

/// The answer to the registration of the phone.
struct DeviceRegistration: Equatable, Sendable {
    let id: String
    let deviceToken: Redacted<String>
    let organisation: BackendOrganisation
    let person: BackendPerson?
    let credentials: BackendCredentials?
    let push: BackendPush?

    init(_ body: [UInt8]) throws(BackendParseFault) {
        let reader = try AnswerReader(body)
        id = try reader.visible("id", bytes: BackendLimits.idBytes)
        deviceToken = try reader.secret("device_token")
        organisation = try BackendOrganisation(beside: reader)
        if let user = try reader.partIfAny("user") {
            person = BackendPerson(
                subject: try user.visible("sub", bytes: BackendLimits.subjectBytes),
                name: try user.shownIfAny("name"),
                email: try user.shownIfAny("email", bytes: BackendLimits.emailBytes))
        } else {
            person = nil
        }
        credentials = try reader.partIfAny("credentials").map { part throws(BackendParseFault) in
            try BackendCredentials(part)
        }
        push = try reader.partIfAny("push_registration").map { part throws(BackendParseFault) in
            try BackendPush(part)
        }
        guard credentials?.organisation.id ?? organisation.id == organisation.id else {
            throw reader.fault("credentials.organization_id", .mismatch)
        }
    }
}

extension AnswerReader {
    /// Only bearer tokens are understood (RFC 6749 §7.1).
    func expectBearer() throws(BackendParseFault) {
        let type = try visible("token_type", bytes: BackendLimits.idBytes)
        guard type.lowercased() == "bearer" else { throw fault("token_type", .unknownValue) }
    }
}

extension BackendFailure {
    /// The failure that a refused request tells: its status, and its sentence for people.
    /// - Parameter secrets: What the request contained. A sentence that repeats it is left out.
    init(_ response: BackendResponse, without secrets: [Redacted<String>]) {
        let reader = try? AnswerReader(response.body)
        var text = ""
        for key in ["message", "error_description", "error"] where text.isEmpty {
            text = reader?.value(key)?.string ?? ""
        }
        let repeats = secrets.contains { secret in
            let secret = secret.reveal()
            return !secret.isEmpty && text.includes(secret.prefix(12))
        }
        self = .api(
            status: response.status, text: repeats ? "" : text.shown(bytes: BackendLimits.messageBytes))
    }
}
