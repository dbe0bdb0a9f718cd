import Base
import SDPCore

/// A description as an offer to us, and as the answer to our offer.
func fuzzSDP(_ input: [UInt8]) {
    guard let description = try? SessionDescription(parsing: input) else { return }
    let written = description.bytes
    guard let back = try? SessionDescription(parsing: written) else { preconditionFailure("written, cannot be read") }
    precondition(back.bytes == written, "not the same bytes after another trip")
    var generator = SeededGenerator(seed: 1)
    for policy in ProtectionPolicy.allCases {
        let capabilities = MediaCapabilities(
            protection: policy, fingerprint: CertificateFingerprint(digest: Array(repeating: 7, count: 32)))
        var callee = MediaNegotiation(
            capabilities: capabilities, local: MediaAddress(host: "192.0.2.1", port: 4_000), using: &generator)
        if let (answer, _) = try? callee.answer(to: description, held: false, using: &generator) {
            precondition((try? SessionDescription(parsing: answer.bytes)) != nil, "our answer cannot be read")
        }
        var caller = MediaNegotiation(
            capabilities: capabilities, local: MediaAddress(host: "192.0.2.2", port: 4_000), using: &generator)
        _ = caller.offer(held: false, using: &generator)
        _ = try? caller.conclude(description)
    }
}
