import SIPCore

/// The enemy's action in an active call.
enum Move: CaseIterable, Sendable {
    case dial, sweep, refer, moveVoice, bareVoice, nonsense, update, notify, options, message, package, bye

    /// - Parameters:
    /// - code: A door's code.
    func make(in call: inout HostileCall, code: String) -> [UInt8]? {
        switch self {
        case .dial: return call.dial(code + "#")
        case .sweep: return call.dial(String(repeating: Rights.wrongCode + "#", count: 3) + code + "#")
        case .refer: return call.inDialog(.refer)?.bytes
        case .moveVoice: return call.inDialog(.invite)?.bytes
        case .bareVoice: return offer(Forger.session.replacing("RTP/SAVP", with: "RTP/AVP"), in: &call)
        case .nonsense: return offer(Forger.nonsense, in: &call)
        case .update: return call.inDialog(.update)?.bytes
        case .notify: return call.inDialog(.notify)?.bytes
        case .options: return call.inDialog(.options)?.bytes
        case .message: return call.inDialog(.message)?.bytes
        case .package:
            var request = call.inDialog(.info)
            request?.headers[SIPHeaderName("Info-Package")] = "obey"
            return request?.bytes
        case .bye: return call.inDialog(.bye)?.bytes
        }
    }

    private func offer(_ session: String, in call: inout HostileCall) -> [UInt8]? {
        var request = call.inDialog(.invite)
        request?.body = Array(session.utf8)
        return request?.bytes
    }
}
