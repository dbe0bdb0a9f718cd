import LineCore
import SIPCore
import Testing

@Suite("Anonymous calls at a server that rejects them")
struct AnonymousCallTests {
    private func end(_ status: Int, isWithheld: Bool) -> [EndReason] {
        var configuration = Ground.account()
        configuration.withholdsNumber = isWithheld
        var ground = Ground(configuration) { request, _ in
            request.method == .invite
                ? request.response(SIPStatus(status), tag: "server") : Ground.accept(request)
        }
        ground.invite("123")
        return ground.ends
    }

    @Test("an anonymous call's refusal is reported as such", arguments: [401, 407, 433])
    func anonymousCallRefusalIsReportedAsSuch(status: Int) {
        #expect(end(status, isWithheld: true) == [.anonymityRefused])
    }

    @Test("other refusals, and that of a call with a number, keep their reason")
    func otherRefusalsAndThatOfCallWithNumberKeepTheirReason() {
        #expect(end(403, isWithheld: true) == [.rejected(403)])
        #expect(end(486, isWithheld: true) == [.busyThere])
        for status in [401, 407, 433] { #expect(end(status, isWithheld: false) == [.rejected(status)]) }
    }
}
