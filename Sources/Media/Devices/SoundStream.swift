import CALSA
import Glibc

/// One direction of an open sound device: S16, mono, 48 kHz, never blocking.
///
/// It is a plain handle, so that it fits through rings. The device keeper opens and closes it and lends it to the audio
/// thread, which is then its only user (hence `@unchecked Sendable`). A function that returns a count returns a
/// negative `errno` on failure, as ALSA does. No call here allocates once the stream is made.
@safe
struct SoundStream: BitwiseCopyable, @unchecked Sendable {
    enum Direction: Int, BitwiseCopyable, Sendable { case capture, playback }

    let direction: Direction
    /// Samples in the device's buffer, and in one of its periods.
    let bufferFrames: Int
    let periodFrames: Int
    /// See `link`.
    private(set) var isLinked = false
    /// The device's buffer is mapped into our memory.
    private let isMapped: Bool
    /// Identifies the device in the kernel; nil for a device that belongs to no card or consists of several.
    let place: KernelPlace?
    let raw: OpaquePointer
    private let parameters: OpaquePointer

    init(
        direction: Direction, bufferFrames: Int, periodFrames: Int, isMapped: Bool, raw: OpaquePointer,
        parameters: OpaquePointer
    ) {
        place = unsafe KernelPlace(of: raw, direction)
        self.direction = direction
        self.bufferFrames = bufferFrames
        self.periodFrames = periodFrames
        self.isMapped = isMapped
        unsafe self.raw = raw
        unsafe self.parameters = parameters
    }

    /// Ends the stream at once. Queued sound is dropped, because `snd_pcm_drain` can hang. The other direction
    /// continues. For the owner of the stream only.
    func close() {
        if isLinked { unsafe calsa_unlink(raw) }
        unsafe snd_pcm_drop(raw)
        unsafe snd_pcm_close(raw)
        unsafe snd_pcm_sw_params_free(parameters)
    }

    /// Fills in the descriptors that poll must watch.
    /// - Returns: the number of descriptors.
    func watch(_ descriptors: UnsafeMutableBufferPointer<pollfd>) -> Int {
        max(0, Int(unsafe snd_pcm_poll_descriptors(raw, descriptors.baseAddress, UInt32(descriptors.count))))
    }

    /// Passes poll's events to the device, if there are any. Some devices rely on this call.
    /// - Returns: Whether there are any.
    func acknowledge(_ descriptors: UnsafeMutableBufferPointer<pollfd>) -> Bool {
        guard unsafe descriptors.contains(where: { $0.revents != 0 }) else { return false }
        var events: UInt16 = 0
        _ = unsafe snd_pcm_poll_descriptors_revents(raw, descriptors.baseAddress, UInt32(descriptors.count), &events)
        return true
    }

    /// Samples that can be read or written now. A number larger than the buffer means that the device had an overrun or
    /// an underrun and did not stop.
    func available() -> Int { unsafe snd_pcm_avail(raw) }

    /// Skips this many samples.
    func skip(_ frames: Int) -> Int { unsafe snd_pcm_forward(raw, UInt(frames)) }

    /// Samples between the program and the converter. For playback: until the next written sample is heard. For
    /// capture: captured samples that wait to be read. Nil while the device does not run.
    var delay: Int? {
        guard unsafe snd_pcm_state(raw) == SND_PCM_STATE_RUNNING else { return nil }
        var frames = 0
        return unsafe snd_pcm_delay(raw, &frames) == 0 ? frames : nil
    }

    func read(into samples: inout MutableSpan<Int16>) -> Int {
        unsafe samples.withUnsafeMutableBytes {
            let count = UInt($0.count / MemoryLayout<Int16>.size)
            return isMapped
                ? unsafe snd_pcm_mmap_readi(raw, $0.baseAddress, count)
                : unsafe snd_pcm_readi(raw, $0.baseAddress, count)
        }
    }

    func write(_ samples: Span<Int16>) -> Int {
        unsafe samples.withUnsafeBytes {
            let count = UInt($0.count / MemoryLayout<Int16>.size)
            return isMapped
                ? unsafe snd_pcm_mmap_writei(raw, $0.baseAddress, count)
                : unsafe snd_pcm_writei(raw, $0.baseAddress, count)
        }
    }

    /// Sets how many samples must be readable or writable before the device wakes the thread.
    func wake(at frames: Int) -> Int {
        unsafe snd_pcm_sw_params_set_avail_min(raw, parameters, UInt(max(1, frames)))
        return Int(unsafe snd_pcm_sw_params(raw, parameters))
    }

    func start() -> Int { Int(unsafe snd_pcm_start(raw)) }

    /// Drops queued samples and prepares a new start. Returns a negative `errno` if the device is gone.
    func rest() -> Int {
        let dropped = Int(unsafe snd_pcm_drop(raw))
        return dropped < 0 ? dropped : Int(unsafe snd_pcm_prepare(raw))
    }

    enum Recovery: Equatable {
        /// The stream must be started again.
        case ready
        /// The stream continued at its old position.
        case running
        /// The stream is still suspended: try again later.
        case notYet
        case lost(Int32)
    }

    /// Recovers from an overrun, an underrun or a suspension.
    func recover(from code: Int) -> Recovery {
        if code == -Int(ESTRPIPE) {
            switch unsafe snd_pcm_resume(raw) {
            case 0: return .running
            case -EAGAIN: return .notYet
            default: break  // Few devices can resume; the others start again.
            }
        }
        let prepared = unsafe snd_pcm_prepare(raw)
        return prepared < 0 ? .lost(prepared) : .ready
    }

    // MARK: Both directions of a card

    /// Device keeper only: links the two streams if they belong to one card and its driver supports that. Both then
    /// start at the same sample, as soon as `playback` is filled. They stop only on command; otherwise an overrun or
    /// underrun of one would stop the other: see `available`. Streams through a converting plug-in are not linked: the
    /// plug-in has its own buffer and would not notice an overrun of the card's buffer.
    /// - Returns: The two streams as they are now.
    static func link(_ capture: SoundStream, _ playback: SoundStream) -> (capture: SoundStream, playback: SoundStream) {
        var (capture, playback) = (capture, playback)
        guard let one = capture.place, let other = playback.place, one.card == other.card,
            one.hasOurFormat, other.hasOurFormat, unsafe calsa_link(playback.raw, capture.raw) == 0
        else { return (capture, playback) }
        if capture.stopsForNothing(), playback.stopsForNothing() {
            (capture.isLinked, playback.isLinked) = (true, true)
        } else {
            unsafe calsa_unlink(playback.raw)
        }
        return (capture, playback)
    }

    /// - Returns: Whether the device accepts that it stops only on command.
    private func stopsForNothing() -> Bool {
        var boundary: UInt = 0
        unsafe snd_pcm_sw_params_get_boundary(parameters, &boundary)
        unsafe snd_pcm_sw_params_set_stop_threshold(raw, parameters, boundary)
        // Played samples become silence before the device reaches them again.
        if direction == .playback { unsafe snd_pcm_sw_params_set_silence_size(raw, parameters, boundary) }
        return unsafe snd_pcm_sw_params(raw, parameters) == 0
    }
}
