/// Every thread that the program starts: its name for `top` and debuggers, its scheduling, its work, and what it may
/// wait for. Such a thread is made from its role. swift-nio starts two more, which `table` has as well.
public enum ThreadRole: String, CaseIterable, Sendable {
    case mediaAudio = "media-audio"
    case mediaNetwork = "media-network"
    case mediaRinger = "media-ringer"
    case panel
    case display
    case vault
    case http
    case mediaEvents = "media-events"
    case mediaDevices = "media-devices"
    case mediaRecorder = "media-recorder"
    case mediaPlayer = "media-player"
    case mediaRings = "media-rings"
    case mediaConnections = "media-connect"
    case mediaNames = "media-names"
    case eventLog = "event-log"
    case programs
    case network
    case callerInfo = "caller-info"
    case setup

    /// The priority of SCHED_FIFO, 1...99, where the system permits it; nil: normal scheduling.
    public var priority: Int32? {
        switch self {
        // These are below the kernel's own threads and above every thread that does not handle sound. The sound device
        // does not wait. A packet may wait for as long as the jitter buffer has others.
        case .mediaAudio: 20
        case .http: nil
        case .mediaNetwork: 19
        case .mediaRinger, .panel, .display, .vault, .mediaEvents, .mediaDevices, .mediaRecorder, .mediaPlayer,
            .mediaRings, .mediaConnections, .mediaNames,
            .eventLog, .programs, .network, .callerInfo, .setup:
            nil
        }
    }

    /// The size of the stack; nil: the system's default, usually 8 MB.
    var stackBytes: Int? {
        switch self {
        case .http: 512 * 1_024
        // Enough for libopus, which keeps its scratch memory on the stack.
        case .mediaAudio, .mediaNetwork, .mediaRinger, .mediaEvents, .mediaDevices, .mediaRecorder, .mediaPlayer,
            .mediaRings, .mediaConnections, .mediaNames, .programs, .network, .callerInfo, .display:
            512 * 1_024
        case .panel, .vault, .eventLog, .setup: nil
        }
    }

    /// The thread's work, the time that it has for it, and what it may wait for.
    fileprivate var words: (runs: String, budget: String, waits: String) {
        switch self {
        case .mediaAudio:
            ("both directions of the sound device, codec, jitter buffer, tones", "a quantum", "the sound device")
        case .mediaNetwork: ("sending and receiving, SRTP, RTCP", "a packet", "its sockets")
        case .mediaRinger: ("the ringer's own device, if there is one", "a period", "the sound device")
        case .panel: ("edges, debounce, key scan, lamp and bell cadences", "a key scan", "the kernel")
        case .display: ("the display, if there is one", "none", "the bus")
        case .vault: ("SQLite, sealing, fsync", "none", "the disk")
        case .http: ("requests to web servers by libcurl, from the first one on", "none", "servers, authorities' files")
        case .mediaEvents: ("reports of the audio threads", "none", "locks")
        case .mediaDevices: ("opening and closing sound devices", "none", "the sound device")
        case .mediaRecorder: ("recordings of calls, if allowed", "2.7 s", "the disk")
        case .mediaPlayer: ("files played into calls, if allowed", "a file's buffer", "the disk")
        case .mediaRings: ("reads ring and hold music files, once", "none", "the disk")
        case .mediaConnections: ("call paths (ICE, TURN) and DTLS handshakes", "50 ms", "nothing")
        case .mediaNames: ("names of STUN and TURN servers, if any", "none", "DNS")
        case .eventLog: ("the event log of `run --record`", "1,024 events", "the disk")
        case .programs: ("starts and ends programs of `on_event`, if any", "none", "the programs")
        case .network: ("reads the network path after kernel notifications", "none", "the kernel")
        case .callerInfo: ("libmosquitto's connection to the broker, if there is one", "none", "DNS, the machine")
        case .setup:
            (
                "a check or trial of setup, while it runs; a trial at a server has its own event loop", "none",
                "servers, the sound device"
            )
        }
    }

    /// All threads as a Markdown table. swift-nio starts and names the first two: the event loop, and the one pool
    /// thread in which `Lines` queries DNS.
    public static var table: [String] {
        let head = ["| thread | runs | scheduling | budget | may wait for |", "|---|---|---|---|---|"]
        let control =
            "| `NIO-ELT-0-#0` (control) | the machine, `Lines`, `Control`, all `perform` calls | normal | 5 ms | nothing |"
        let names =
            "| `TP-#0` | DNS queries, from the first name on | normal | none | DNS |"
        return head + [control, names]
            + allCases.map { role in
                let words = role.words
                let scheduling = role.priority.map { "FIFO \($0)" } ?? "normal"
                return "| `\(role.rawValue)` | \(words.runs) | \(scheduling) | \(words.budget) | \(words.waits) |"
            }
    }
}
