/// The description of one metric, for people and for Prometheus.
public struct MetricReference: Sendable {
    public enum Kind: String, Sendable { case counter, gauge, histogram, summary }

    public let kind: Kind
    /// The names of its labels, in the order in which `MetricPage` takes their values. Only accounts, lines and words of
    /// the phone are values: never what a far end has said.
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
        case .startTime: MetricReference(.gauge, "Start time of the program, in seconds since 1970.")
        case .processorTime: MetricReference(.counter, "Processor time of all threads.")
        case .residentMemory: MetricReference(.gauge, "Memory in use, including the program's code and libraries.")
        case .anonymousMemory: MetricReference(.gauge, "Memory in use without a file behind it: the phone's own data.")
        case .readyAfter: MetricReference(.gauge, "Time from the program's start until calls could ring.")
        case .wakeups: MetricReference(.counter, "Wake-ups of the control loop.")
        case .eventsLost: MetricReference(.counter, "Events that the phone lost because its queue was full.")
        case .faults: MetricReference(.counter, "Faults reported in the phone's log.")
        case .registration:
            MetricReference(
                .gauge, ["account", "state"], "1 for the present state of the account's registration, otherwise 0.")
        case .registrationFailures:
            MetricReference(.counter, ["account"], "Registrations that failed or were lost.")
        case .messagesWaiting: MetricReference(.gauge, ["account"], "Voice messages waiting at the account's server.")
        case .networkUp: MetricReference(.gauge, "1 while the machine has a network, otherwise 0.")
        case .callsCurrent: MetricReference(.gauge, "Present calls: ringing, being set up, or active.")
        case .calls:
            MetricReference(
                .counter, ["direction", "result"],
                "Ended calls: answered, unanswered, refused (by the phone or its user), or failed.")
        case .callEnds: MetricReference(.counter, ["reason"], "Ended calls, by reason as in callEnded.")
        case .callsMissed: MetricReference(.counter, ["reason"], "Missed calls, by reason as in missedCall.")
        case .callsProtected:
            MetricReference(
                .counter, ["protection"],
                "Answered calls that have ended, by protection of the voice: clear, sdes, dtls or verified.")
        case .callsRefused:
            MetricReference(
                .counter, ["reason"], "Calls that a line rejected before they could ring, by reason.")
        case .codes:
            MetricReference(
                .counter, ["outcome"],
                "Relay codes dialled by far ends: right, wrong, or locked (including the wrong code that locks)."
            )
        case .announceTime: MetricReference(.histogram, "Time from the arrival of a call until the phone rings.")
        case .answerTime: MetricReference(.histogram, "Time from the decision to answer a call until it is active.")
        case .callTime: MetricReference(.histogram, "Length of answered calls.")
        default: technicalReference
        }
    }

    /// References of metrics about the technology that carries calls.
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
            MetricReference(.histogram, "Share of the voice that was concealed, for each quality report.")
        case .bufferLevel:
            MetricReference(.histogram, "Voice waiting in the jitter buffer, for each quality report.")
        case .soundFaults: MetricReference(.counter, ["direction"], "Underruns and overruns of sound devices.")
        case .soundPeriods: MetricReference(.counter, ["direction"], "Captured or played periods of sound.")
        case .devicesLost: MetricReference(.counter, "Losses of a sound device.")
        case .soundTest:
            MetricReference(
                .gauge, ["route", "result"],
                "1 for the result of the route's last sound test, otherwise 0: ok, silent, tooLoud or missing."
            )
        case .watchdogAge:
            MetricReference(
                .gauge, "Time since the last answer of all vital threads, or since the start.")
        case .packets:
            MetricReference(.counter, ["direction"], "Voice packets that were sent, or received and accepted.")
        case .packetsDiscarded:
            MetricReference(.counter, ["reason"], "Discarded voice packets, by reason.")
        case .mediaMessagesLost:
            MetricReference(.counter, "Messages between audio threads that were lost because a queue was full.")
        case .recordingsFailed: MetricReference(.counter, "Recordings of calls that failed.")
        case .lineDiscarded:
            MetricReference(
                .counter, ["line", "reason"], "Messages that a line ignored or rejected, by reason.")
        case .lineUnsent: MetricReference(.counter, ["line"], "Messages that this machine could not send.")
        case .lineReopenings: MetricReference(.counter, ["line"], "Sockets that had to be opened again.")
        case .vaultWriteTime: MetricReference(.summary, "Writes of the vault to the disk, and their time.")
        case .vaultFailures: MetricReference(.counter, "Writes of the vault that failed.")
        case .panelEdges: MetricReference(.counter, "Level changes of the panel's contacts, including bounces.")
        case .panelEvents: MetricReference(.counter, "Events of the panel's contacts, after debouncing.")
        case .controlConnections: MetricReference(.gauge, "Programs connected to the control socket.")
        case .controlRequests: MetricReference(.counter, "Requests from programs.")
        case .controlRefused:
            MetricReference(.counter, ["reason"], "Programs that were rejected or dropped, by reason.")
        case .programsStarted: MetricReference(.counter, "Programs started by on_event.")
        case .programsFailed:
            MetricReference(
                .counter, ["reason"], "Programs of on_event that could not start, failed, or took too long.")
        case .programEventsDropped:
            MetricReference(
                .counter, ["reason"], "Events that on_event dropped, by the limit that was reached.")
        default: preconditionFailure("\(rawValue) has no reference")
        }
    }
}
