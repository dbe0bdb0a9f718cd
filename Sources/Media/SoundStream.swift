import CALSA
import Glibc

/// One direction of an open sound device: S16, mono, 48 kHz, never blocking.
///
/// A plain handle, so that it fits through rings: the device keeper opens and closes it, and lends it to the audio
/// thread, which is the only one to use it meanwhile (hence `@unchecked Sendable`). What returns a count returns a
/// negative `errno` on failure, as ALSA does. No call here allocates but `card`, which is the keeper's.
@safe
struct SoundStream: BitwiseCopyable, @unchecked Sendable {
    enum Direction: Int, BitwiseCopyable, Sendable { case capture, playback }

    let direction: Direction
    /// Samples of the device's buffer, and of what it moves at a time.
    let bufferFrames: Int
    let periodFrames: Int
    /// See `link`.
    private(set) var isLinked = false
    /// The device's buffer is in our memory.
    private let isMapped: Bool
    let raw: OpaquePointer
    private let parameters: OpaquePointer

    init(
        direction: Direction, bufferFrames: Int, periodFrames: Int, isMapped: Bool, raw: OpaquePointer,
        parameters: OpaquePointer
    ) {
        self.direction = direction
        self.bufferFrames = bufferFrames
        self.periodFrames = periodFrames
        self.isMapped = isMapped
        unsafe self.raw = raw
        unsafe self.parameters = parameters
    }

    /// Keeper only: ends it at once, without playing what waits (`snd_pcm_drain` can hang). The other direction goes on.
    func close() {
        if isLinked { unsafe calsa_unlink(raw) }
        unsafe snd_pcm_drop(raw)
        unsafe snd_pcm_close(raw)
        unsafe snd_pcm_sw_params_free(parameters)
    }

    /// Fills in what poll must watch.
    /// - Returns: how many descriptors.
    func watch(_ descriptors: UnsafeMutableBufferPointer<pollfd>) -> Int {
        max(0, Int(unsafe snd_pcm_poll_descriptors(raw, descriptors.baseAddress, UInt32(descriptors.count))))
    }

    /// Lets the device see what poll found, if that is something; some devices count on being asked.
    func acknowledge(_ descriptors: UnsafeMutableBufferPointer<pollfd>) {
        guard unsafe descriptors.contains(where: { $0.revents != 0 }) else { return }
        var events: UInt16 = 0
        _ = unsafe snd_pcm_poll_descriptors_revents(raw, descriptors.baseAddress, UInt32(descriptors.count), &events)
    }

    /// Samples that can be read, or written, now. More than the buffer holds: it ran over, or dry, and did not stop.
    func available() -> Int { unsafe snd_pcm_avail(raw) }

    /// Leaves out so many samples that can be read, or written.
    func skip(_ frames: Int) -> Int { unsafe snd_pcm_forward(raw, UInt(frames)) }

    /// Samples between the program and the converter: until the next one that is written is heard, or of what was heard
    /// already and waits to be read. Nil while the device does not run.
    var delay: Int? {
        guard unsafe snd_pcm_state(raw) == SND_PCM_STATE_RUNNING else { return nil }
        var frames = 0
        return unsafe snd_pcm_delay(raw, &frames) == 0 ? frames : nil
    }

    /// The number of the card that it belongs to; nil for a device that is none, or made of several.
    var card: Int32? {
        var information: OpaquePointer?
        guard unsafe snd_pcm_info_malloc(&information) == 0 else { return nil }
        defer { unsafe snd_pcm_info_free(information) }
        guard unsafe snd_pcm_info(raw, information) == 0 else { return nil }
        let number = unsafe snd_pcm_info_get_card(information)
        return number < 0 ? nil : number
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

    /// Wakes us when this much can be read or written.
    func wake(at frames: Int) -> Int {
        unsafe snd_pcm_sw_params_set_avail_min(raw, parameters, UInt(max(1, frames)))
        return Int(unsafe snd_pcm_sw_params(raw, parameters))
    }

    func start() -> Int { Int(unsafe snd_pcm_start(raw)) }

    /// Drops what waits to be played, and is ready to start again; or a negative `errno` if it is gone.
    func rest() -> Int {
        let dropped = Int(unsafe snd_pcm_drop(raw))
        return dropped < 0 ? dropped : Int(unsafe snd_pcm_prepare(raw))
    }

    /// After an overrun, an underrun or a suspension: ready to start again, or a negative `errno` if it is gone.
    func recover(from code: Int) -> Int {
        if code == -Int(ESTRPIPE) {
            let resumed = Int(unsafe snd_pcm_resume(raw))
            if resumed == -Int(EAGAIN) { return resumed }
        }
        return Int(unsafe snd_pcm_prepare(raw))
    }

    // MARK: Both directions of a card

    /// Keeper only: makes one of the two where they are of one card and its driver can; plug-ins cannot. Both start at
    /// the same sample, as soon as `playback` is filled. They stop for a command only, or the accident of one would
    /// stop the other: see `available`.
    /// - Returns: The two as they are now.
    static func link(_ capture: SoundStream, _ playback: SoundStream) -> (capture: SoundStream, playback: SoundStream) {
        var (capture, playback) = (capture, playback)
        guard let card = capture.card, card == playback.card, unsafe calsa_link(playback.raw, capture.raw) == 0
        else { return (capture, playback) }
        if capture.stopsForNothing(), playback.stopsForNothing() {
            (capture.isLinked, playback.isLinked) = (true, true)
        } else {
            unsafe calsa_unlink(playback.raw)
        }
        return (capture, playback)
    }

    /// - Returns: Whether it accepts that.
    private func stopsForNothing() -> Bool {
        var boundary: UInt = 0
        unsafe snd_pcm_sw_params_get_boundary(parameters, &boundary)
        unsafe snd_pcm_sw_params_set_stop_threshold(raw, parameters, boundary)
        // What was played is silence when it comes round again.
        if direction == .playback { unsafe snd_pcm_sw_params_set_silence_size(raw, parameters, boundary) }
        return unsafe snd_pcm_sw_params(raw, parameters) == 0
    }
}
