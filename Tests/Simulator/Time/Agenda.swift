import Base

/// The future events, in order: by instant, and at one instant in the order of insertion.
///
/// A binary heap of small keys beside the events, which are moved once. Cost: O(log n).
struct Agenda<Matter: Sendable>: Sendable {
    private struct Key: Sendable {
        let at: Int64
        let order: UInt64
        let slot: Int

        func precedes(_ other: Key) -> Bool { at != other.at ? at < other.at : order < other.order }
    }

    private var heap: [Key] = []
    private var matters: [Matter?] = []
    private var free: [Int] = []
    private var order: UInt64 = 0

    var count: Int { heap.count }
    var next: Instant? { heap.first.map { Instant(nanoseconds: $0.at) } }

    mutating func add(_ matter: Matter, at instant: Instant) {
        order += 1
        let slot: Int
        if let last = free.popLast() {
            slot = last
            matters[slot] = matter
        } else {
            slot = matters.count
            matters.append(matter)
        }
        heap.append(Key(at: instant.nanoseconds, order: order, slot: slot))
        rise(heap.count - 1)
    }

    mutating func take() -> (at: Instant, matter: Matter)? {
        guard let first = heap.first, let last = heap.popLast() else { return nil }
        if !heap.isEmpty {
            heap[0] = last
            sink(0)
        }
        guard let matter = matters[first.slot].take() else { preconditionFailure("every key has its matter") }
        free.append(first.slot)
        return (Instant(nanoseconds: first.at), matter)
    }

    private mutating func rise(_ start: Int) {
        var index = start
        let key = heap[index]
        while index > 0 {
            let parent = (index - 1) / 2
            guard key.precedes(heap[parent]) else { break }
            heap[index] = heap[parent]
            index = parent
        }
        heap[index] = key
    }

    private mutating func sink(_ start: Int) {
        var index = start
        let key = heap[index]
        while true {
            var child = 2 * index + 1
            guard child < heap.count else { break }
            if child + 1 < heap.count, heap[child + 1].precedes(heap[child]) { child += 1 }
            guard heap[child].precedes(key) else { break }
            heap[index] = heap[child]
            index = child
        }
        heap[index] = key
    }
}
