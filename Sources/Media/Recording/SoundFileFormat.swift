/// A format of sound files with two channels at 48 kHz, which encodes sound to bytes. Pure: no disk, no clock.
///
/// A file consists of the opening and all bytes returned after it, in this order. It is valid after each piece.
package protocol SoundFileFormat: ~Copyable {
    /// The suffix of the names of such files.
    static var suffix: String { get }

    /// The beginning of a file of this many bytes. The beginning's length does not depend on `size`.
    func opening(of size: Int) -> [UInt8]

    /// - Parameter samples: Left and right alternating.
    /// - Returns: The bytes to append, possibly none yet.
    mutating func add(_ samples: [Int16]) -> [UInt8]

    /// The bytes at the end. Call nothing after it.
    mutating func finish() -> [UInt8]
}
