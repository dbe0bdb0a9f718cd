import CALSA
import Glibc
import PhoneCore
import Platform
import SoundCore

/// Opens the devices of one route as the phone would, but without a running phone, for people who set them up. Confined
/// to the caller's thread, which it blocks.
public final class SoundTrial {
    /// Milliseconds.
    private static let timeout = 1_000

    private let capture: SoundStream
    private let playback: SoundStream
    private let quantum: Int
    private let fill: Int
    /// How often one of the devices had an underrun or an overrun.
    public private(set) var interruptions = 0

    /// - Throws: `.device`, for the first direction that cannot be opened.
    public init(_ settings: MediaSettings, route: Route) throws(MediaError) {
        calsa_silence()
        guard let device = settings.devices[route] else {
            throw .device("the \(route.rawValue)", reason: "no device is configured")
        }
        quantum = settings.quantum
        playback = try Self.open(device.playback, .playback, "the \(route.rawValue)'s earpiece", quantum)
        do throws(MediaError) {
            capture = try Self.open(device.capture, .capture, "the \(route.rawValue)'s microphone", quantum)
        } catch {
            playback.close()
            throw error
        }
        fill = PlaybackTarget(buffer: playback.bufferFrames, period: playback.periodFrames, quantum: quantum).target
    }

    deinit {
        capture.close()
        playback.close()
    }

    /// The buffer sizes that the devices accepted, as text for people.
    public var sizes: String {
        "microphone " + Self.sizes(of: capture) + "; earpiece " + Self.sizes(of: playback)
    }

    /// The buffer sizes that the ringer's device accepted, as text for people.
    /// - Throws: `.device`, if the ringer has no device or the device cannot be opened.
    public static func ringer(_ settings: MediaSettings) throws(MediaError) -> String {
        guard let ringer = settings.ringer else { throw .device("the ringer", reason: "no device is configured") }
        if let route = settings.ringerRoute { return "the \(route.rawValue)'s earpiece" }
        calsa_silence()
        let stream = try open(ringer.device, .playback, "the ringer", settings.quantum)
        defer { stream.close() }
        return sizes(of: stream)
    }

    /// Works quantum by quantum: passes captured sound to `turn` and plays the sound that `turn` writes, until it
    /// returns false. As in a call, the playback buffer holds as little sound as is safe. The thread runs at the
    /// phone's audio priority if the system allows it.
    /// - Throws: `.device`, when a device breaks or delivers nothing for a second.
    public func run(
        _ turn: (_ captured: [Int16], _ played: inout MutableSpan<Int16>) -> Bool
    ) throws(MediaError) {
        guard let priority = ThreadRole.mediaAudio.priority else { return try work(turn) }
        try NamedThread.asRealTime(priority: priority) { () throws(MediaError) in try work(turn) }
    }

    private func work(
        _ turn: (_ captured: [Int16], _ played: inout MutableSpan<Int16>) -> Bool
    ) throws(MediaError) {
        var played = [Int16](repeating: 0, count: fill)
        try play(played)
        try check(capture.wake(at: quantum), "the microphone")
        try check(capture.start(), "the microphone")
        played = [Int16](repeating: 0, count: quantum)
        while true {
            let captured = try record()
            var span = played.mutableSpan
            guard turn(captured, &span) else { return }
            try play(played)
        }
    }

    /// Reads whole quanta only. A thread that reads each sample as it comes never sleeps.
    private func record() throws(MediaError) -> [Int16] {
        var samples = [Int16](repeating: 0, count: quantum)
        while true {
            var code = capture.available()
            if code >= quantum {
                var span = samples.mutableSpan
                code = capture.read(into: &span)
                if code == quantum { return samples }
            }
            if try awaitMore(capture, min(code, 0), "the microphone") { try check(capture.start(), "the microphone") }
        }
    }

    private func play(_ samples: [Int16]) throws(MediaError) {
        var done = 0
        while done < samples.count {
            let count = playback.write(samples.span.extracting(droppingFirst: done))
            if count > 0 {
                done += count
            } else if try awaitMore(playback, count, "the earpiece") {
                _ = playback.write([Int16](repeating: 0, count: fill - quantum).span)
            }
        }
    }

    /// Waits until the device continues. True if it was interrupted and must be started again.
    private func awaitMore(_ stream: SoundStream, _ code: Int, _ part: String) throws(MediaError) -> Bool {
        guard code == 0 || code == -Int(EAGAIN) else {
            interruptions += 1
            switch stream.recover(from: code) {
            case .ready: return true
            case .running, .notYet: return false
            case .lost(let code): throw .device(part, reason: SoundStream.OpenFailure(code: code).reason)
            }
        }
        let ready = unsafe snd_pcm_wait(stream.raw, Int32(Self.timeout))
        if ready == 0 { throw .device(part, reason: SystemError.text(ETIMEDOUT)) }
        return false
    }

    private func check(_ code: Int, _ part: String) throws(MediaError) {
        guard code < 0 else { return }
        throw .device(part, reason: SoundStream.OpenFailure(code: Int32(code)).reason)
    }

    private static func open(
        _ name: String, _ direction: SoundStream.Direction, _ part: String, _ quantum: Int
    ) throws(MediaError) -> SoundStream {
        do throws(SoundStream.OpenFailure) {
            return try SoundStream.open(name, direction, quantum: quantum)
        } catch {
            throw .device("\(part) \"\(name)\"", reason: error.reason)
        }
    }

    private static func sizes(of stream: SoundStream) -> String {
        let (period, buffer) = (Double(stream.periodFrames) / 48, Double(stream.bufferFrames) / 48)
        return "periods of \(tenths(period)) ms in \(tenths(buffer)) ms"
    }

    private static func tenths(_ value: Double) -> Double { (value * 10).rounded() / 10 }
}
