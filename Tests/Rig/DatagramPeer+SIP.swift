import Bench
import SIPCore

extension DatagramPeer {
    public func say(_ request: SIPRequest, to port: UInt16) throws { try say(request.bytes, to: port) }
    public func say(_ response: SIPResponse, to port: UInt16) throws { try say(response.bytes, to: port) }

    /// The next request of this method; earlier messages are skipped.
    public func request(_ method: SIPMethod) throws -> SIPRequest {
        try next { if case .request(let request) = $0, request.method == method { request } else { nil } }
    }

    /// The next response of this status; earlier messages are skipped.
    public func response(_ status: SIPStatus) throws -> SIPResponse {
        try next { if case .response(let response) = $0, response.status == status { response } else { nil } }
    }

    private func next<Value>(_ match: (SIPMessage) -> Value?) throws -> Value {
        var count = transcript.count
        while let bytes = hear() {
            // A repetition has no news.
            guard transcript.count > count else { continue }
            count = transcript.count
            if let value = match(try SIPMessage(bytes.span)) { return value }
        }
        throw Failure.silence
    }
}
