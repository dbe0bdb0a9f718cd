import JSON
import Telephony

/// Reads and writes a call's headers as each dialect carries them.
enum VertoHeaders {
    /// The prefix of FreeSWITCH before the name of a header.
    private static let prefix = "verto_h_"

    /// SIP headers with which a server describes how to announce a call: the ring, and a request for an automatic
    /// answer.
    private static let announcements: Set<String> = ["alert-info", "answer-mode", "call-info"]
    /// Headers with which a server identifies the caller (RFC 3325). Telnyx passes on headers that a caller wrote, so
    /// they count only at FreeSWITCH, whose dialplan writes them.
    private static let identities: Set<String> = ["p-asserted-identity", "remote-party-id", "privacy"]

    private static func isStatement(_ name: String, _ dialect: VertoDialect) -> Bool {
        switch dialect {
        case .telnyx: announcements.contains(name)
        case .freeSWITCH: announcements.contains(name) || identities.contains(name)
        }
    }

    /// The SIP headers with which the server describes a call. Values that do not fit in a line are left out.
    static func statements(_ params: JSONValue, _ dialect: VertoDialect) -> [String: String] {
        let variables = (params["variables"]?.object ?? [:]).sorted { $0.key < $1.key }
            .map { ($0.key, $0.value.string ?? "") }
        var statements: [String: String] = [:]
        for (name, value) in variables + pairs(params, dialect) {
            let header = headerName(ofVariable: name)
            guard isStatement(header, dialect), !value.isEmpty, value.utf8.count <= CallHeader.valueBytes,
                value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
            else { continue }
            statements[header] = value
        }
        return statements
    }

    /// `alert-info` for `Alert-Info`, and for a channel variable such as `verto_svar_alert_info`.
    private static func headerName(ofVariable name: String) -> String {
        var name = name.lowercased()[...]
        for prefix in ["verto_svar_", "sip_h_"] where name.hasPrefix(prefix) { name = name.dropFirst(prefix.count) }
        return String(name.map { $0 == "_" ? "-" : $0 })
    }

    /// The call's other headers in a server's request. Invalid headers are left out.
    static func read(_ params: JSONValue, _ dialect: VertoDialect, drop: (VertoDrop) -> Void) -> [CallHeader] {
        var headers: [CallHeader] = []
        for (name, value) in pairs(params, dialect) where !isStatement(headerName(ofVariable: name), dialect) {
            guard headers.count < VertoLimits.headers else {
                drop(.tooManyHeaders)
                break
            }
            if let header = CallHeader(name, value) { headers.append(header) } else { drop(.badHeader) }
        }
        return headers
    }

    private static func pairs(_ params: JSONValue, _ dialect: VertoDialect) -> [(String, String)] {
        switch dialect {
        case .telnyx:
            let listed = params["dialogParams"]?["custom_headers"]?.array ?? params["custom_headers"]?.array ?? []
            return listed.map { ($0["name"]?.string ?? "", $0["value"]?.string ?? "\u{0}") }
        case .freeSWITCH:
            let members = (params.object ?? [:]).filter { $0.key.hasPrefix(prefix) }.sorted { $0.key < $1.key }
            return members.map { (String($0.key.dropFirst(prefix.count)), $0.value.string ?? "\u{0}") }
        }
    }

    /// Writes them into the dialog parameters of a call.
    static func write(_ headers: [CallHeader], to dialog: inout [String: JSONValue], _ dialect: VertoDialect) {
        let headers = headers.prefix(VertoLimits.headers)
        guard !headers.isEmpty else { return }
        switch dialect {
        case .telnyx:
            dialog["custom_headers"] = .array(headers.map { ["name": .string($0.name), "value": .string($0.value)] })
        case .freeSWITCH:
            let members = headers.map { ($0.name, JSONValue.string($0.value)) }
            dialog["userVariables"] = .object(Dictionary(members, uniquingKeysWith: { _, last in last }))
        }
    }
}
