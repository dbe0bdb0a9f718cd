import SIPCore

extension SIPRequest {
    /// What a body may be in a request to a line.
    static let acceptedBodies = [
        MediaType.sdp.name, "multipart/mixed", "multipart/alternative", "multipart/related",
    ]

    /// The answer to a request whose body cannot be read (RFC 3261 §8.2.3); nil when it can be, or when there is none.
    func refusalOfBody(tag: String) -> SIPResponse? {
        do throws(BodyFault) {
            _ = try body(of: .sdp)
            return nil
        } catch {
            var response = response(error.status, tag: tag)
            response.headers.set(.accept, tokens: Self.acceptedBodies)
            if case .encoded = error { response.headers[SIPHeaderName("Accept-Encoding")] = "identity" }
            return response
        }
    }
}
