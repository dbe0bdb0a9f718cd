import ArgumentParser
import EventLog

/// Whether and how a running phone records what happens to it.
struct EventLogOptions: ParsableArguments {
    /// The settings of the event log.
    struct Values: Sendable {
        let path: String
        /// The largest size of a file, in bytes.
        let limit: Int
        let privacy: Privacy
    }

    private static let limits = 1...1_024

    @Option(help: "Record what happens into this file, for `offhook replay`. What is there becomes FILE.1.")
    var record: String?
    @Option(help: "MiB of the event log's file; FILE.1, the one before it, takes as much again.")
    var recordLimit = 16
    @Flag(help: "Replace numbers and names in the event log.")
    var recordRedact = false
    @Flag(help: "Show the digits of calls, which may be a PIN, in the event log and in `offhook trace`.")
    var showDigits = false

    /// Nil: nothing is recorded.
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
        guard !recordRedact || !showDigits else { throw ValidationError("give --record-redact or --show-digits") }
        guard record != nil || !recordRedact else { throw ValidationError("--record-redact needs --record") }
    }
}
