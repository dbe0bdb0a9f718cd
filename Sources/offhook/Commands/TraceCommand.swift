import ArgumentParser
import Glibc
import Trace

struct TraceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trace",
        abstract: "Show the SIP messages of a running phone: past ones by call, then new ones.",
        discussion: """
            The phone hides passwords, keys and answers to challenges, also in captures: each character is a star or \
            an x. It also hides digits in calls, unless it runs with --show-digits. Times are UTC.
            """)

    @OptionGroup var phone: RunningPhone
    @Option(help: "Only messages whose Call-ID begins with this text.") var call: String?
    @Option(help: "Only messages of this account (its label), or direct.") var account: String?
    @Option(help: "Only this method, and the responses to it.") var method: String?
    @Option(help: "Only messages to and from this address, with or without a port.") var peer: String?
    @Flag(inversion: .prefixedNo, help: "Continue with new messages, until interrupted.") var follow = true
    @Flag(help: "Show bodies. Without it, texts are stars in captures too.") var bodies = false
    @Option(help: "Write a capture for Wireshark or sngrep to this file instead; - is standard output.") var pcap:
        String?

    func run() throws {
        let filter = SignalFilter(callID: call, account: account, method: method, peer: peer)
        var reader = SignalReader(try phone.connect())
        var output = try pcap.map { try SignalOutput(capture: $0) } ?? SignalOutput(showsBodies: bodies)
        var batch = try reader.past()
        while true {
            if batch.lost > 0 {
                TextOutput(descriptor: STDERR_FILENO).write(
                    "\(batch.lost) messages were lost: they came faster than they were read")
            }
            let wanted = batch.signals.filter(filter.admits)
            try output.write(bodies ? wanted : wanted.map(\.withoutWords))
            guard follow else { return }
            batch = try reader.next()
        }
    }
}
