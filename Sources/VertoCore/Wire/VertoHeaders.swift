import JSON
import Telephony

/// The headers of a call's own, as each dialect carries them.
enum VertoHeaders {
    /// What FreeSWITCH puts before the name of a header.
    private static let prefix = "verto_h_"

    /// The call's own headers in a server's request. What is no header is left out.
    static func read(_ params: JSONValue, _ dialect: VertoDialect, drop: (VertoDrop) -> Void) -> [CallHeader] {
        var headers: [CallHeader] = []
        for (name, value) in pairs(params, dialect) {
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

    /// Puts them into the parameters of a call's dialog.
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
