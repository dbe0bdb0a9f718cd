import Base
import LineCore
import SDPCore
import SIPCore

/// The surroundings of a part of a line: a line's context, and messages to and from its server.
struct PartBench {
    static let own = Flow.Endpoint("192.0.2.1", 5060)
    /// Paths to the account's server: the first by UDP.
    static let server = Flow(.udp, local: own, remote: .init("192.0.2.100", 5060))
    static let stream = Flow(.tcp, local: own, remote: .init("192.0.2.100", 5060))

    var context: LineContext
    var now = Instant.zero

    init(
        _ account: LineConfiguration.Account? = .init(domain: "server.example", server: NextHop(host: "server.example"))
    ) {
        var media = MediaCapabilities()
        media.protection = .offered
        context = LineContext(
            configuration: LineConfiguration(user: "alice", account: account, media: media),
            identifiers: SIPIdentifiers(SeededGenerator(seed: 1)), generator: SeededGenerator(seed: 2),
            timers: SIPTimers())
    }

    /// A response with the server's tag.
    static func response(
        _ status: SIPStatus, to request: SIPRequest, _ headers: [(SIPHeaderName, String)] = []
    ) -> SIPResponse {
        var response = request.response(status, tag: "server")
        for (name, value) in headers { response.headers[name] = value }
        return response
    }

    /// A request of the server in the dialog that our request opened.
    static func request(
        _ method: SIPMethod, in dialog: Dialog.ID, sequence: UInt32, _ headers: [(SIPHeaderName, String)] = [],
        body: String = ""
    ) throws -> SIPRequest {
        let (us, server) = (try URI("sip:alice@server.example"), try URI("sip:server.example"))
        var request = SIPRequest(
            method, us, from: NameAddress(server, tag: dialog.remoteTag), to: NameAddress(us, tag: dialog.localTag),
            callID: dialog.callID, sequence: sequence)
        for (name, value) in headers { request.headers[name] = value }
        request.body = Array(body.utf8)
        return request
    }
}
