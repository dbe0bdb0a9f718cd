import Base
import LineCore
import SIPCore

/// A server with outbound at two places, and a line that is registered at both.
struct TwoPlaces {
    static let first = Ground.flow(.tcp, 100)
    static let second = Ground.flow(.tcp, 101)
    static let outbound: [(SIPHeaderName, String)] = [(.require, "outbound")]

    var ground: Ground

    /// - Parameters:
    /// - flows: The server's places.
    /// - answer: Its response to requests other than REGISTER.
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

    /// The line's REGISTERs for a flow, in order, with path and time.
    func registers(_ number: UInt32) -> [Ground.Sent] {
        ground.sent(.register).filter { Self.number($0.request) == number }
    }

    static func number(_ register: SIPRequest) -> UInt32? { (try? register.headers.contacts)?.first?.registrationID }

    /// An answered call to a far end behind the server.
    mutating func call() {
        ground.invite()
        guard let invite = ground.sent(.invite).last else { return }
        // The far end's Contact is not reachable directly.
        var success = Stranger(invite.flow.remote).success(to: invite.request, tag: "far", body: Stranger.answer)
        success.headers[.recordRoute] = "<sip:\(invite.flow.remote.host);transport=tcp;lr>"
        let flows = ground.flows
        // The route names the place by its number: there is only one.
        ground.flows = [invite.flow]
        ground.tell(.received(success.bytes, invite.flow))
        ground.flows = flows
    }
}
