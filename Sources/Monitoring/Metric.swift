/// The phone's metrics, by their names in Prometheus. `Metric.reference` describes each, once for both the metrics page
/// and `docs/metrics.md`.
public enum Metric: String, CaseIterable, Sendable {
    // The program.
    case buildInfo = "offhook_build_info"
    case startTime = "process_start_time_seconds"
    case processorTime = "process_cpu_seconds_total"
    case residentMemory = "process_resident_memory_bytes"
    case anonymousMemory = "offhook_memory_anonymous_bytes"
    case readyAfter = "offhook_ready_seconds"
    case wakeups = "offhook_control_loop_wakeups_total"
    case eventsLost = "offhook_events_lost_total"
    case faults = "offhook_faults_total"
    // Accounts.
    case registration = "offhook_registration_state"
    case registrationFailures = "offhook_registration_failures_total"
    case messagesWaiting = "offhook_messages_waiting"
    case networkUp = "offhook_network_up"
    // The backend.
    case organisationSwitches = "offhook_organization_switches_total"
    case signInNeeded = "offhook_sign_in_needed"
    // Calls.
    case callsCurrent = "offhook_calls_current"
    case calls = "offhook_calls_total"
    case callEnds = "offhook_call_ends_total"
    case callsMissed = "offhook_calls_missed_total"
    case callsProtected = "offhook_calls_protected_total"
    case callsRefused = "offhook_calls_refused_total"
    case codes = "offhook_codes_total"
    case announceTime = "offhook_call_announce_seconds"
    case answerTime = "offhook_call_answer_seconds"
    case callTime = "offhook_call_duration_seconds"
    // The quality of voice.
    case opinionScore = "offhook_voice_mos"
    case jitter = "offhook_voice_jitter_seconds"
    case roundTrip = "offhook_voice_round_trip_seconds"
    case loss = "offhook_voice_loss_ratio"
    case concealment = "offhook_voice_concealed_ratio"
    case bufferLevel = "offhook_voice_buffer_seconds"
    // Sound.
    case soundFaults = "offhook_sound_xruns_total"
    case soundPeriods = "offhook_sound_periods_total"
    case devicesLost = "offhook_sound_devices_lost_total"
    case soundTest = "offhook_sound_test_result"
    case watchdogAge = "offhook_watchdog_age_seconds"
    case packets = "offhook_media_packets_total"
    case packetsDiscarded = "offhook_media_packets_discarded_total"
    case mediaMessagesLost = "offhook_media_messages_lost_total"
    case recordingsFailed = "offhook_recordings_failed_total"
    // Signalling.
    case lineDiscarded = "offhook_line_messages_discarded_total"
    case lineUnsent = "offhook_line_messages_unsent_total"
    case lineReopenings = "offhook_line_sockets_reopened_total"
    // Caller info.
    case callerInfoConnected = "offhook_caller_info_connected"
    case callerInfoConnections = "offhook_caller_info_connections_total"
    case callerInfoMessages = "offhook_caller_info_messages_total"
    // The vault.
    case vaultWriteTime = "offhook_vault_write_seconds"
    case vaultFailures = "offhook_vault_write_failures_total"
    // The panel.
    case panelEdges = "offhook_panel_edges_total"
    case panelEvents = "offhook_panel_events_total"
    case panelDialFaults = "offhook_panel_dial_faults_total"
    // Other programs.
    case controlConnections = "offhook_control_connections"
    case controlRequests = "offhook_control_requests_total"
    case controlRefused = "offhook_control_refused_total"
    case programsStarted = "offhook_programs_started_total"
    case programsFailed = "offhook_programs_failed_total"
    case programEventsDropped = "offhook_program_events_dropped_total"
}

/// The description of one metric, for people and for Prometheus.
public struct MetricReference: Sendable {
    public enum Kind: String, Sendable { case counter, gauge, histogram, summary }

    public let kind: Kind
    /// The names of its labels, in the order of their values in `MetricPage`. Values are only accounts, lines and the
    /// phone's own words, never text from a far end.
    public let labels: [String]
    public let help: String

    init(_ kind: Kind, _ labels: [String], _ help: String) {
        (self.kind, self.labels, self.help) = (kind, labels, help)
    }

    init(_ kind: Kind, _ help: String) { self.init(kind, [], help) }
}

extension Metric {
    public var reference: MetricReference {
        switch self {
        case .buildInfo: MetricReference(.gauge, ["version"], "Always 1; the label has the version.")
        case .startTime: MetricReference(.gauge, "When the program started, in seconds since 1970.")
        case .processorTime: MetricReference(.counter, "Processor time of all threads.")
        case .residentMemory: MetricReference(.gauge, "Memory in use, with the program's own code and libraries.")
        case .anonymousMemory: MetricReference(.gauge, "Memory in use without a file behind it: the phone's own data.")
        case .readyAfter: MetricReference(.gauge, "Time from the start until calls could ring.")
        case .wakeups: MetricReference(.counter, "How often the control loop was woken up.")
        case .eventsLost: MetricReference(.counter, "Events that the phone lost because its queue was full.")
        case .faults: MetricReference(.counter, "Faults reported in the log.")
        case .registration:
            MetricReference(
                .gauge, ["account", "state"], "1 for the current state of the account's registration, else 0.")
        case .registrationFailures:
            MetricReference(.counter, ["account"], "How often a registration failed or was lost.")
        case .messagesWaiting: MetricReference(.gauge, ["account"], "Voice messages waiting at the account's server.")
        case .networkUp: MetricReference(.gauge, "1 while the machine has a network, else 0.")
        case .organisationSwitches:
            MetricReference(
                .counter, ["result"],
                "Changes of the organization: switched, or failed, by the reason as in organizationSwitchFailed.")
        case .signInNeeded: MetricReference(.gauge, "1 while a person has to sign the phone in again, else 0.")
        case .callsCurrent: MetricReference(.gauge, "Calls that are ringing, being set up, or up.")
        case .calls:
            MetricReference(
                .counter, ["direction", "result"],
                "Ended calls: answered, unanswered, refused (by the phone or a person here), or failed.")
        case .callEnds: MetricReference(.counter, ["reason"], "Ended calls, by the reason as in callEnded.")
        case .callsMissed: MetricReference(.counter, ["reason"], "Missed calls, by the reason as in missedCall.")
        case .callsProtected:
            MetricReference(
                .counter, ["protection"],
                "Answered and ended calls, by the protection of the voice: clear, sdes, dtls or verified.")
        case .callsRefused:
            MetricReference(
                .counter, ["reason"], "Calls that a line rejected before they could ring, by the reason.")
        case .codes:
            MetricReference(
                .counter, ["outcome"],
                "Relay codes dialled by far ends: right, wrong, or locked. The wrong code that locks counts as locked."
            )
        case .announceTime: MetricReference(.histogram, "Time from the arrival of a call until the phone rings.")
        case .answerTime: MetricReference(.histogram, "Time from the decision to answer a call until it is up.")
        case .callTime: MetricReference(.histogram, "Length of answered calls.")
        default: technicalReference
        }
    }

    /// References of metrics about the technology behind calls.
    private var technicalReference: MetricReference {
        switch self {
        case .opinionScore:
            MetricReference(
                .histogram, "Mean opinion score of the received voice, 1 to 4.5, for each quality report.")
        case .jitter: MetricReference(.histogram, "Jitter of the received voice, for each quality report.")
        case .roundTrip: MetricReference(.histogram, "Round-trip time to the far end, for each quality report.")
        case .loss:
            MetricReference(.histogram, "Share of the far end's packets that were lost, for each quality report.")
        case .concealment:
            MetricReference(.histogram, "Share of concealed voice, for each quality report.")
        case .bufferLevel:
            MetricReference(.histogram, "Voice in the jitter buffer, for each quality report.")
        case .soundFaults: MetricReference(.counter, ["direction"], "Overruns and underruns of sound devices.")
        case .soundPeriods: MetricReference(.counter, ["direction"], "Periods of sound captured or played.")
        case .devicesLost: MetricReference(.counter, "How often a sound device was lost.")
        case .soundTest:
            MetricReference(
                .gauge, ["route", "result"],
                "1 for the result of the route's last sound test, else 0: ok, silent, tooLoud or missing."
            )
        case .watchdogAge:
            MetricReference(
                .gauge, "Time since all required threads last answered, or since the start.")
        case .packets:
            MetricReference(.counter, ["direction"], "Voice packets sent, or received and accepted.")
        case .packetsDiscarded:
            MetricReference(.counter, ["reason"], "Discarded voice packets, by the reason.")
        case .mediaMessagesLost:
            MetricReference(.counter, "Messages between media threads lost because a queue was full.")
        case .recordingsFailed: MetricReference(.counter, "Recordings of calls that failed.")
        case .lineDiscarded:
            MetricReference(
                .counter, ["line", "reason"], "Messages that a line could not parse or did not trust, by the reason.")
        case .lineUnsent: MetricReference(.counter, ["line"], "Messages that this machine could not send.")
        case .lineReopenings: MetricReference(.counter, ["line"], "Sockets that had to be opened again.")
        case .callerInfoConnected: MetricReference(.gauge, "1 while the phone receives caller info, else 0.")
        case .callerInfoConnections: MetricReference(.counter, "Connections to the broker of caller info.")
        case .callerInfoMessages:
            MetricReference(
                .counter, ["result"],
                "Messages of the broker: taken, unsettled (sent again), or dropped, by the reason.")
        case .vaultWriteTime: MetricReference(.summary, "Writes of the vault to the disk, and their time.")
        case .vaultFailures: MetricReference(.counter, "Failed writes of the vault to the disk.")
        case .panelEdges: MetricReference(.counter, "Changes of the panel's contacts, including bounces.")
        case .panelEvents: MetricReference(.counter, "Events of the panel's contacts, after debouncing.")
        case .panelDialFaults: MetricReference(.counter, "Turns of the rotary dial that gave no digit.")
        case .controlConnections: MetricReference(.gauge, "Programs connected to the control socket.")
        case .controlRequests: MetricReference(.counter, "Requests of programs.")
        case .controlRefused:
            MetricReference(.counter, ["reason"], "Programs rejected or disconnected, by the reason.")
        case .programsStarted: MetricReference(.counter, "Programs started by on_event.")
        case .programsFailed:
            MetricReference(
                .counter, ["reason"], "Programs of on_event that did not start, failed, or took too long.")
        case .programEventsDropped:
            MetricReference(
                .counter, ["reason"], "Events for which on_event started no program, by the limit that was reached.")
        default: preconditionFailure("\(rawValue) has no reference")
        }
    }
}
