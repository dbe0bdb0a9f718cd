import ArgumentParser
import EventLog

/// Options of the event log, which records everything that happens to a running phone.
struct EventLogOptions: ParsableArguments {
    /// The settings of the event log.
    struct Values: Sendable {
        let path: String
        /// The size limit of a file, in bytes.
        let limit: Int
        let privacy: Privacy
    }

    private static let limits = 1...1_024

    @Option(help: "Record events into this file, for `offhook replay`. An existing file becomes FILE.1.")
    var record: String?
    @Option(help: "Size limit of the event log's file in MiB. The previous one, FILE.1, may be as large.")
    var recordLimit = 16
    @Flag(help: "Replace numbers and names in the event log by placeholders.")
    var recordRedact = false
    @Flag(help: "Show digits typed in calls, which may be a PIN, in the event log and `offhook trace`.")
    var showDigits = false

    /// Nil: the phone records nothing.
    var values: Values? {
        record.map { Values(path: $0, limit: recordLimit << 20, privacy: privacy) }
    }

    private var privacy: Privacy {
        switch (recordRedact, showDigits) {
        case (true, _): .everybodyHidden
        case (false, true): .nothingHidden
        case (false, false): .digitsHidden
        }
    }

    func validate() throws {
        guard Self.limits.contains(recordLimit) else {
            throw ValidationError("--record-limit must be \(Self.limits.lowerBound) to \(Self.limits.upperBound)")
        }
        guard record != "" else { throw ValidationError("--record needs a file") }
        guard !recordRedact || !showDigits else {
            throw ValidationError("give --record-redact or --show-digits, not both")
        }
        guard record != nil || !recordRedact else { throw ValidationError("--record-redact needs --record") }
    }
}
