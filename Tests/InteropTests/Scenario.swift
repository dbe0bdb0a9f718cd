/// One side of a call for SIPp: expected and sent messages, in order, and `xml` in SIPp's format.
///
/// Names in brackets are SIPp's: `[branch]` is new for each step, `[last_Via:]` is the line of the last message. The
/// fields of the phone's INVITE are kept under names of this file, because later responses need them.
struct Scenario: Sendable {
    /// Voice in the phone's format.
    static func voice(version: Int = 1, _ direction: String = "sendrecv") -> String {
        """
        v=0
        o=- 1 \(version) IN IP4 [local_ip]
        s=-
        c=IN IP4 [media_ip]
        t=0 0
        m=audio [media_port] RTP/AVP 96 97
        a=rtpmap:96 opus/48000/2
        a=rtpmap:97 telephone-event/48000
        a=\(direction)
        """
    }

    private static let localTag = "tag=[pid]s[call_number]"
    private let requestStart: @Sendable (_ method: String) -> [String]
    private var steps: [String] = []
    /// The step of each request of SIPp's, by number and method.
    private var sent: [String: Int] = [:]
    private var checks = 0

    /// SIPp calls.
    static var caller: Scenario {
        Scenario { method in
            [
                "\(method) sip:[service]@[remote_ip]:[remote_port] SIP/2.0",
                "From: <sip:sipp@[local_ip]:[local_port]>;\(localTag)",
                "To: <sip:[service]@[remote_ip]:[remote_port]>[peer_tag_param]",
            ]
        }
    }

    /// SIPp is called: it has the phone's INVITE.
    /// - Parameter checks: Regular expressions for its headers.
    static func callee(_ checks: [String: String] = [:]) -> Scenario {
        var scenario = Scenario { method in
            ["\(method) [$target] SIP/2.0", "From:[$own];\(localTag)", "To:[$far]"]
        }
        let kept = keptOfEach + [Self.keeping("From", as: "far"), Self.keeping("To", as: "own")]
        let target = "<ereg regexp=\"sip:[^&gt;]*\" search_in=\"hdr\" header=\"Contact:\" assign_to=\"target\"/>"
        scenario.expect("request=\"INVITE\"", checks, more: kept + [target])
        return scenario
    }

    private static let keptOfEach = [keeping("Via", as: "via"), keeping("CSeq", as: "sequence")]

    private static func keeping(_ header: String, as name: String) -> String {
        "<ereg regexp=\".*\" search_in=\"hdr\" header=\"\(header):\" assign_to=\"\(name)\"/>"
    }

    private init(requestStart: @escaping @Sendable (String) -> [String]) { self.requestStart = requestStart }

    // MARK: Received

    /// - Parameter isKept: `toInvite` responds to this one from now on.
    func request(_ method: String, _ checks: [String: String] = [:], isKept: Bool = false) -> Scenario {
        changed { $0.expect("request=\"\(method)\"", checks, more: isKept ? Self.keptOfEach : []) }
    }

    /// - Parameter number: The name under which the number in the header of that name is kept.
    func response(_ status: Int, _ checks: [String: String] = [:], keeping number: String? = nil) -> Scenario {
        let kept = number.map {
            "<ereg regexp=\"[0-9]+\" search_in=\"hdr\" header=\"\($0):\" assign_to=\"\($0)\"/>"
        }
        return changed { $0.expect("response=\"\(status)\"", checks, more: kept.map { [$0] } ?? []) }
    }

    func perhaps(_ status: Int) -> Scenario {
        changed { $0.steps.append("<recv response=\"\(status)\" optional=\"true\"/>") }
    }

    // MARK: Sent

    /// A request of SIPp's.
    /// - Parameters:
    /// - again: It was sent before.
    /// - branch: The method whose transaction it belongs to: the ACK of a refusal belongs to its INVITE's.
    func send(
        _ method: String, _ number: Int, _ headers: [String] = [], body: String = "", again: Bool = false,
        branchOf branch: String? = nil
    ) -> Scenario {
        changed { scenario in
            let step = scenario.steps.count
            let first = again || branch != nil ? scenario.sent["\(number) \(branch ?? method)"] ?? step : step
            let branch = step > first ? "[branch-\(step - first)]" : "[branch]"
            let lines = [
                "Via: SIP/2.0/[transport] [local_ip]:[local_port];rport;branch=\(branch)",
                "Call-ID: [call_id]", "CSeq: \(number) \(method)", "Max-Forwards: 70",
                "Contact: <sip:sipp@[local_ip]:[local_port]>",
            ]
            scenario.append(scenario.requestStart(method) + lines + headers, body)
            scenario.sent["\(number) \(method)"] = first
        }
    }

    /// A response to the phone's first INVITE, with a tag of this end or another one.
    func toInvite(
        _ status: String, _ headers: [String] = [], body: String = "", end: String = ""
    ) -> Scenario {
        let lines = [
            "SIP/2.0 \(status)", "Via:[$via]", "From:[$far]", "To:[$own];\(Self.localTag)\(end)",
            "Call-ID: [call_id]", "CSeq:[$sequence]", "Contact: <sip:sipp@[local_ip]:[local_port]>",
        ]
        return changed { $0.append(lines + headers, body) }
    }

    /// A response to the last request inside the call.
    func answer(_ status: String = "200 OK", _ headers: [String] = [], body: String = "") -> Scenario {
        let copied = ["Via", "From", "To", "Call-ID", "CSeq"].map { "[last_\($0):]" }
        let lines = ["SIP/2.0 \(status)"] + copied + ["Contact: <sip:sipp@[local_ip]:[local_port]>"]
        return changed { $0.append(lines + headers, body) }
    }

    /// A pause.
    func pause(_ milliseconds: Int) -> Scenario {
        changed { $0.steps.append("<pause milliseconds=\"\(milliseconds)\"/>") }
    }

    func times(_ count: Int, _ steps: (Scenario) -> Scenario) -> Scenario {
        (0..<count).reduce(self) { scenario, _ in steps(scenario) }
    }

    /// The phone hangs up.
    var bye: Scenario { request("BYE").answer() }

    // MARK: SIPp's format

    var xml: String {
        // SIPp rejects a name that is set and never used.
        let names = ["via", "far", "own", "sequence", "target"] + (0..<checks).map { "check\($0)" }
        let used = names.filter { name in steps.contains { $0.contains("assign_to=\"\(name)\"") } }
        let reference = used.isEmpty ? "" : "<Reference variables=\"\(used.joined(separator: ","))\"/>\n"
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <scenario name="offhook">
            \(steps.joined(separator: "\n"))
            \(reference)</scenario>

            """
    }

    private func changed(_ change: (inout Scenario) -> Void) -> Scenario {
        var copy = self
        change(&copy)
        return copy
    }

    private mutating func expect(_ what: String, _ expected: [String: String], more: [String] = []) {
        var actions = more
        for (header, pattern) in expected.sorted(by: { $0.key < $1.key }) {
            actions.append(
                "<ereg regexp=\"\(pattern)\" search_in=\"hdr\" header=\"\(header):\" check_it=\"true\" "
                    + "assign_to=\"check\(checks)\"/>")
            checks += 1
        }
        steps.append("<recv \(what)>\(actions.isEmpty ? "" : "<action>\(actions.joined())</action>")</recv>")
    }

    private mutating func append(_ lines: [String], _ body: String) {
        let ending =
            body.isEmpty ? ["Content-Length: 0"] : ["Content-Type: application/sdp", "Content-Length: [len]"]
        let text = (lines + ending).joined(separator: "\n") + "\n\n" + body
        steps.append("<send><![CDATA[\n\n\(text)\n\n]]></send>")
    }
}
