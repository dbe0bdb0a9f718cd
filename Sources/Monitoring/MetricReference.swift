/// What one metric is, for people and for Prometheus.
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
        case .buildInfo: MetricReference(.gauge, ["version"], "Always 1; the label tells the version.")
        case .startTime: MetricReference(.gauge, "When the program started, in seconds since 1970.")
        case .processorTime: MetricReference(.counter, "Processor time of all threads.")
        case .residentMemory: MetricReference(.gauge, "Memory in use, with the program's own code and libraries.")
        case .anonymousMemory: MetricReference(.gauge, "Memory in use that no file backs: the phone's own data.")
        case .readyAfter: MetricReference(.gauge, "How long the start took until calls could ring.")
        case .wakeups: MetricReference(.counter, "How often the control loop was woken up.")
        case .eventsLost: MetricReference(.counter, "Events that the phone lost because its queue was full.")
        case .faults: MetricReference(.counter, "Faults that the phone has reported in its log.")
        case .registration:
            MetricReference(
                .gauge, ["account", "state"], "1 for the state that the account's registration is in, else 0.")
        case .registrationFailures:
            MetricReference(.counter, ["account"], "How often a registration failed or was lost.")
        case .messagesWaiting: MetricReference(.gauge, ["account"], "Voice messages that the account's server keeps.")
        case .networkUp: MetricReference(.gauge, "1 while the machine has a network, else 0.")
        case .callsCurrent: MetricReference(.gauge, "Calls that ring, are set up, or are up.")
        case .calls:
            MetricReference(
                .counter, ["direction", "result"],
                "Calls that have ended: answered, unanswered, refused (by the phone or a person here), or failed.")
        case .callEnds: MetricReference(.counter, ["reason"], "Calls that have ended, by the reason as in callEnded.")
        case .callsMissed: MetricReference(.counter, ["reason"], "Missed calls, by the reason as in missedCall.")
        case .callsProtected:
            MetricReference(
                .counter, ["protection"],
                "Calls that were answered and have ended, by what protected the voice: clear, sdes, dtls or verified.")
        case .callsRefused:
            MetricReference(
                .counter, ["reason"], "Calls that a line turned away before they could ring, by the reason.")
        case .codes:
            MetricReference(
                .counter, ["outcome"],
                "Codes of relays that far ends dialled: right, wrong, or locked, which includes the wrong one that locks."
            )
        case .announceTime: MetricReference(.histogram, "Time from the arrival of a call until the phone rings.")
        case .answerTime: MetricReference(.histogram, "Time from the decision to answer a call until it is up.")
        case .callTime: MetricReference(.histogram, "Length of calls that were answered.")
        default: technicalReference
        }
    }

    /// References of figures about what carries a call rather than about the call.
    private var technicalReference: MetricReference {
        switch self {
        case .opinionScore:
            MetricReference(
                .histogram, "Mean opinion score of what is heard here, 1 to 4.5, for each report of quality.")
        case .jitter: MetricReference(.histogram, "Jitter of the voice that arrives, for each report of quality.")
        case .roundTrip: MetricReference(.histogram, "Time to the far end and back, for each report of quality.")
        case .loss:
            MetricReference(.histogram, "Share of the far end's packets that were lost, for each report of quality.")
        case .concealment:
            MetricReference(.histogram, "Share of the voice that was invented, for each report of quality.")
        case .bufferLevel:
            MetricReference(.histogram, "Voice that waits in the jitter buffer, for each report of quality.")
        case .soundFaults: MetricReference(.counter, ["direction"], "How often a sound device ran empty or over.")
        case .soundPeriods: MetricReference(.counter, ["direction"], "Periods of sound that were captured or played.")
        case .devicesLost: MetricReference(.counter, "How often a sound device was lost.")
        case .soundTest:
            MetricReference(
                .gauge, ["route", "result"],
                "1 for what the last test of the route's loudspeaker and microphone found, else 0: ok, silent, tooLoud or missing."
            )
        case .watchdogAge:
            MetricReference(
                .gauge, "Time since all threads that the phone needs have last answered, or since the start.")
        case .packets:
            MetricReference(.counter, ["direction"], "Packets of voice that were sent, or received and accepted.")
        case .packetsDiscarded:
            MetricReference(.counter, ["reason"], "Packets of voice that were discarded, by the reason.")
        case .mediaMessagesLost: MetricReference(.counter, "Messages between the threads of sound that found no room.")
        case .recordingsFailed: MetricReference(.counter, "Recordings of calls that failed.")
        case .lineDiscarded:
            MetricReference(
                .counter, ["line", "reason"], "What a line did not read or did not believe, by the reason.")
        case .lineUnsent: MetricReference(.counter, ["line"], "Messages that this machine could not send.")
        case .lineReopenings: MetricReference(.counter, ["line"], "Sockets that had to be opened again.")
        case .vaultWriteTime: MetricReference(.summary, "Writes of the vault to the disk, and their time.")
        case .vaultFailures: MetricReference(.counter, "Writes of the vault that the disk refused.")
        case .panelEdges: MetricReference(.counter, "Changes of the panel's contacts, with all that bounced.")
        case .panelEvents: MetricReference(.counter, "What the panel's contacts meant, after debouncing.")
        case .controlConnections: MetricReference(.gauge, "Programs that are connected to the control socket.")
        case .controlRequests: MetricReference(.counter, "Requests of programs.")
        case .controlRefused:
            MetricReference(.counter, ["reason"], "Programs that were turned away or dropped, by the reason.")
        case .programsStarted: MetricReference(.counter, "Programs that on_event has started.")
        case .programsFailed:
            MetricReference(
                .counter, ["reason"], "Programs of on_event that could not start, failed, or took too long.")
        case .programEventsDropped:
            MetricReference(
                .counter, ["reason"], "Events that on_event gave to no program, by the limit that was reached.")
        default: preconditionFailure("\(rawValue) has no reference")
        }
    }
}
