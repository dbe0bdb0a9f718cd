/// The code that hostile bytes reach. A target ends for any bytes; forbidden states are preconditions.
public enum FuzzTarget: String, CaseIterable, Sendable {
    case sip, calls, sdp, stun, ice, turn, rtp, rtcp, dns, json, yaml, wav, vault, recording, journal, tls, dtls, http,
        websocket, control, netlink, verto, mux, backend, web
    case callerInfo = "caller-info"

    public func take(_ input: [UInt8]) {
        switch self {
        case .sip: fuzzSIP(input)
        case .calls: fuzzCalls(input)
        case .sdp: fuzzSDP(input)
        case .stun: fuzzSTUN(input)
        case .ice: fuzzICE(input)
        case .turn: fuzzTURN(input)
        case .rtp: fuzzRTP(input)
        case .rtcp: fuzzRTCP(input)
        case .dns: fuzzDNS(input)
        case .json: fuzzJSON(input)
        case .yaml: fuzzYAML(input)
        case .wav: fuzzWAV(input)
        case .vault: fuzzVault(input)
        case .recording: fuzzRecording(input)
        case .journal: fuzzJournal(input)
        case .tls: fuzzTLS(input)
        case .dtls: fuzzDTLS(input)
        case .http: fuzzHTTP(input)
        case .websocket: fuzzWebSocket(input)
        case .control: fuzzControl(input)
        case .netlink: fuzzNetlink(input)
        case .verto: fuzzVerto(input)
        case .mux: fuzzMux(input)
        case .callerInfo: fuzzCallerInfo(input)
        case .backend: fuzzBackend(input)
        case .web: fuzzWeb(input)
        }
    }
}
