import Base
import Glibc
import Platform

/// A sound device made of a shared file, seen from outside. A phone's playback can be read here with its time; sound
/// written here reaches a phone's microphone at its time.
///
/// The file is a ring of frames at 48 kHz whose index is the monotonic clock times the rate. Each cell carries its
/// lap, so an old cell reads as silence. The other side is Tests/Wire.
@safe public final class Wire {
    public enum Failure: Error, Equatable, Sendable, CustomStringConvertible {
        case cannotOpen(path: String, reason: String)

        public var description: String {
            switch self {
            case .cannotOpen(let path, let reason): "\(path): cannot be used as a wire: \(reason)"
            }
        }
    }

    /// Frames of the ring: about 11 s.
    public static let capacity = 1 << 19
    public static let rate = 48_000

    private let cells: UnsafeMutableBufferPointer<UInt32>

    /// Opens, or makes, the wire in a file.
    public init(path: String) throws(Failure) {
        let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .cannotOpen(path: path, reason: SystemError.last) }
        defer { close(descriptor) }
        let octets = Self.capacity * MemoryLayout<UInt32>.size
        guard ftruncate(descriptor, octets) == 0,
            let memory = unsafe mmap(nil, octets, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0),
            unsafe memory != MAP_FAILED
        else { throw .cannotOpen(path: path, reason: SystemError.last) }
        unsafe cells = UnsafeMutableBufferPointer(
            start: memory.bindMemory(to: UInt32.self, capacity: Self.capacity), count: Self.capacity)
    }

    deinit { unsafe munmap(cells.baseAddress, Self.capacity * MemoryLayout<UInt32>.size) }

    /// The frame that sounds now.
    public static var now: Int {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec * rate + time.tv_nsec * rate / 1_000_000_000
    }

    /// Waits until that frame sounds.
    public static func sleep(untilFrame frame: Int) {
        MonotonicTime.sleep(.nanoseconds(max(0, frame - now) * 1_000_000_000 / rate))
    }

    /// Writes `samples` from frame `start` on.
    /// - Precondition: not longer than the ring, counted from now.
    public func say(_ samples: [Int16], at start: Int) {
        precondition(start + samples.count - Self.now < Self.capacity, "a wire holds \(Self.capacity) frames")
        for (offset, sample) in samples.enumerated() {
            let index = start + offset
            unsafe cells[index % Self.capacity] = UInt32(UInt16(bitPattern: sample)) | lap(of: index) << 16
        }
    }

    /// The sound of these frames; silence if it is missing or too old.
    public func heard(_ frames: Range<Int>) -> [Int16] {
        frames.map { index in
            let cell = unsafe cells[index % Self.capacity]
            return cell >> 16 == lap(of: index) ? Int16(bitPattern: UInt16(truncatingIfNeeded: cell)) : 0
        }
    }

    private func lap(of index: Int) -> UInt32 { UInt32(truncatingIfNeeded: index / Self.capacity) & 0xFFFF }
}
