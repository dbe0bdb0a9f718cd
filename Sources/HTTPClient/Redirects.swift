import Base

/// Decides whether a redirect is followed: at most three, and only to the same server. So the token of a request never
/// reaches another one.
package struct Redirects: Equatable, Sendable {
    package static let most = 3

    private var count = 0

    package init() {}

    /// - Parameters:
    ///   - status: 301, 302, 303, 307 or 308 (RFC 9110 §15.4). 303 makes a GET of every request.
    ///   - location: The header `Location`, as it came.
    package mutating func follow(
        _ status: Int, to location: String?, from address: WebAddress, by method: HTTPRequest.Method
    ) throws(HTTPFailure) -> (address: WebAddress, method: HTTPRequest.Method) {
        guard let location else { throw .redirect("the server redirects without an address") }
        count += 1
        guard count <= Self.most else { throw .redirect("the server redirects more than \(Self.most) times") }
        // Browsers make a GET of a POST then. A request with an effect must not become one without.
        guard status > 302 || method == .get else {
            throw .redirect("the server redirects \(method.rawValue) with status \(status); only 307 and 308 keep it")
        }
        let target: WebAddress
        do throws(WebAddress.Malformed) {
            target = try address.resolve(location)
        } catch {
            throw .redirect("the server redirects to an address that is not allowed: \(error.why)")
        }
        guard target.hasSameServer(as: address) else {
            throw .redirect(
                "the server redirects to another one, \(target.scheme.rawValue)://\(target.host):\(target.port)")
        }
        return (target, status == 303 ? .get : method)
    }

    /// Whether the status asks for another request to the address in `Location`.
    package static func isRedirect(_ status: Int) -> Bool { [301, 302, 303, 307, 308].contains(status) }
}
