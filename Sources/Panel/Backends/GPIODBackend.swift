import Base
import CGPIO
import Glibc
import Platform
import Synchronization

/// The kernel's lines, through libgpiod 1.6 or 2.
public final class GPIODBackend: PanelBackend {
    /// Limit of reads in a row, of 64 edges each: more than a kernel keeps for 64 lines.
    private static let readsInARow = 17

    /// There is no contention: one thread opens, uses and closes the lines.
    private let state = Mutex(OpenLines())
    private let watch = Mutex(ChipWatch())
    private let wakeSignal = WakeSignal.atStart()

    public init() {}

    deinit { close() }

    public func open(_ lines: [LineRequest]) throws(PanelError) {
        let finder = ChipFinder()
        var groups: [(path: String, indices: [Int])] = []
        for (index, line) in lines.enumerated() {
            let path = try finder.path(of: line.address.chip, for: line.key)
            if let group = groups.firstIndex(where: { $0.path == path }) {
                groups[group].indices.append(index)
            } else {
                groups.append((path, [index]))
            }
        }
        do throws(PanelError) {
            watch.withLock { $0 = ChipWatch() }
            for group in groups {
                watch.withLock { $0.add(group.path) }
                let requested = group.indices.map { lines[$0] }
                try state.withLock { state throws(PanelError) in
                    try unsafe state.add(LineGroup.request(requested, path: group.path), indices: group.indices)
                }
            }
        } catch {
            close()
            throw error
        }
    }

    public func isActive(_ line: Int) throws(PanelError) -> Bool {
        try state.withLock { state throws(PanelError) in
            let place = state.place(of: line)
            let level = unsafe cgpio_get(state.chips[place.chip].request, place.line)
            guard level >= 0 else { throw .broken("cannot read a line: \(SystemError.text(errno))") }
            return level == 1
        }
    }

    public func set(_ line: Int, active: Bool) throws(PanelError) {
        try state.withLock { state throws(PanelError) in
            let place = state.place(of: line)
            guard unsafe cgpio_set(state.chips[place.chip].request, place.line, active) >= 0 else {
                throw .broken("cannot set a line: \(SystemError.text(errno))")
            }
        }
    }

    /// All waiting edges are read, because the levels are read afterwards. The number of reads is limited, because a
    /// broken line may produce edges faster than we read them.
    public func wait(until deadline: Instant?) throws(PanelError) -> [LineEdge] {
        let descriptors = state.withLock { $0.descriptors } + watch.withLock { $0.descriptors }
        try wakeSignal.wait(with: descriptors, until: deadline)
        try watch.withLock { watch throws(PanelError) in try watch.look() }
        let now = MonotonicClock.now()
        let edges = try state.withLock { state throws(PanelError) -> [LineEdge] in
            var edges: [LineEdge] = []
            for chip in state.chips {
                var buffer = [cgpio_edge](repeating: cgpio_edge(), count: 64)
                for _ in 0..<Self.readsInARow {
                    let count = unsafe cgpio_read_edges(chip.request, &buffer, buffer.count)
                    guard count >= 0 else { throw .broken("cannot read edges: \(SystemError.text(errno))") }
                    for raw in buffer.prefix(Int(count)) {
                        edges.append(LineEdge(line: chip.indices[raw.index], active: raw.active, at: raw.time(at: now)))
                    }
                    guard count == buffer.count else { break }
                }
            }
            return edges
        }
        return edges.sorted { $0.at < $1.at }
    }

    public func wake() { wakeSignal.raise() }

    public func close() {
        state.withLock { $0.release() }
    }
}

/// The open requests, and where each line of the panel is in them.
@safe struct OpenLines {
    /// A request for lines of one chip.
    @safe struct Chip {
        let request: OpaquePointer
        /// The index of each line of the request in the panel's list.
        let indices: [Int]
    }

    struct Place {
        let chip: Int
        let line: Int
    }

    private(set) var chips: [Chip] = []
    private var places: [Int: Place] = [:]
    /// The descriptors that can be read when an edge is waiting.
    private(set) var descriptors: [Int32] = []

    /// Takes over a request of `cgpio_request`.
    mutating func add(_ request: OpaquePointer, indices: [Int]) {
        for (line, index) in indices.enumerated() { places[index] = Place(chip: chips.count, line: line) }
        var found = [Int32](repeating: -1, count: indices.count)
        let count = unsafe cgpio_descriptors(request, &found, found.count)
        descriptors += found.prefix(Int(count))
        chips.append(unsafe Chip(request: request, indices: indices))
    }

    mutating func release() {
        for chip in chips { unsafe cgpio_release(chip.request) }
        self = OpenLines()
    }

    func place(of line: Int) -> Place {
        guard let place = places[line] else { preconditionFailure("line \(line) is not open") }
        return place
    }
}

extension cgpio_edge {
    /// Kernels before 5.7 stamp edges with the time of day. A stamp that cannot come from the monotonic clock becomes
    /// `now`.
    fileprivate func time(at now: Instant) -> Instant {
        guard let exact = Int64(exactly: nanoseconds) else { return now }
        let stamp = Instant(nanoseconds: exact)
        return stamp <= now && stamp >= now - .seconds(10) ? stamp : now
    }
}

extension WakeSignal {
    /// Blocks until it is raised, one of `others` can be read, the deadline is reached, or a signal was handled.
    ///
    /// - Throws: If one of `others` has failed for good.
    func wait(with others: [Int32], until deadline: Instant?) throws(PanelError) {
        let timeout = deadline.map { max(0, ($0 - MonotonicClock.now()).nanoseconds) } ?? -1
        guard unsafe cgpio_wait(descriptor, others, others.count, timeout) == 0 else {
            throw .broken("a chip is gone: \(SystemError.text(errno))")
        }
    }
}

/// Detects when the device file of a chip disappears because the chip was removed. Kernels before 6.6 do not wake a
/// thread that waits for edges of a removed chip; inotify does.
///
/// Without inotify it detects nothing. Confined to the panel's thread.
struct ChipWatch: ~Copyable {
    private struct Chip {
        let path: String
        let file: UInt64
    }

    private let owned: FileDescriptor?
    /// Negative without inotify.
    private let descriptor: Int32
    private var chips: [Chip] = []

    init() {
        descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
        owned = descriptor < 0 ? nil : FileDescriptor(owning: descriptor)
    }

    /// The descriptors for poll.
    var descriptors: [Int32] { descriptor < 0 ? [] : [descriptor] }

    mutating func add(_ path: String) {
        guard descriptor >= 0, let file = Self.file(at: path) else { return }
        // While a program has the file open, its removal is reported as a change of its link count.
        let told = UInt32(IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF)
        guard unsafe inotify_add_watch(descriptor, path, told) >= 0 else { return }
        chips.append(Chip(path: path, file: file))
    }

    /// - Throws: If a chip is gone, or another one is in its place.
    func look() throws(PanelError) {
        var (bytes, isTold) = ([UInt8](repeating: 0, count: 4_096), false)
        while unsafe read(descriptor, &bytes, bytes.count) > 0 { isTold = true }
        guard isTold, let gone = chips.first(where: { Self.file(at: $0.path) != $0.file }) else { return }
        throw .broken("the chip \(gone.path) is gone")
    }

    /// Identifies a file at a path: a replaced file has another number.
    private static func file(at path: String) -> UInt64? {
        var status = stat()
        return unsafe stat(path, &status) == 0 ? UInt64(status.st_ino) : nil
    }
}
