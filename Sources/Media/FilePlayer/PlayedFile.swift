import Base
import PhoneCore
import SoundCore
import Synchronization

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
