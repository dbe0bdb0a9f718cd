import Base
import Testing

/// Holds a ring that two threads reach; a `~Copyable` value cannot be captured by two closures itself.
private final class SharedRing: Sendable {
    let ring = SPSCRing<Int>(capacity: 64, filler: 0)
}

@Suite struct SPSCRingTests {
    @Test func fullRingRefusesAndEmptyRingGivesNothing() {
        let ring = SPSCRing<Int>(capacity: 2, filler: 0)
        let pushed = [ring.push(1), ring.push(2), ring.push(3)]
        let popped = [ring.pop(), ring.pop(), ring.pop()]
        #expect(pushed == [true, true, false])
        #expect(popped == [1, 2, nil])
    }

    /// Goal: nothing is lost, doubled or reordered between two threads. Method: a million numbers through 64 slots.
    @Test func twoThreadsExchangeEveryElementInOrder() async {
        let shared = SharedRing()
        let total = 1_000_000
        let producer = Task.detached {
            var next = 0
            while next < total { if shared.ring.push(next) { next += 1 } else { await Task.yield() } }
        }
        let consumer = Task.detached {
            var expected = 0
            while expected < total {
                guard let element = shared.ring.pop() else { await Task.yield(); continue }
                guard element == expected else { return false }
                expected += 1
            }
            return shared.ring.pop() == nil
        }
        await producer.value
        #expect(await consumer.value)
    }
}
