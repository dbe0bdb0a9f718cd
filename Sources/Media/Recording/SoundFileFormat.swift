/// A format of sound files with two channels at 48 kHz, which gives the bytes of a file. Pure: no disk, no clock.
///
/// A file consists of the opening and of everything that is returned after it, in this order. After each piece it is
/// valid.
package protocol SoundFileFormat: ~Copyable {
    /// The suffix of the names of such files.
    static var suffix: String { get }

    /// The beginning of a file of this many bytes. Its own length does not depend on `size`.
    func opening(of size: Int) -> [UInt8]

    /// - Parameter samples: Left and right alternating.
    /// - Returns: The bytes to append, possibly none yet.
    mutating func add(_ samples: [Int16]) -> [UInt8]

    /// The bytes at the end. Nothing more is added.
    mutating func finish() -> [UInt8]
}
