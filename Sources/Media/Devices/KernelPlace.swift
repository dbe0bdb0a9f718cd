import CALSA
import Glibc
import Platform
import SoundCore

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
