import Base
import LineCore
import SIPCore

/// A server that tells flows apart and stands at two places, and a line that is registered at both.
struct TwoPlaces {
    static let first = Ground.flow(.tcp, 100)
    static let second = Ground.flow(.tcp, 101)
    static let outbound: [(SIPHeaderName, String)] = [(.require, "outbound")]

    var ground: Ground

    /// - Parameters:
    ///   - flows: Where the server stands.
    ///   - answer: What it says to other requests than REGISTER.
    init(
        _ configuration: LineConfiguration = Ground.account(), flows: [Flow] = [Self.first, Self.second],
        seed: UInt64 = 1,
        answer: @escaping (SIPRequest, Flow) -> SIPResponse? = { request, _ in
            request.method == .invite ? nil : request.response(.ok)
        }
    ) {
        ground = Ground(configuration, flows: flows, seed: seed) { request, flow in
            request.method == .register ? Self.accept(request) : answer(request, flow)
        }
        ground.pong = { _ in [0x0D, 0x0A] }
    }

    static func accept(_ request: SIPRequest, _ more: [(SIPHeaderName, String)] = []) -> SIPResponse {
        Ground.accept(request, outbound + more)
    }

    /// What the line said to the server about a flow, in order: over which way, and when.
    func registers(_ number: UInt32) -> [Ground.Sent] {
        ground.sent(.register).filter { Self.number($0.request) == number }
    }

    static func number(_ register: SIPRequest) -> UInt32? { (try? register.headers.contacts)?.first?.registrationID }

    /// A call that the line dialled and that was answered, by somebody whom it reaches through the server.
    mutating func call() {
        ground.invite()
        guard let invite = ground.sent(.invite).last else { return }
        // The far end's Contact leads nowhere by itself.
        var success = Stranger(invite.flow.remote).success(to: invite.request, tag: "far", body: Stranger.answer)
        success.headers[.recordRoute] = "<sip:\(invite.flow.remote.host);transport=tcp;lr>"
        let flows = ground.flows
        // The route names the place by its number: there is only one.
        ground.flows = [invite.flow]
        ground.tell(.received(success.bytes, invite.flow))
        ground.flows = flows
    }
}
