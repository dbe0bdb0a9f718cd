import Base
import Testing

@Suite struct BoundedQueueTests {
    private func queue(of capacity: Int) -> BoundedQueue<Int> {
        BoundedQueue(capacity: capacity, isRepeatable: { $0 < 0 })
    }

    @Test func elementsLeaveInOrder() {
        var queue = queue(of: 4)
        var left: [Int] = []
        for round in 0..<100 {
            #expect(queue.push(2 * round) == .queued)
            #expect(queue.push(2 * round + 1) == .queued)
            while let element = queue.pop() { left.append(element) }
        }
        #expect(left == Array(0..<200))
    }

    @Test func fullQueueDropsOldestRepeatableElement() {
        var queue = queue(of: 3)
        for element in [1, -1, -2] { #expect(queue.push(element) == .queued) }
        #expect(queue.push(2) == .displaced)
        #expect([queue.pop(), queue.pop(), queue.pop(), queue.pop()] == [1, -2, 2, nil])
        #expect(queue.lost == 1)
    }

    @Test func queueFullOfEssentialElementsRefuses() {
        var queue = queue(of: 2)
        for element in [1, 2] { #expect(queue.push(element) == .queued) }
        #expect(queue.push(3) == .refused)
        #expect(queue.count == 2)
        #expect(queue.lost == 1)
    }

    @Test func busyQueueDoesNotGrow() {
        var queue = queue(of: 8)
        #expect(queue.push(0) == .queued)
        for element in 1..<10_000 {
            #expect(queue.push(element) == .queued)
            #expect(queue.pop() == element - 1)
            #expect(queue.count == 1)
        }
    }
}
