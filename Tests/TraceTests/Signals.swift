import Base
import Trace

/// Messages to trace.
enum Signals {
    static let phone = TracedSignal.End("192.0.2.1", 5_060)
    static let server = TracedSignal.End("192.0.2.100", 5_060)

    static func signal(
        _ message: [UInt8], isSent: Bool = true, at time: Int64 = 0, local: TracedSignal.End = phone,
        remote: TracedSignal.End = server, transport: String = "udp", account: String = "office"
    ) -> TracedSignal {
        TracedSignal(
            time: time, isSent: isSent, transport: transport, local: local, remote: remote, account: account,
            message: message)
    }

    static func request(
        _ method: String, callID: String = "call-a", sequence: Int = 1, type: String? = nil, body: String = ""
    ) -> [UInt8] {
        let lines =
            [
                "\(method) sip:200@pbx.example SIP/2.0", "Via: SIP/2.0/UDP 192.0.2.1;branch=z9hG4bK-\(sequence)",
                "Max-Forwards: 70", "From: <sip:100@pbx.example>;tag=a", "To: <sip:200@pbx.example>",
                "Call-ID: \(callID)", "CSeq: \(sequence) \(method)", "Content-Length: \(body.utf8.count)",
            ] + (type.map { ["Content-Type: \($0)"] } ?? [])
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n" + body).utf8)
    }

    static func response(_ status: String, to method: String, callID: String = "call-a", sequence: Int = 1) -> [UInt8] {
        let lines = [
            "SIP/2.0 \(status)", "Via: SIP/2.0/UDP 192.0.2.1;branch=z9hG4bK-\(sequence)",
            "From: <sip:100@pbx.example>;tag=a", "To: <sip:200@pbx.example>;tag=b", "Call-ID: \(callID)",
            "CSeq: \(sequence) \(method)", "Content-Length: 0",
        ]
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    }
}
