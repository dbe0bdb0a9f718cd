import Base
import PhoneCore
import Platform
import SoundCore
import Synchronization

/// Plays files into calls, one after the other, on its own thread, because disks may be slow.
///
/// When something goes wrong the call continues. The player posts the end once: a failure at once, any other end after
/// the last sound was heard.
final class FilePlayer: Sendable {
    /// How often the player checks a full ring. A full ring lasts for about 14 of these intervals.
    private static let interval = Duration.milliseconds(100)

    private let folder: String
    private let wake: WakeSignal
    let probe: ThreadProbe
    private let stop: StopFlag
    private let post: @Sendable (MediaEvent) -> Void
    private let notice: @Sendable (MediaNotice) -> Void
    private let inbox = Mutex<[PlayedFile]>([])

    /// Nil if no file may be played.
    init?(
        _ settings: MediaSettings, wake: WakeSignal, stop: StopFlag,
        post: @escaping @Sendable (MediaEvent) -> Void, notice: @escaping @Sendable (MediaNotice) -> Void
    ) {
        guard let folder = settings.playingFolder else { return nil }
        (self.folder, self.wake, self.stop) = (folder, wake, stop)
        (self.post, self.notice) = (post, notice)
        probe = ThreadProbe(.mediaPlayer) { wake.raise() }
    }

    /// Takes a file to play; called on the control thread.
    func take(_ file: PlayedFile) {
        inbox.withLock { $0.append(file) }
        wake.raise()
    }

    func run() {
        while !stop.isRaised {
            probe.answer()
            if let next = inbox.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
                play(next)
            } else {
                wake.wait(until: nil)
            }
        }
    }

    private func play(_ file: PlayedFile) {
        switch recite(file) {
        case .success:
            file.isComplete.store(true, ordering: .releasing)
            waitForEnd(of: file)
            // Sound left in the ring was not heard.
            post(.playbackEnded(file.wanted.number, file.samples.count == 0 ? .finished : .stopped))
        case .failure(let error):
            post(.playbackEnded(file.wanted.number, .failed("\(file.wanted.file): \(error)")))
            waitForEnd(of: file)
        }
        let late = file.late.load(ordering: .relaxed) / SoundFormat.samplesPerMillisecond
        if late > 0 { notice(.playbackLate(file.wanted, milliseconds: late)) }
    }

    /// Puts the whole file into the ring. Returns when that is done, or when the file is no longer wanted.
    private func recite(_ file: PlayedFile) -> Result<Void, WaveError> {
        do throws(WaveError) {
            var reader = try WaveReader(SoundFile(file.wanted.file, below: folder))
            var piece = try reader.read()
            var isWanted = push(piece, to: file)
            file.isOpen.store(true, ordering: .releasing)
            post(.playbackStarted(file.wanted.number))
            while isWanted, !piece.isEmpty {
                piece = try reader.read()
                isWanted = push(piece, to: file)
            }
            return .success(())
        } catch {
            return .failure(error)
        }
    }

    /// - Returns: False when the file is no longer wanted.
    private func push(_ piece: [Int16], to file: PlayedFile) -> Bool {
        for sample in piece {
            while !file.samples.push(sample) {
                if isOver(file) { return false }
                rest()
            }
        }
        return !isOver(file)
    }

    private func waitForEnd(of file: PlayedFile) {
        while !isOver(file) { rest() }
    }

    /// Whether the audio thread has released the file. When the phone stops, the audio thread ends before the player.
    private func isOver(_ file: PlayedFile) -> Bool { file.isOver.load(ordering: .acquiring) || stop.isRaised }

    private func rest() {
        wake.wait(until: MonotonicClock.now() + Self.interval)
        probe.answer()
    }
}

/// A file on its way into a call: the state that the player and the audio thread share. The player keeps it alive until
/// the audio thread sets `isOver`, so that the audio thread may borrow it.
final class PlayedFile: Sendable {
    /// 1.4 s of sound, enough for the time that a disk may spend on other work.
    private static let capacity = 1 << 16

    let wanted: Playback
    /// The call as the audio thread knows it.
    let handle: UInt32
    /// The file's sound, from the player to the audio thread.
    let samples = SPSCRing<Int16>(capacity: capacity, filler: 0)
    /// Written by the player: there is sound in the ring, or the file has none.
    let isOpen = Atomic<Bool>(false)
    /// Written by the player: it adds no more sound to the ring.
    let isComplete = Atomic<Bool>(false)
    /// Written by the audio thread when it no longer uses the file.
    let isOver = Atomic<Bool>(false)
    /// Written by the audio thread: samples that were not there in time.
    let late = Atomic<Int>(0)

    init(_ wanted: Playback, handle: UInt32) { (self.wanted, self.handle) = (wanted, handle) }
}

/// Playing a file into a call.
extension AudioEngine {
    /// The file, once it is open and while its call has the sound. While other calls have the sound, the file waits.
    var played: Borrowed<PlayedFile>? {
        guard let file, file.use({ $0.isOpen.load(ordering: .acquiring) }), hears(file.use { $0.handle }) else {
            return nil
        }
        return file
    }

    mutating func begin(_ file: Borrowed<PlayedFile>) {
        leaveFile()
        self.file = file
        playback.begin()
    }

    /// Ends the file, with a fade-out if it is playing.
    mutating func endFile() {
        if played == nil { leaveFile() } else { playback.close() }
    }

    /// Releases the file. The audio thread no longer uses it.
    mutating func leaveFile() {
        guard let left = file else { return }
        file = nil
        left.use { $0.isOver.store(true, ordering: .releasing) }
        context.playerWake.raise()
    }

    /// - Parameters:
    ///   - isComplete: The rest of the file was already in the ring before the ring was read.
    ///   - missing: Samples that the ring did not have.
    mutating func account(for file: PlayedFile, isComplete: Bool, missing: Int) {
        if playback.isClosed || isComplete && missing > 0 {
            leaveFile()
        } else if missing > 0 {
            file.late.wrappingAdd(missing, ordering: .relaxed)
        }
    }
}
