import ArgumentParser
import Control
import JSON

struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Check configuration, vault, sound, panel, accounts and the machine.",
        discussion: """
            Changes nothing. Beside a running phone, it reports the phone's own states. Without one, it registers and \
            unregisters each account for real. Exits 1 if a check fails.
            """)

    @OptionGroup var phone: ConfigurationOption
    @Option(help: "File of a key that is sealed to this machine.")
    var credential = SealingOptions.usualCredential
    @Flag(help: "Do not register accounts.") var offline = false
    @Flag(help: "Print JSON.") var json = false

    func run() throws {
        _ = PrivateMemory.hide()
        var findings: [DoctorFinding] = []
        // Print each line at once, because some checks take seconds.
        try Doctor(path: phone.config, credential: credential, isOffline: offline).run { finding in
            findings.append(finding)
            guard !json else { return }
            print(finding.line)
            try StandardOutput.flush()
        }
        if json { print(JSONValue.array(findings.map(\.json)).text) }
        if findings.contains(where: { $0.state == .fail }) { throw ExitCode.failure }
    }
}
