import SIPCore

extension SIPRequest {
    /// The body types that a line accepts in a request.
    static let acceptedBodies = [
        MediaType.sdp.name, "multipart/mixed", "multipart/alternative", "multipart/related",
    ]

    /// Why the body cannot be read (RFC 3261 §8.2.3). Nil if it can be read, or if the request has no body.
    var refusalOfBody: RequestRefusal? {
        do throws(BodyFault) {
            _ = try body(of: .sdp)
            return nil
        } catch {
            return RequestRefusal(error)
        }
    }
}
