import PhoneCore
import Platform

/// Reasons why Media or a call's media cannot work. The descriptions are for people.
public enum MediaError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The system refused something that Media cannot do without. The number is an `errno`.
    case system(String, Int32)
    case badAddress(String)
    /// No pair of free ports in the configured range.
    case noPort(address: String, ClosedRange<UInt16>, Int32)
    /// The negotiated media needs something that this phone cannot do.
    case badPlan(String)
    /// A library failed, for example to create a codec or a cipher. The number is the library's own code.
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
        case .badAddress(let text): "\"\(text)\" is no numeric address"
        case .noPort(let address, let ports, let code):
            "no free pair of media ports on \(address) in \(ports.lowerBound)-\(ports.upperBound): "
                + SystemError.text(code)
        case .badPlan(let why): "media cannot be as agreed: \(why)"
        case .library(let what, let code): "\(what) (library error \(code))"
        case .tooManyCalls(let limit): "more than \(limit) calls have media"
        case .device(let name, let reason): "\(name): \(reason)"
        case .stalled: "the audio thread does not answer"
        case .hanging(let thread): "the thread \(thread) hangs; the phone has to be started again"
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

/// Something that an operator should know once and that is no event of a call.
public enum MediaNotice: Equatable, Sendable, CustomStringConvertible {
    /// A thread runs at normal priority because real-time priority was refused, for the reason given.
    case normalPriority(thread: String, reason: String)
    /// Configured controls do not exist in a card's mixer.
    case noControls([String], device: String)
    /// The disk was slower than the call, so the recording lacks this much sound.
    case recordingLacks(CallID, milliseconds: Int)
    /// The disk was too slow for a file, so this much silence was played within it.
    case playbackLate(Playback, milliseconds: Int)
    /// The pages of a group are not heard until the network changes, or not at all.
    case groupUnheard(String, port: UInt16, reason: String)
    /// The file of a ring cannot be played, so the ring is generated instead.
    case ringUnplayable(file: String, reason: String)
    /// The file of the hold music cannot be played, so held far ends hear silence.
    case holdMusicUnplayable(file: String, reason: String)
    /// ICE has found a path for a call, or another one. Nil: the far end does not answer on the one there was.
    case path(CallID, to: MediaAddress?, isRelayed: Bool)
    /// A TURN server does not relay for a call. The reason goes on where the server's name ends.
    case relayEnded(CallID, server: String, reason: String)
    /// Another handshake of a call failed, for the reason given, and its keys stay.
    case keysKept(CallID, reason: String)
    /// A call has no reports (RTCP), which have a port of their own, because their handshake failed for the reason given.
    case noReports(CallID, reason: String)

    public var description: String {
        switch self {
        case .normalPriority(let thread, let reason):
            "\(thread) runs at normal priority, real-time priority was refused: \(reason)"
        case .noControls(let names, let device):
            "\(device) has no control \(names.map { "\"\($0)\"" }.joined(separator: ", ")) in its mixer"
        case .recordingLacks(let call, let milliseconds):
            "the recording of \(call) lacks \(milliseconds) ms, for which the disk was too slow"
        case .playbackLate(let playback, let milliseconds):
            "\(playback.file) was silent for \(milliseconds) ms in \(playback.call), because the disk was too slow"
        case .groupUnheard(let address, let port, let reason):
            "pages of the group \(address), port \(port), are not heard: \(reason)"
        case .ringUnplayable(let file, let reason):
            "the ring \(file) cannot be played, one is generated in its place: \(reason)"
        case .holdMusicUnplayable(let file, let reason):
            "the hold music \(file) cannot be played, held far ends hear silence: \(reason)"
        case .path(let call, let remote?, let isRelayed):
            "the path of \(call) is to \(remote.host) port \(remote.port)\(isRelayed ? ", through a TURN server" : "")"
        case .path(let call, nil, _): "the path of \(call) is lost: the far end does not answer there"
        case .keysKept(let call, let reason):
            "another handshake of \(call) failed, and its keys stay: \(reason)"
        case .noReports(let call, let reason):
            "\(call) goes on without reports (RTCP), because their handshake failed: \(reason)"
        case .relayEnded(let call, let server, let reason):
            "\(call) is not relayed: the TURN server \(server) \(reason)"
        }
    }
}
