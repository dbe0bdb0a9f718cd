import Base
import Control
import JSON
import Lines

extension RegistrationVerdict {
    /// The verdict for programs: a stable code, its details, and the terminal's sentence.
    func setupMembers(_ server: String) -> [String: JSONValue] {
        let (code, detail) = parts
        return [
            "good": .bool(isGood), "code": .string(code), "detail": .string(detail.shown(bytes: 256)),
            "message": .string(sentence(server)), "fingerprint": fingerprint.map { .string($0.text) } ?? .null,
        ]
    }

    private var parts: (code: String, detail: String) {
        switch self {
        case .registered: ("registered", "")
        case .notNeeded: ("notNeeded", "")
        case .refused(let status, let phrase): (Self.refusal(status), "\(status) \(phrase)")
        case .nameUnknown(let name): ("nameUnknown", name)
        case .nameServiceSilent(let name): ("nameServiceSilent", name)
        case .silent(takesConnections: false): ("silent", "")
        case .silent(takesConnections: true): ("silentOverUDP", "")
        case .connectionRefused: ("connectionRefused", "")
        case .unreachable(let why): ("unreachable", why)
        case .speaksTLS: ("speaksTLS", "")
        case .speaksNoTLS: ("speaksNoTLS", "")
        case .speaksOldTLS: ("speaksOldTLS", "")
        case .otherName(let names, _): ("otherName", names.prefix(4).joined(separator: ", "))
        case .unknownAuthority(let why, _): ("unknownAuthority", why)
        case .outOfDate(let why, _): ("outOfDate", why)
        case .otherPin: ("otherPin", "")
        case .other(let why): ("other", why)
        }
    }

    private static func refusal(_ status: Int) -> String {
        switch status {
        case 401, 407: "wrongPassword"
        case 403: "forbidden"
        case 404, 604: "unknownUser"
        case 500..<600: "unable"
        default: "refused"
        }
    }
}

extension SoundVerdict {
    var json: JSONValue {
        ["good": .bool(isGood), "code": .string("\(self)"), "message": .string(sentence)]
    }
}
