import Glibc

/// One direction of a wire, seen from outside: a ring of frames whose index is the monotonic clock times 48 kHz.
/// Tests/Wire/wire.c is its other side.
@safe
final class WireFile: @unchecked Sendable {
    // Unchecked: the cells are shared with a sound device, which is the point.
    private static let capacity = 1 << 19

    private let cells: UnsafeMutablePointer<UInt32>

    init(path: String) {
        let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        let octets = Self.capacity * MemoryLayout<UInt32>.size
        precondition(descriptor >= 0 && ftruncate(descriptor, octets) == 0, "a wire cannot be made")
        let memory = unsafe mmap(nil, octets, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0)
        close(descriptor)
        guard let memory = unsafe memory, unsafe memory != MAP_FAILED else {
            preconditionFailure("no memory for a wire")
        }
        unsafe cells = memory.bindMemory(to: UInt32.self, capacity: Self.capacity)
    }

    deinit { unsafe munmap(cells, Self.capacity * MemoryLayout<UInt32>.size) }

    /// The frame that sounds now.
    static func now() -> Int {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec * 48_000 + time.tv_nsec * 48 / 1_000_000
    }

    /// - Precondition: Not longer than the ring, counted from now: its end would overwrite its beginning.
    func say(_ samples: [Int16], at start: Int) {
        precondition(start + samples.count - Self.now() < Self.capacity, "a wire holds \(Self.capacity) frames")
        for (offset, sample) in samples.enumerated() {
            let index = start + offset
            unsafe cells[index % Self.capacity] = UInt32(UInt16(bitPattern: sample)) | Self.lap(index) << 16
        }
    }

    func heard(_ frames: Range<Int>) -> [Int16] {
        frames.map { index in
            let cell = unsafe cells[index % Self.capacity]
            return cell >> 16 == Self.lap(index) ? Int16(bitPattern: UInt16(truncatingIfNeeded: cell)) : 0
        }
    }

    private static func lap(_ index: Int) -> UInt32 { UInt32(truncatingIfNeeded: index / capacity) & 0xFFFF }
}
