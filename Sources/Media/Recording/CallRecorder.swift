import Base
import PhoneCore
import Platform
import SoundCore
import Synchronization

/// Writes recordings, one after the other, on its own thread, because encoding and disks may be slow.
///
/// When something goes wrong the call continues, and the file is valid up to that point. The recorder posts the end
/// once.
final class CallRecorder: Sendable {
    /// The length of the pieces that it writes, and how often it collects new samples.
    private static let pieceSamples = 2 * SoundFormat.sampleRate
    private static let interval = Duration.milliseconds(100)

    private let settings: RecordingSettings
    private let seal: RecordingSeal?
    private let complexity: Int
    private let counters: MediaCounters
    let wake: WakeSignal
    let probe: ThreadProbe
    private let stop: StopFlag
    private let post: @Sendable (MediaEvent) -> Void
    private let notice: @Sendable (MediaNotice) -> Void
    private let inbox = Mutex<[Recording]>([])

    /// Nil if no call may be recorded.
    /// - Parameter seal: Nil: recordings are not encrypted.
    init?(
        _ settings: MediaSettings, seal: RecordingSeal?, counters: MediaCounters, wake: WakeSignal, stop: StopFlag,
        post: @escaping @Sendable (MediaEvent) -> Void, notice: @escaping @Sendable (MediaNotice) -> Void
    ) {
        guard let recording = settings.recording else { return nil }
        (self.settings, complexity, self.wake, self.stop) = (recording, settings.opusComplexity, wake, stop)
        (self.seal, self.counters, self.post, self.notice) = (seal, counters, post, notice)
        probe = ThreadProbe(.mediaRecorder) { wake.raise() }
    }

    /// Takes a recording to write; called on the control thread.
    func take(_ recording: Recording) {
        inbox.withLock { $0.append(recording) }
        wake.raise()
    }

    /// Runs until the phone stops. Then it completes recordings in progress.
    func run() {
        while true {
            probe.answer()
            let next = inbox.withLock { $0.isEmpty ? nil : $0.removeFirst() }
            if let next {
                write(next)
            } else if stop.isRaised {
                return
            } else {
                wake.wait(until: nil)
            }
        }
    }

    private func write(_ recording: Recording) {
        let end = record(recording)
        recording.isRefused.store(true, ordering: .relaxed)
        while !isOver(recording) {
            _ = collect(from: recording, limit: .max)
            rest()
        }
        let lost = recording.lost.load(ordering: .relaxed)
        if lost > 0 { notice(.recordingLacks(recording.call, milliseconds: lost / SoundFormat.samplesPerMillisecond)) }
        post(.recordingEnded(recording.call, end))
    }

    private func record(_ recording: Recording) -> RecordingEnd {
        do throws(MediaError) {
            switch settings.format {
            case .opus:
                let format = try OggOpusFormat(stream: .random(in: 0...UInt32.max), complexity: complexity)
                return try record(recording, as: format)
            case .wav:
                return try record(recording, as: WaveWriter())
            }
        } catch {
            counters.recordingsFailed.count()
            return .failed(error.description)
        }
    }

    private func record<Format: SoundFileFormat & ~Copyable>(
        _ recording: Recording, as format: consuming Format
    ) throws(MediaError) -> RecordingEnd {
        var file = try RecordingFile(
            folder: settings.folder, name: RecordingName(of: recording.call), suffix: Format.suffix, seal: seal)
        try file.append(format.opening(of: 0))
        post(.recordingStarted(recording.call, file: file.path))
        var left = Int(settings.longest.milliseconds) * SoundFormat.samplesPerMillisecond
        var piece: [Int16] = []
        var isOver = false
        while left > 0, !isOver {
            // Read this before emptying the ring. If it is true, the ring already holds all remaining samples.
            isOver = self.isOver(recording)
            let samples = collect(from: recording, limit: left)
            left -= samples.count / 2
            piece += samples
            if piece.count >= Self.pieceSamples {
                try append(format.add(piece), to: &file, format)
                piece = []
            }
            if !isOver, left > 0 { rest() }
        }
        try file.finish(format.add(piece) + format.finish())
        try file.rewriteOpening(format.opening(of: file.size))
        return left > 0 ? .stopped : .tooLong
    }

    private func append<Format: SoundFileFormat & ~Copyable>(
        _ bytes: [UInt8], to file: inout RecordingFile, _ format: borrowing Format
    ) throws(MediaError) {
        try file.append(bytes)
        try file.rewriteOpening(format.opening(of: file.size))
    }

    /// Whether the audio thread has released the recording. When the phone stops, the audio thread ends before the
    /// recorder.
    private func isOver(_ recording: Recording) -> Bool {
        recording.isOver.load(ordering: .acquiring) || stop.isRaised
    }

    private func collect(from recording: Recording, limit: Int) -> [Int16] {
        var samples: [Int16] = []
        while samples.count / 2 < limit, let frame = recording.frames.pop() {
            samples.append(frame.ours)
            samples.append(frame.theirs)
        }
        return samples
    }

    private func rest() {
        wake.wait(until: MonotonicClock.now() + Self.interval)
        probe.answer()
    }
}
