import Base
import ICECore
import RTPCore

/// Datagrams of a stranger at one media socket, which STUN, TURN, DTLS, RTP and RTCP share (RFC 7983). Each meets the
/// reader that its first bytes name, and no other one would have accepted it.
func fuzzMux(_ input: [UInt8]) {
    var socket = FuzzedSocket()
    for datagram in datagrams(input[...]) { socket.receive(datagram) }
    socket.check()
}

private struct FuzzedSocket: ~Copyable {
    private static let own = HostSocket(SocketID(rawValue: 1), TransportAddress(fuzzed: "192.168.1.2", 4_000))
    private static let peer = TransportAddress(fuzzed: "192.168.1.9", 5_000)

    private var agent: ICEAgent
    private let handshake = FuzzedEnd(.passive, Identities.one, expecting: Identities.other, asksForCookie: true)
    private var call = HeardCall(clockRate: 48_000)
    private var received = 0
    private var sent = 0

    init() {
        agent = ICEAgent(
            ICEAgent.Configuration(policy: .all, stunServers: [], turnServers: []), role: .controlled, hashes: .real,
            generator: SeededGenerator(seed: 9))
        _ = agent.handle(.gather([Self.own]), at: .zero)
        handshake.start()
    }

    mutating func receive(_ datagram: [UInt8]) {
        received += datagram.count
        let kind = MuxedPacket(classifying: datagram.span)
        precondition(!STUNMessage.mayBegin(datagram) || kind == .stun, "STUN that is \(kind)")
        precondition(!ChannelData.mayBegin(datagram) || kind == .turnChannel, "a packet of TURN that is \(kind)")
        if (try? RTPHeader(parsing: datagram.span)) != nil {
            precondition(kind == .rtp || kind == .rtcp, "RTP that is \(kind)")
        }
        switch kind {
        case .stun, .turnChannel: negotiate(datagram)
        case .dtls:
            handshake.receive(datagram)
            sent += handshake.takeDatagrams().reduce(0) { $0 + $1.count }
        case .rtp: call.receive(datagram, after: .milliseconds(20))
        case .rtcp: fuzzRTCP(datagram)
        case .unknown: break
        }
    }

    private mutating func negotiate(_ datagram: [UInt8]) {
        let event = ICEAgent.Event.received(datagram, on: Self.own.id, from: Self.peer)
        for effect in agent.handle(event, at: .zero) {
            switch effect {
            case .transmit(let bytes, _, _): sent += bytes.count
            case .received: preconditionFailure("a stranger is heard")
            default: break
            }
        }
    }

    mutating func check() {
        precondition(handshake.keys == nil, "keys with an unproven peer")
        precondition(sent <= received, "more is sent than came")
        call.play(quanta: 8)
        call.check()
    }
}
