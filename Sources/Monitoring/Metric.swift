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
