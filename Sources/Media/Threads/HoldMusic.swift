import Platform

/// The sound for held far ends, and its way to the audio thread.
final class HoldMusic: Sendable {
    /// 17 MB of memory.
    private static let longestSeconds = 180

    /// Given once. The audio thread repeats it, and never frees it.
    let order: RingOrder
    private let path: String

    /// Nil if held far ends hear nothing.
    init?(_ settings: MediaSettings, audioWake: WakeSignal) {
        guard let path = settings.holdMusic else { return nil }
        (self.path, order) = (path, RingOrder(wake: audioWake))
    }

    /// Reads the file. This takes long, so call it on a thread that may wait for the disk.
    func load(_ notice: (MediaNotice) -> Void) {
        do throws(RingFile.Failure) {
            order.give(.recording(try RingFile.read(path, limit: Self.longestSeconds)))
        } catch {
            notice(.holdMusicUnplayable(file: path, reason: error.description))
        }
    }
}
