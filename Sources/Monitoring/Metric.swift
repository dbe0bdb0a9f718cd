import PhoneCore

/// The phone's metrics. `Metric.reference` has one row for each, for both the metrics page and `docs/metrics.md`.
public enum Metric: CaseIterable, Sendable {
    // The program.
    case buildInfo, startTime, processorTime, residentMemory, anonymousMemory, readyAfter, wakeups, eventsLost, faults
    // Accounts.
    case registration, registrationFailures, messagesWaiting, networkUp
    // The backend.
    case organisationSwitches, signInNeeded
    // Calls.
    case callsCurrent, calls, callEnds, callsMissed, callsProtected, callsRefused, codes, announceTime, answerTime,
        callTime
    // The quality of voice.
    case opinionScore, jitter, roundTrip, loss, concealment, bufferLevel
    // Sound.
    case soundFaults, soundPeriods, devicesLost, soundTest, watchdogAge, packets, packetsDiscarded, mediaMessagesLost,
        recordingsFailed
    // Signalling.
    case lineDiscarded, lineUnsent, lineReopenings
    // Caller info.
    case callerInfoConnected, callerInfoConnections, callerInfoMessages
    // The vault.
    case vaultWriteTime, vaultFailures
    // The panel.
    case panelEdges, panelEvents, panelDialFaults
    // Other programs.
    case controlConnections, controlRequests, controlRefused, programsStarted, programsFailed, programEventsDropped
}

/// One metric: its name in Prometheus, its kind and labels, and its description for people.
public struct MetricReference: Sendable {
    public enum Kind: Equatable, Sendable {
        case counter, gauge, summary
        /// Counts values up to each of these bounds, in the metric's unit.
        case histogram([Double])

        /// The kind as Prometheus names it.
        public var word: String {
            switch self {
            case .counter: "counter"
            case .gauge: "gauge"
            case .summary: "summary"
            case .histogram: "histogram"
            }
        }
    }

    /// A value is only an account, a line or one of the phone's own words, never text from a far end.
    public struct Label: ExpressibleByStringLiteral, Sendable {
        public let name: String
        /// All values that it can have. Empty: not known in advance.
        let values: [String]

        init(_ name: String, _ values: [String]) { (self.name, self.values) = (name, values) }

        public init(stringLiteral name: String) { self.init(name, []) }

        static func words<Value: CaseIterable & RawRepresentable<String>>(
            _ name: String, of type: Value.Type
        ) -> Label { Label(name, Value.allCases.map(\.rawValue)) }
    }

    public let name: String
    public let kind: Kind
    /// In the order of their values in `MetricPage`.
    public let labels: [Label]
    public let help: String

    init(_ name: String, _ kind: Kind, _ labels: [Label], _ help: String) {
        (self.name, self.kind, self.labels, self.help) = (name, kind, labels, help)
    }

    init(_ name: String, _ kind: Kind, _ help: String) { self.init(name, kind, [], help) }

    /// The values of the labels of every series that a counter can have. Empty if a label's values are not known.
    var knownSeries: [[String]] {
        guard !labels.isEmpty else { return [] }
        return labels.reduce([[]]) { series, label in
            series.flatMap { values in label.values.map { values + [$0] } }
        }
    }
}

extension Metric {
    public var reference: MetricReference {
        switch self {
        // The program.
        case .buildInfo: .init("offhook_build_info", .gauge, ["version"], "Always 1; the label has the version.")
        case .startTime: .init("process_start_time_seconds", .gauge, "When the program started, in seconds since 1970.")
        case .processorTime: .init("process_cpu_seconds_total", .counter, "Processor time of all threads.")
        case .residentMemory:
            .init("process_resident_memory_bytes", .gauge, "Memory in use, with the program's own code and libraries.")
        case .anonymousMemory:
            .init(
                "offhook_memory_anonymous_bytes", .gauge,
                "Memory in use without a file behind it: the phone's own data.")
        case .readyAfter: .init("offhook_ready_seconds", .gauge, "Time from the start until calls could ring.")
        case .wakeups: .init("offhook_control_loop_wakeups_total", .counter, "How often the control loop was woken up.")
        case .eventsLost:
            .init("offhook_events_lost_total", .counter, "Events that the phone lost because its queue was full.")
        case .faults: .init("offhook_faults_total", .counter, "Faults reported in the log.")
        // Accounts.
        case .registration:
            .init(
                "offhook_registration_state", .gauge, ["account", "state"],
                "1 for the current state of the account's registration, else 0.")
        case .registrationFailures:
            .init(
                "offhook_registration_failures_total", .counter, ["account"],
                "How often a registration failed or was lost.")
        case .messagesWaiting:
            .init("offhook_messages_waiting", .gauge, ["account"], "Voice messages waiting at the account's server.")
        case .networkUp: .init("offhook_network_up", .gauge, "1 while the machine has a network, else 0.")
        // The backend.
        case .organisationSwitches:
            .init(
                "offhook_organization_switches_total", .counter, ["result"],
                "Changes of the organization: switched, or failed, by the reason as in organizationSwitchFailed.")
        case .signInNeeded:
            .init("offhook_sign_in_needed", .gauge, "1 while a person has to sign the phone in again, else 0.")
        // Calls.
        case .callsCurrent: .init("offhook_calls_current", .gauge, "Calls that are ringing, being set up, or up.")
        case .calls:
            .init(
                "offhook_calls_total", .counter,
                [.words("direction", of: CallSummary.Direction.self), .words("result", of: PhoneFigures.Outcome.self)],
                "Ended calls: answered, unanswered, refused (by the phone or a person here), or failed.")
        case .callEnds:
            .init("offhook_call_ends_total", .counter, ["reason"], "Ended calls, by the reason as in callEnded.")
        case .callsMissed:
            .init(
                "offhook_calls_missed_total", .counter, [.init("reason", MissedReason.allCases.map(\.code).sorted())],
                "Missed calls, by the reason as in missedCall.")
        case .callsProtected:
            .init(
                "offhook_calls_protected_total", .counter, [.words("protection", of: CallProtection.self)],
                "Answered and ended calls, by the protection of the voice: clear, sdes, dtls or verified.")
        case .callsRefused:
            .init(
                "offhook_calls_refused_total", .counter, [.words("reason", of: CallRefusal.self)],
                "Calls that a line rejected before they could ring, by the reason.")
        case .codes:
            .init(
                "offhook_codes_total", .counter, [.words("outcome", of: PhoneFigures.CodeResult.self)],
                "Relay codes dialled by far ends: right, wrong, or locked. The wrong code that locks counts as locked.")
        case .announceTime:
            .init(
                "offhook_call_announce_seconds",
                .histogram([0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5]),
                "Time from the arrival of a call until the phone rings.")
        case .answerTime:
            .init(
                "offhook_call_answer_seconds", .histogram([0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]),
                "Time from the decision to answer a call until it is up.")
        case .callTime:
            .init(
                "offhook_call_duration_seconds", .histogram([10, 30, 60, 300, 900, 3_600]),
                "Length of answered calls.")
        // The quality of voice.
        case .opinionScore:
            .init(
                "offhook_voice_mos", .histogram([1.5, 2, 2.5, 3, 3.5, 4, 4.3]),
                "Mean opinion score of the received voice, 1 to 4.5, for each quality report.")
        case .jitter:
            .init(
                "offhook_voice_jitter_seconds", .histogram([0.001, 0.0025, 0.005, 0.01, 0.02, 0.05, 0.1]),
                "Jitter of the received voice, for each quality report.")
        case .roundTrip:
            .init(
                "offhook_voice_round_trip_seconds", .histogram([0.01, 0.025, 0.05, 0.1, 0.2, 0.4, 1]),
                "Round-trip time to the far end, for each quality report.")
        case .loss:
            .init(
                "offhook_voice_loss_ratio", .histogram([0, 0.001, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25]),
                "Share of the far end's packets that were lost, for each quality report.")
        case .concealment:
            .init(
                "offhook_voice_concealed_ratio", .histogram([0, 0.001, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25]),
                "Share of concealed voice, for each quality report.")
        case .bufferLevel:
            .init(
                "offhook_voice_buffer_seconds", .histogram([0.02, 0.04, 0.06, 0.08, 0.12, 0.2, 0.4]),
                "Voice in the jitter buffer, for each quality report.")
        // Sound.
        case .soundFaults:
            .init("offhook_sound_xruns_total", .counter, ["direction"], "Overruns and underruns of sound devices.")
        case .soundPeriods:
            .init("offhook_sound_periods_total", .counter, ["direction"], "Periods of sound captured or played.")
        case .devicesLost: .init("offhook_sound_devices_lost_total", .counter, "How often a sound device was lost.")
        case .soundTest:
            .init(
                "offhook_sound_test_result", .gauge, ["route", "result"],
                "1 for the result of the route's last sound test, else 0: ok, silent, tooLoud or missing.")
        case .watchdogAge:
            .init(
                "offhook_watchdog_age_seconds", .gauge,
                "Time since all required threads last answered, or since the start.")
        case .packets:
            .init(
                "offhook_media_packets_total", .counter, ["direction"],
                "Voice packets sent, or received and accepted.")
        case .packetsDiscarded:
            .init(
                "offhook_media_packets_discarded_total", .counter, ["reason"],
                "Discarded voice packets, by the reason.")
        case .mediaMessagesLost:
            .init(
                "offhook_media_messages_lost_total", .counter,
                "Messages between media threads lost because a queue was full.")
        case .recordingsFailed: .init("offhook_recordings_failed_total", .counter, "Recordings of calls that failed.")
        // Signalling.
        case .lineDiscarded:
            .init(
                "offhook_line_messages_discarded_total", .counter, ["line", "reason"],
                "Messages that a line could not parse or did not trust, by the reason.")
        case .lineUnsent:
            .init(
                "offhook_line_messages_unsent_total", .counter, ["line"],
                "Messages that this machine could not send.")
        case .lineReopenings:
            .init("offhook_line_sockets_reopened_total", .counter, ["line"], "Sockets that had to be opened again.")
        // Caller info.
        case .callerInfoConnected:
            .init("offhook_caller_info_connected", .gauge, "1 while the phone receives caller info, else 0.")
        case .callerInfoConnections:
            .init("offhook_caller_info_connections_total", .counter, "Connections to the broker of caller info.")
        case .callerInfoMessages:
            .init(
                "offhook_caller_info_messages_total", .counter, ["result"],
                "Messages of the broker: taken, unsettled (sent again), or dropped, by the reason.")
        // The vault.
        case .vaultWriteTime:
            .init("offhook_vault_write_seconds", .summary, "Writes of the vault to the disk, and their time.")
        case .vaultFailures:
            .init("offhook_vault_write_failures_total", .counter, "Failed writes of the vault to the disk.")
        // The panel.
        case .panelEdges:
            .init("offhook_panel_edges_total", .counter, "Changes of the panel's contacts, including bounces.")
        case .panelEvents:
            .init("offhook_panel_events_total", .counter, "Events of the panel's contacts, after debouncing.")
        case .panelDialFaults:
            .init("offhook_panel_dial_faults_total", .counter, "Turns of the rotary dial that gave no digit.")
        // Other programs.
        case .controlConnections:
            .init("offhook_control_connections", .gauge, "Programs connected to the control socket.")
        case .controlRequests: .init("offhook_control_requests_total", .counter, "Requests of programs.")
        case .controlRefused:
            .init(
                "offhook_control_refused_total", .counter, ["reason"],
                "Programs rejected or disconnected, by the reason.")
        case .programsStarted: .init("offhook_programs_started_total", .counter, "Programs started by on_event.")
        case .programsFailed:
            .init(
                "offhook_programs_failed_total", .counter, ["reason"],
                "Programs of on_event that did not start, failed, or took too long.")
        case .programEventsDropped:
            .init(
                "offhook_program_events_dropped_total", .counter, ["reason"],
                "Events for which on_event started no program, by the limit that was reached.")
        }
    }
}
