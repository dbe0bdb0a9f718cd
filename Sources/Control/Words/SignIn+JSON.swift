import Base
import JSON
import PhoneCore

extension SignInCode {
    /// `code`, `address`, `completeAddress`, `qr` and the seconds until it expires.
    func members(at now: Instant, _ qrCode: ControlHost.QRCodeMaker) -> JSONValue {
        .object(
            fields(qrCode).merging(["seconds": .integer(max(0, (until - now).components.seconds))]) { own, _ in own })
    }

    /// The fields of an event. `until` is on the clock of the event's `at`. `qr` is absent if there is no QR code.
    func fields(_ qrCode: ControlHost.QRCodeMaker) -> [String: JSONValue] {
        var fields: [String: JSONValue] = [
            "code": .string(code), "address": .string(address), "completeAddress": .text(completeAddress),
            "until": .integer(until.nanoseconds),
        ]
        // A hidden code is empty, and its QR code would reveal it.
        if !code.isEmpty, let rows = qrCode(completeAddress ?? address) {
            fields["qr"] = .array(rows.map { .string($0) })
        }
        return fields
    }
}

extension SignedInUser {
    var fields: [String: JSONValue] {
        ["subject": .string(subject), "userName": .text(name), "email": .text(email)]
    }
}

extension SignInStatus {
    /// The stable word for programs.
    private var word: String {
        switch self {
        case .asking: "asking"
        case .waiting: "waiting"
        case .signedIn: "signedIn"
        case .needed: "needed"
        case .signingOut: "signingOut"
        }
    }

    func json(_ qrCode: ControlHost.QRCodeMaker) -> JSONValue {
        let state: [String: JSONValue] = ["state": .string(word)]
        let more: [String: JSONValue]
        switch self {
        case .asking, .signingOut: more = [:]
        case .waiting(let code): more = code.fields(qrCode)
        case .signedIn(let user): more = user.fields
        case .needed(let need, let user):
            let why: [String: JSONValue] = ["reason": .string(need.rawValue), "message": .string(need.sentence)]
            more = (user?.fields ?? [:]).merging(why) { own, _ in own }
        }
        return .object(state.merging(more) { own, _ in own })
    }
}

extension PhoneSnapshot {
    /// Removes the code of a sign-in. With it, a stranger could sign the phone in for another user.
    mutating func hideSignInCode() {
        guard case .waiting(var code) = signIn else { return }
        if display?.title == code.code {
            display?.title = ""
            display?.address = nil
        }
        (code.code, code.completeAddress) = ("", nil)
        signIn = .waiting(code)
    }
}

extension KnownOrganisation {
    var json: JSONValue {
        [
            "id": .string(organisation.id.rawValue), "name": .string(organisation.name),
            "slug": .text(organisation.slug), "channelNumber": .text(channel), "isDefault": .bool(isDefault),
            "isCurrent": .bool(isCurrent),
        ]
    }
}

extension SwitchFailure {
    /// `reason`; of an answer of the backend also its `status` and `text`.
    var members: [String: JSONValue] {
        switch self {
        case .api(let status, let text): answer(code, status, text)
        case .noOrganisation, .network, .parse, .timeout, .credentialStore, .connection, .abandoned:
            ["reason": .string(code)]
        }
    }
}

extension SignInFailure {
    /// The stable word for programs.
    var code: String {
        switch self {
        case .cancelled: "cancelled"
        case .denied: "denied"
        case .expired: "expired"
        case .identity: "identity"
        case .network: "network"
        case .api: "api"
        case .parse: "parse"
        case .timeout: "timeout"
        case .credentialStore: "credentialStore"
        case .clockNotSet: "clockNotSet"
        }
    }

    /// `reason`; of an answer of the backend also its `status` and `text`.
    var members: [String: JSONValue] {
        switch self {
        case .api(let status, let text): answer(code, status, text)
        case .clockNotSet, .cancelled, .denied, .expired, .identity, .network, .parse, .timeout, .credentialStore:
            ["reason": .string(code)]
        }
    }
}

private func answer(_ code: String, _ status: Int, _ text: String?) -> [String: JSONValue] {
    ["reason": .string(code), "status": .integer(Int64(status)), "text": .text(text)]
}
