import SIPCore

extension SIPRequest {
    /// What a body may be in a request to a line.
    static let acceptedBodies = [
        MediaType.sdp.name, "multipart/mixed", "multipart/alternative", "multipart/related",
    ]

    /// Why a body cannot be read (RFC 3261 §8.2.3); nil when it can be, or when there is none.
    var refusalOfBody: RequestRefusal? {
        do throws(BodyFault) {
            _ = try body(of: .sdp)
            return nil
        } catch {
            return RequestRefusal(error)
        }
    }
}
