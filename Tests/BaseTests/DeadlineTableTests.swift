import Base
import Testing

@Suite struct DeadlineTableTests {
    @Test func namesComeInOrderOfDeadlines() {
        var table = DeadlineTable<String>()
        table.set("late", at: .zero + .seconds(2))
        table.set("early", at: .zero + .seconds(1))
        #expect(table.earliest == .zero + .seconds(1))
        #expect(table.popDue(at: .zero) == nil)
        #expect(table.popDue(at: .zero + .seconds(2)) == "early")
        #expect(table.popDue(at: .zero + .seconds(2)) == "late")
        #expect(table.isEmpty)
    }

    @Test func settingAgainMovesDeadline() {
        var table = DeadlineTable<String>()
        table.set("ring", at: .zero + .seconds(1))
        table.set("ring", at: .zero + .seconds(3))
        #expect(table.count == 1)
        #expect(table["ring"] == .zero + .seconds(3))
    }

    @Test func simultaneousNamesKeepTheirOrder() {
        var table = DeadlineTable<Int>()
        for name in [3, 1, 2] { table.set(name, at: .zero) }
        var order: [Int] = []
        while let name = table.popDue(at: .zero) { order.append(name) }
        #expect(order == [3, 1, 2])
    }

    @Test func cancelledNamesNeverFallDue() {
        var table = DeadlineTable<Int>()
        for name in 0..<4 { table.set(name, at: .zero) }
        table.cancel(1)
        table.cancelAll { $0 > 2 }
        #expect(table.popDue(at: .zero) == 0)
        #expect(table.popDue(at: .zero) == 2)
        #expect(table.popDue(at: .zero) == nil)
    }
}
