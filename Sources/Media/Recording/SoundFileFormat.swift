/// A kind of sound file for two sides at 48 kHz, as bytes. Pure: no disk, no clock.
///
/// A file is what the opening and everything after it say, in this order. After each piece it is whole.
package protocol SoundFileFormat: ~Copyable {
    /// What the names of such files end in.
    static var suffix: String { get }

    /// How a file of so many bytes begins. It is as long, however many there are.
    func opening(of size: Int) -> [UInt8]

    /// - Parameter samples: Left and right by turns.
    /// - Returns: What the file goes on with, perhaps nothing yet.
    mutating func add(_ samples: [Int16]) -> [UInt8]

    /// Nothing more is added.
    mutating func finish() -> [UInt8]
}
