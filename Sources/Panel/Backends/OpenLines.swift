import Base
import CGPIO
import Glibc
import Platform

/// The open requests, and where each line of the panel is in them.
@safe struct OpenLines {
    /// A request for lines of one chip.
    @safe private struct Chip {
        let request: OpaquePointer
        /// The index of each line of the request in the panel's list.
        let indices: [Int]
    }

    private struct Place {
        let chip: Int
        let line: Int
    }

    /// Limit of reads in a row, of 64 edges each: more than a kernel keeps for 64 lines.
    private static let readsInARow = 17

    private var chips: [Chip] = []
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

    func isActive(_ line: Int) throws(PanelError) -> Bool {
        let place = place(of: line)
        let level = unsafe cgpio_get(chips[place.chip].request, place.line)
        guard level >= 0 else { throw .broken("cannot read a line: \(SystemError.text(errno))") }
        return level == 1
    }

    func set(_ line: Int, active: Bool) throws(PanelError) {
        let place = place(of: line)
        guard unsafe cgpio_set(chips[place.chip].request, place.line, active) >= 0 else {
            throw .broken("cannot set a line: \(SystemError.text(errno))")
        }
    }

    /// - Returns: The waiting edges, those of one line in order. All are read, because the levels are read afterwards.
    ///   The number of reads is limited, because a broken line may produce edges faster than we read them.
    func readEdges(at now: Instant) throws(PanelError) -> [LineEdge] {
        var edges: [LineEdge] = []
        for chip in chips {
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

    private func place(of line: Int) -> Place {
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

/// Lines of one chip, requested together.
package enum LineGroup {
    private static let consumer = "offhook"

    /// - Parameter path: The chip's path.
    /// - Returns: The request, which `cgpio_release` closes.
    static func request(_ lines: [LineRequest], path: String) throws(PanelError) -> OpaquePointer {
        var offsets: [UInt32] = []
        for line in lines { offsets.append(try offset(of: line, path: path)) }
        try refuseShared(lines, at: offsets)
        let settings = zip(lines, offsets).map(Self.settings)
        var refusal = cgpio_refusal()
        let request = unsafe cgpio_request(path, consumer, settings, settings.count, &refusal)
        let code = errno
        if let request = unsafe request { return unsafe request }
        let line = lines[max(0, Int(refusal.index))]
        guard code == EBUSY else {
            throw .lineRefused(key: line.key, line.address, reason: SystemError.text(code))
        }
        throw .lineBusy(key: line.key, line.address, consumer: CText.string(refusal.consumer))
    }

    /// Rejects two parts on one line. A board file may name the line once by its name and once by its number. In that
    /// case libgpiod 2 would give both parts the settings of the second.
    /// - Parameter offsets: The offset of each line.
    package static func refuseShared(_ lines: [LineRequest], at offsets: [UInt32]) throws(PanelError) {
        var users: [UInt32: String] = [:]
        for (line, offset) in zip(lines, offsets) {
            guard let first = users.updateValue(line.key, forKey: offset) else { continue }
            throw .lineShared(key: line.key, line.address, first: first)
        }
    }

    private static func settings(_ line: LineRequest, at offset: UInt32) -> cgpio_line_settings {
        let (role, drive) =
            switch line.role {
            case .input: (CGPIO_INPUT, CGPIO_PUSH_PULL)
            case .output(.pushPull): (CGPIO_OUTPUT, CGPIO_PUSH_PULL)
            case .output(.openDrain): (CGPIO_OUTPUT, CGPIO_OPEN_DRAIN)
            case .output(.openSource): (CGPIO_OUTPUT, CGPIO_OPEN_SOURCE)
            }
        let bias =
            switch line.bias {
            case .asIs: CGPIO_BIAS_AS_IS
            case .none: CGPIO_BIAS_DISABLED
            case .pullUp: CGPIO_BIAS_PULL_UP
            case .pullDown: CGPIO_BIAS_PULL_DOWN
            }
        return cgpio_line_settings(
            offset: offset, role: role, drive: drive, bias: bias, active_low: line.polarity == .activeLow)
    }

    private static func offset(of line: LineRequest, path: String) throws(PanelError) -> UInt32 {
        switch line.address.line {
        case .offset(let offset):
            guard unsafe offset < cgpio_describe(path).line_count else {
                throw .lineNotFound(key: line.key, line.address)
            }
            return offset
        case .name(let name):
            let offset = unsafe cgpio_find_line(path, name)
            if offset >= 0 { return UInt32(offset) }
            guard errno == ENOENT else {
                throw .lineRefused(key: line.key, line.address, reason: SystemError.text(errno))
            }
            throw .lineNotFound(key: line.key, line.address)
        }
    }
}
