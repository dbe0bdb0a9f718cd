import Base
import Simulator
import Testing

/// Goal: whole phones keep every rule, whatever people, networks and faults do to them. Method: worlds from seeds.
@Suite("Whole phones in simulated time")
struct WorldTests {
    /// Worlds that once broke a rule, of the phone or of the Simulator itself.
    static let known: [UInt64] = [
        17, 54, 78, 146, 221, 815, 100_192, 100_450, 100_596, 71_243_101_867_059_193,
        62_185_174_747_560_400, 2_408_434_009_212_684,
    ]

    @Test("worlds that once broke a rule keep all rules", arguments: known)
    func formerFailuresKeepTheRules(seed: UInt64) {
        var simulation = Simulation(SimulationPlan(seed: seed))
        #expect(simulation.run() == nil)
    }

    /// Bounded by their number, not by a clock, so that a slow machine tries as many as a fast one.
    @Test("two hundred new worlds keep all rules", arguments: 0..<10)
    func newWorldsKeepTheRules(part: UInt64) {
        let first = UInt64.random(in: 0...UInt64.max >> 8)
        print("new worlds from seed \(first) on")
        for seed in first..<first + 20 {
            var plan = SimulationPlan(seed: seed)
            // Many worlds are worth more than long ones: five minutes of life, and the quiet time after them.
            plan.length = .seconds(450)
            var simulation = Simulation(plan)
            #expect(simulation.run() == nil, "offhook-sim --seed \(seed) --minutes 7.5")
        }
    }

    @Test func sameSeedGivesSameWorld() {
        var first = Simulation(SimulationPlan(seed: 4))
        var second = Simulation(SimulationPlan(seed: 4))
        first.run()
        second.run()
        let isSame = (first.statistics == second.statistics, first.story == second.story)
        #expect(isSame == (true, true))
        let isEmpty = first.story.isEmpty
        #expect(!isEmpty)
    }

    /// Goal: the worlds are varied enough. Method: every important event occurs in some of them.
    @Test func worldsContainEveryEvent() {
        var total = Statistics()
        for seed in UInt64(1)...30 {
            var simulation = Simulation(SimulationPlan(seed: seed))
            simulation.run()
            total += simulation.statistics
        }
        #expect(total.dialled > 1_000 && total.answered > 300 && total.missed > 200 && total.failed > 100)
        #expect(total.faults > 300)
        #expect(total.transferred > 10, "\(total.transferred)")
    }
}
