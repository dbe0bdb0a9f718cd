import NIOHTTP1
import PhoneCore

/// What there is over HTTP.
enum HTTPRoute: Equatable {
    case rpc, events, metrics
    case page(PanelFile)

    init(_ request: HTTPRequest, hasMetrics: Bool) throws(HTTPRefusal) {
        switch request.path {
        case "/rpc": self = .rpc
        case "/events": self = .events
        case "/metrics" where hasMetrics: self = .metrics
        default:
            guard let file = PanelFile(path: request.path) else { throw HTTPRefusal(.notFound, "nothing is here") }
            self = .page(file)
        }
        guard methods.contains(request.method) else {
            let allowed = methods.map(\.rawValue).joined(separator: ", ")
            throw HTTPRefusal(.methodNotAllowed, "this takes \(allowed)", [("Allow", allowed)])
        }
    }

    private var methods: [HTTPMethod] {
        switch self {
        case .rpc: [.POST]
        case .events: [.GET]
        case .metrics, .page: [.GET, .HEAD]
        }
    }

    /// The page itself asks for the token.
    var needsToken: Bool { if case .page = self { false } else { true } }
}
