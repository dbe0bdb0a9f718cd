import Glibc

/// Searches all writable memory of this process for bytes.
enum MemorySearch {
    struct Failure: Error {}

    /// - Parameters:
    /// - disguised: The pattern, each byte of it changed by `disguise`.
    /// - Returns: How often it occurs.
    static func places(of disguised: [UInt8], disguise: UInt8) throws -> Int {
        let memory = unsafe open("/proc/self/mem", O_RDONLY | O_CLOEXEC)
        guard memory >= 0 else { throw Failure() }
        defer { close(memory) }
        var found = 0
        // Outside of the heap, and read last: the search buffer itself is not found again.
        let size = 1 << 16
        guard let page = unsafe mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
            unsafe page != MAP_FAILED
        else { throw Failure() }
        defer { unsafe munmap(page, size) }
        let own = UInt(bitPattern: page)
        for area in try areas() {
            var start = area.lowerBound
            while start < area.upperBound {
                if start == own {
                    start += UInt(size)
                    continue
                }
                var end = min(start + UInt(size), area.upperBound)
                if start < own, own < end { end = own }
                let count = unsafe pread(memory, page, Int(end - start), Int(start))
                guard count > 0 else { break }
                let bytes = unsafe UnsafeRawBufferPointer(start: page, count: count)
                found += unsafe occurrences(of: disguised, disguise, in: bytes)
                // A match across two reads is found in the second.
                let isWhole = start + UInt(count) == end && (end == own || end == area.upperBound)
                start = isWhole ? end : start + UInt(max(1, count - disguised.count + 1))
            }
        }
        unsafe memset(page, 0, size)
        return found
    }

    private static func occurrences(
        of disguised: [UInt8], _ disguise: UInt8, in bytes: UnsafeRawBufferPointer
    ) -> Int {
        guard bytes.count >= disguised.count else { return 0 }
        var count = 0
        for start in 0...(bytes.count - disguised.count) {
            var length = 0
            while length < disguised.count, unsafe bytes[start + length] == disguised[length] ^ disguise { length += 1 }
            if length == disguised.count { count += 1 }
        }
        return count
    }

    private static func areas() throws -> [Range<UInt>] {
        guard let maps = unsafe fopen("/proc/self/maps", "r") else { throw Failure() }
        defer { unsafe fclose(maps) }
        var areas: [Range<UInt>] = []
        var line = [CChar](repeating: 0, count: 4_096)
        while unsafe fgets(&line, Int32(line.count), maps) != nil {
            let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            let fields = text.split(separator: " ")
            guard fields.count >= 2, fields[1].hasPrefix("rw"), !text.contains("[v") else { continue }
            let ends = fields[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
            if ends.count == 2 { areas.append(ends[0]..<ends[1]) }
        }
        return areas
    }
}
