import BackendCore
import Base
import Cryptography
import HTTPClient

extension HTTPRequest {
    init(_ request: BackendRequest) {
        let method: Method =
            switch request.method {
            case .get: .get
            case .post: .post
            case .delete: .delete
            }
        self.init(
            method, request.url, headers: [Header("Accept", "application/json")], bearer: request.bearer,
            body: request.body.bytes?.reveal(), contentType: request.body.contentType, timeout: request.timeout,
            etag: request.etag, isRepeatable: request.isRepeatable)
    }
}

extension BackendResponse {
    init(_ response: HTTPResponse) {
        self.init(
            status: response.status, body: response.body, etag: response.etag, retryAfter: response.retryAfter)
    }
}

extension BackendTransportFailure {
    init(_ failure: HTTPFailure) {
        self =
            switch failure {
            case .timeout: .timeout
            case .tooLarge: .unreadable(.tooLong)
            case .malformed: .unreadable(.notHTTP)
            case .unavailable, .network, .resolve, .tls, .redirect, .cancelled, .overloaded:
                .network(failure.description)
            }
    }
}

extension BackendSignature {
    /// One public-key operation, bounded by the largest key (`SignatureKey`).
    var isGenuine: Bool {
        switch (algorithm, key) {
        case (.rs256, .rsa(let modulus, let exponent)):
            SignatureKey.rsa(modulus: modulus, exponent: exponent).verifies(signature, of: signed)
        case (.es256, .p256(let x, let y)): SignatureKey.p256(x: x, y: y).verifies(signature, of: signed)
        case (.rs256, .p256), (.es256, .rsa): false
        }
    }
}
