import ArgumentParser
import Glibc
import Trace

struct TraceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trace",
        abstract: "Show the SIP messages of a running phone: the last ones by call, then those that come.",
        discussion: """
            Passwords, keys and answers to challenges are never shown, nor written into a capture; each of their letters is \
            a star or an x. So are digits in calls, unless the phone runs with --show-digits. Times are UTC.
            """)

    @OptionGroup var phone: RunningPhone
    @Option(help: "Only messages whose Call-ID begins like this.") var call: String?
    @Option(help: "Only the line of this account: its label, or direct.") var account: String?
    @Option(help: "Only this method, and the responses to it.") var method: String?
    @Option(help: "Only messages to and from this address, with or without a port.") var peer: String?
    @Flag(inversion: .prefixedNo, help: "Go on with what comes, until interrupted.") var follow = true
    @Flag(help: "Show bodies; without, texts are stars in a capture too.") var bodies = false
    @Option(help: "Write a capture for Wireshark or sngrep instead; - is standard output.") var pcap: String?

    func run() throws {
        let filter = SignalFilter(callID: call, account: account, method: method, peer: peer)
        var reader = SignalReader(try phone.connect())
        var output = try pcap.map { try SignalOutput(capture: $0) } ?? SignalOutput(showsBodies: bodies)
        var batch = try reader.past()
        while true {
            if batch.lost > 0 {
                TextOutput(descriptor: STDERR_FILENO).write("\(batch.lost) messages came faster than they were read")
            }
            let wanted = batch.signals.filter(filter.admits)
            try output.write(bodies ? wanted : wanted.map(\.withoutWords))
            guard follow else { return }
            batch = try reader.next()
        }
    }
}
