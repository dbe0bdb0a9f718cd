import Base
import PhoneCore
import Platform

/// Reasons why Media or a call's media cannot work. The descriptions are texts for people.
public enum MediaError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The system refused something that Media needs. The number is an `errno`.
    case system(String, Int32)
    case badAddress(String)
    /// No pair of free ports in the configured range.
    case noPort(address: String, ClosedRange<UInt16>, Int32)
    /// The negotiated media need something that this phone cannot do.
    case badPlan(String)
    /// A library failed, for example to create a codec or a cipher. The number is the library's own error code.
    case library(String, Int32)
    case tooManyCalls(Int)
    /// A sound device cannot be used.
    case device(String, reason: String)
    /// The audio thread takes no more commands.
    case stalled
    /// A thread that every call needs hangs in a library or in the kernel.
    case hanging(thread: String)

    public var description: String {
        switch self {
        case .system(let what, let code): "\(what): \(SystemError.text(code))"
        case .badAddress(let text): "\"\(text)\" is not a numeric address"
        case .noPort(let address, let ports, let code):
            "no free pair of media ports on \(address) in \(ports.lowerBound)-\(ports.upperBound): "
                + SystemError.text(code)
        case .badPlan(let why): "cannot use the negotiated media: \(why)"
        case .library(let what, let code): "\(what) (library error \(code))"
        case .tooManyCalls(let limit): "more than \(limit) calls have media"
        case .device(let name, let reason): "\(name): \(reason)"
        case .stalled: "the audio thread does not answer"
        case .hanging(let thread): "the thread \(thread) hangs; restart the phone"
        }
    }
}

extension MediaError {
    init(_ failure: SystemFailure) { self = .system(failure.operation, failure.code) }
}

extension WakeSignal {
    static func make() throws(MediaError) -> WakeSignal {
        do throws(SystemFailure) { return try WakeSignal() } catch { throw MediaError(error) }
    }
}

/// Something that an operator should know once and that is not an event of a call.
public enum MediaNotice: Equatable, Sendable, CustomStringConvertible {
    /// The system refused real-time priority for the reason given, so a thread runs at normal priority.
    case normalPriority(thread: String, reason: String)
    /// Configured controls do not exist in a card's mixer.
    case noControls([String], device: String)
    /// The disk was slower than the call, so the recording lacks this much sound.
    case recordingLacks(CallID, milliseconds: Int)
    /// The disk was too slow for a file, so this much silence was played within it.
    case playbackLate(Playback, milliseconds: Int)
    /// The phone does not receive the pages of a group. It tries again when the network changes, unless the fault is
    /// permanent.
    case groupUnheard(String, port: UInt16, reason: String)
    /// The file of a ring cannot be played, so the ring is generated instead.
    case ringUnplayable(file: String, reason: String)
    /// The file of the hold music cannot be played, so held far ends hear silence.
    case holdMusicUnplayable(file: String, reason: String)
    /// ICE has selected a path for a call, or another path. Nil: the far end does not answer on the current path.
    case path(CallID, to: TransportAddress?, isRelayed: Bool)
    /// A TURN server does not relay for a call. The reason is the rest of a sentence that begins with the server's
    /// name.
    case relayEnded(CallID, server: String, reason: String)
    /// A further handshake of a call failed for the reason given. The call keeps its keys.
    case keysKept(CallID, reason: String)
    /// A call has no RTCP. RTCP has its own port there, and the handshake on that port failed for the reason given.
    case noReports(CallID, reason: String)

    public var description: String {
        switch self {
        case .normalPriority(let thread, let reason):
            "\(thread) runs at normal priority, real-time priority was refused: \(reason)"
        case .noControls(let names, let device):
            "\(device) has no control \(names.map { "\"\($0)\"" }.joined(separator: ", ")) in its mixer"
        case .recordingLacks(let call, let milliseconds):
            "the recording of \(call) lacks \(milliseconds) ms because the disk was too slow"
        case .playbackLate(let playback, let milliseconds):
            "\(playback.file) was silent for \(milliseconds) ms in \(playback.call) because the disk was too slow"
        case .groupUnheard(let address, let port, let reason):
            "cannot receive pages of the group \(address), port \(port): \(reason)"
        case .ringUnplayable(let file, let reason):
            "cannot play the ring \(file), so the phone rings with generated tones: \(reason)"
        case .holdMusicUnplayable(let file, let reason):
            "cannot play the hold music \(file), so held far ends hear silence: \(reason)"
        case .path(let call, let remote?, let isRelayed):
            "the path of \(call) is to \(remote.address.text) port \(remote.port)\(isRelayed ? ", through a TURN server" : "")"
        case .path(let call, nil, _): "the path of \(call) is lost: the far end does not answer there"
        case .keysKept(let call, let reason):
            "a further handshake of \(call) failed, so the call keeps its keys: \(reason)"
        case .noReports(let call, let reason):
            "\(call) has no RTCP because its handshake failed: \(reason)"
        case .relayEnded(let call, let server, let reason):
            "\(call) is not relayed: the TURN server \(server) \(reason)"
        }
    }
}
