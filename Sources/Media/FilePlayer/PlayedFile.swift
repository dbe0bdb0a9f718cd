import Base
import PhoneCore
import SoundCore
import Synchronization

/// A file on its way into a call: what the player hands to the audio thread, and how the two part. The player keeps it
/// alive until the audio thread says `isOver`, so that the latter may borrow it.
final class PlayedFile: Sendable {
    /// 1.4 s: how long a disk may take over something else.
    private static let capacity = 1 << 16

    let wanted: Playback
    /// The call as the audio thread knows it.
    let handle: UInt32
    /// From the player to the audio thread.
    let samples = SPSCRing<Int16>(capacity: capacity, filler: 0)
    /// Written by the player: there is sound in the ring, or the file has none.
    let isOpen = Atomic<Bool>(false)
    /// Written by the player: nothing more comes into the ring.
    let isComplete = Atomic<Bool>(false)
    /// Written by the audio thread, which touches the file no more.
    let isOver = Atomic<Bool>(false)
    /// Written by the audio thread: samples that were not there in time.
    let late = Atomic<Int>(0)

    init(_ wanted: Playback, handle: UInt32) { (self.wanted, self.handle) = (wanted, handle) }
}
