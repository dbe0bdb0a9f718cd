import NIOHTTP1
import PhoneCore

/// The resources of the HTTP server.
enum HTTPRoute: Equatable {
    case rpc, events, metrics
    case page(PanelFile)

    init(_ request: HTTPRequest, hasMetrics: Bool) throws(HTTPRefusal) {
        switch request.path {
        case "/rpc": self = .rpc
        case "/events": self = .events
        case "/metrics" where hasMetrics: self = .metrics
        default:
            guard let file = PanelFile(path: request.path) else {
                throw HTTPRefusal(.notFound, "there is nothing at this path")
            }
            self = .page(file)
        }
        guard methods.contains(request.method) else {
            let allowed = methods.map(\.rawValue).joined(separator: ", ")
            throw HTTPRefusal(.methodNotAllowed, "allowed methods: \(allowed)", [("Allow", allowed)])
        }
    }

    private var methods: [HTTPMethod] {
        switch self {
        case .rpc: [.POST]
        case .events: [.GET]
        case .metrics, .page: [.GET, .HEAD]
        }
    }

    /// Whether a request needs a token. The page itself does not; it asks the user for one.
    var needsToken: Bool { if case .page = self { false } else { true } }
}
