import CALSA
import Glibc
import Platform
import SoundCore

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

extension SoundStream {
    struct OpenFailure: Error, Equatable, Sendable {
        let code: Int32
        /// ALSA's text for the code.
        var reason: String {
            guard let text = unsafe snd_strerror(code) else { return "error \(-code)" }
            return unsafe String(cString: text)
        }
    }

    /// The sizes that the device accepted, in samples.
    private struct Sizes {
        var period: Int
        var buffer: Int
        var isMapped: Bool
    }

    /// Periods in a buffer. Playback keeps two of them filled where that is safe. Capture is read at once; its longer
    /// buffer helps only when the thread is late.
    private static let playbackPeriods = 4
    private static let capturePeriods = 8

    /// Opens and sets up a device. This may take long, so never call it on a real-time thread.
    /// - Parameter quantum: samples per transfer.
    static func open(_ name: String, _ direction: Direction, quantum: Int) throws(OpenFailure) -> SoundStream {
        let raw = unsafe try openDevice(name, direction)
        do throws(OpenFailure) {
            let sizes = unsafe try setHardware(raw, direction, quantum: quantum)
            let parameters = unsafe try setSoftware(raw, direction, sizes, quantum: quantum)
            return unsafe SoundStream(
                direction: direction, bufferFrames: sizes.buffer, periodFrames: sizes.period, isMapped: sizes.isMapped,
                raw: raw, parameters: parameters)
        } catch {
            unsafe snd_pcm_close(raw)
            throw error
        }
    }

    /// Opens a device without setting it up. The caller closes it. May take long.
    static func openDevice(_ name: String, _ direction: Direction) throws(OpenFailure) -> OpaquePointer {
        var made: OpaquePointer?
        let stream = direction == .capture ? SND_PCM_STREAM_CAPTURE : SND_PCM_STREAM_PLAYBACK
        guard let name = DeviceName.resolve(name) else { throw OpenFailure(code: -ENODEV) }
        try check(unsafe snd_pcm_open(&made, name, stream, Int32(SND_PCM_NONBLOCK)))
        guard let raw = unsafe made else { throw OpenFailure(code: -ENODEV) }
        return unsafe raw
    }

    private static func setHardware(
        _ raw: OpaquePointer, _ direction: Direction, quantum: Int
    ) throws(OpenFailure) -> Sizes {
        var made: OpaquePointer?
        try check(unsafe snd_pcm_hw_params_malloc(&made))
        guard let hardware = unsafe made else { throw OpenFailure(code: -ENOMEM) }
        defer { unsafe snd_pcm_hw_params_free(hardware) }
        try check(unsafe snd_pcm_hw_params_any(raw, hardware))
        // With mapped access, sound goes directly into the device's buffer, without a system call for each quantum.
        let isMapped = unsafe snd_pcm_hw_params_test_access(raw, hardware, SND_PCM_ACCESS_MMAP_INTERLEAVED) == 0
        let access = isMapped ? SND_PCM_ACCESS_MMAP_INTERLEAVED : SND_PCM_ACCESS_RW_INTERLEAVED
        try check(unsafe snd_pcm_hw_params_set_access(raw, hardware, access))
        try check(unsafe snd_pcm_hw_params_set_format(raw, hardware, SND_PCM_FORMAT_S16))
        try check(unsafe snd_pcm_hw_params_set_channels(raw, hardware, 1))
        try check(unsafe snd_pcm_hw_params_set_rate(raw, hardware, 48_000, 0))
        var period = UInt(quantum)
        var buffer = UInt(quantum * (direction == .capture ? capturePeriods : playbackPeriods))
        try check(unsafe snd_pcm_hw_params_set_period_size_near(raw, hardware, &period, nil))
        try check(unsafe snd_pcm_hw_params_set_buffer_size_near(raw, hardware, &buffer))
        try check(unsafe snd_pcm_hw_params(raw, hardware))
        // A buffer must hold at least one quantum.
        guard buffer >= quantum else { throw OpenFailure(code: -EINVAL) }
        return Sizes(period: Int(period), buffer: Int(buffer), isMapped: isMapped)
    }

    /// Playback starts when its first fill is written and stops when it runs dry; then it is filled and started again.
    /// Capture is started explicitly.
    private static func setSoftware(
        _ raw: OpaquePointer, _ direction: Direction, _ sizes: Sizes, quantum: Int
    ) throws(OpenFailure) -> OpaquePointer {
        var made: OpaquePointer?
        try check(unsafe snd_pcm_sw_params_malloc(&made))
        guard let software = unsafe made else { throw OpenFailure(code: -ENOMEM) }
        do throws(OpenFailure) {
            try check(unsafe snd_pcm_sw_params_current(raw, software))
            let fill = PlaybackTarget(buffer: sizes.buffer, period: sizes.period, quantum: quantum)
            let (wakeup, start) = direction == .capture ? (quantum, sizes.buffer) : (fill.wakeup, fill.target)
            try check(unsafe snd_pcm_sw_params_set_avail_min(raw, software, UInt(wakeup)))
            try check(unsafe snd_pcm_sw_params_set_start_threshold(raw, software, UInt(start)))
            try check(unsafe snd_pcm_sw_params(raw, software))
        } catch {
            unsafe snd_pcm_sw_params_free(software)
            throw error
        }
        return unsafe software
    }

    private static func check(_ code: Int32) throws(OpenFailure) {
        if code < 0 { throw OpenFailure(code: code) }
    }
}

/// Identifies an open sound device in the kernel.
struct KernelPlace: BitwiseCopyable, Equatable, Sendable {
    let card: Int32
    private let device: UInt32
    private let subdevice: UInt32
    private let direction: SoundStream.Direction

    /// Fails for a device that belongs to no card or consists of several. Allocates.
    init?(of raw: OpaquePointer, _ direction: SoundStream.Direction) {
        var made: OpaquePointer?
        guard unsafe snd_pcm_info_malloc(&made) == 0 else { return nil }
        defer { unsafe snd_pcm_info_free(made) }
        guard unsafe snd_pcm_info(raw, made) == 0 else { return nil }
        card = unsafe snd_pcm_info_get_card(made)
        guard card >= 0 else { return nil }
        device = unsafe snd_pcm_info_get_device(made)
        subdevice = unsafe snd_pcm_info_get_subdevice(made)
        self.direction = direction
    }

    /// Whether the card itself works with samples in our format, without conversion between it and us. The kernel
    /// reports this for an open device; false if it reports nothing. Blocks for a moment.
    var hasOurFormat: Bool {
        let way = direction == .capture ? "c" : "p"
        let path = "/proc/asound/card\(card)/pcm\(device)\(way)/sub\(subdevice)/hw_params"
        let lines = Self.text(of: path).split(separator: "\n")
        return ["format: S16_LE", "channels: 1"].allSatisfy { lines.contains(Substring($0)) }
            && lines.contains { $0.hasPrefix("rate: \(SoundFormat.sampleRate) ") }
    }

    /// The text of a short file in /proc; empty if there is no such file.
    private static func text(of path: String) -> String {
        let opened = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard opened >= 0 else { return "" }
        let file = FileDescriptor(owning: opened)
        var bytes = [UInt8](repeating: 0, count: 1_024)
        let count = unsafe read(file.number, &bytes, bytes.count)
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }
}
