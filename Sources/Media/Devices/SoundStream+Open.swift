import CALSA

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
