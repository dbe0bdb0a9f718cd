import Base
import Commands
import Glibc
import Platform

/// Writes a support bundle.
enum ReportCommand {
    static var command: Command {
        Command(
            "report", "Write an archive that describes this phone and its machine, for somebody who helps.",
            discussion: """
                The archive has the version, the configuration, doctor's findings, state, log, start times, metrics, \
                board file, sound devices, kernel and service. It has no passwords, keys, tokens and codes. It has \
                numbers and names of callers: --hide-numbers replaces the numbers. Read it before you send it.
                Changes nothing on the machine, has at most \(SupportReport.limit >> 20) MiB, and takes at most some \
                minute.
                """, example: "offhook report\ntar -xOf report.tar report/doctor.txt", ConfigurationOption.input,
            Parameter.optionalArgument(
                "file", "File to write; - is standard output. Default: offhook-report-TIME.tar in the present folder.",
                .file(ending: "tar")),
            Parameter.flag("hide-numbers", "Replace numbers of people by placeholders."),
            Parameter.option(
                "events", "Event log to include. Default: events.jsonl beside the vault, if it is there.", .file()),
            Parameter.option("credential", "File of a key that is sealed to this machine.", .file())
                .usual(SealingOptions.usualCredential)
        ) { phone, file, hidesNumbers, events, credential in
            _ = PrivateMemory.hide()
            try Permission.check(phone)
            let path = file ?? usualFile
            // Before the work, because the file may exist.
            let output = try OutputFile(path: path)
            var report = SupportReport(
                phone: phone, credential: credential, eventLog: events, hidesNumbers: hidesNumbers)
            report.collect()
            try output.write(report.archive.bytes)
            try output.close()
            guard path != "-" else { return }
            print("\(path): \(report.names.count) files, \(report.archive.bytes.count >> 10) KiB")
            for note in report.notes { print("  \(note)".withoutCommands) }
        }
    }

    private static var usualFile: String {
        guard let now = CalendarTime(RealTimeClock.now(), in: .local) else { return "offhook-report.tar" }
        let time = now.timeOfDay.filter { $0 != ":" }
        return "offhook-report-\(now.date)-\(time).tar"
    }
}

/// Whether this user may use the phone's files.
enum Permission {
    /// Rejects users who may not enter the vault's folder, before a command has done half of its work.
    static func check(_ phone: ConfigurationOption) throws(CommandError) {
        let vault = vaultFile(phone)
        guard unsafe access(vault.openedFolder, R_OK | X_OK) != 0, errno == EACCES else { return }
        throw CommandError(
            "this user has no permission for \(vault.openedFolder); run the command as root, or as user offhook "
                + "(runuser -u offhook -- …)")
    }

    /// Also of a configuration with mistakes.
    private static func vaultFile(_ phone: ConfigurationOption) -> String {
        let known = try? BoardReference(configuration: phone.config).vaultFile
        return known ?? VaultSection().file
    }
}
