import Simulator
import Testing

/// Goal: the Simulator sees what it is there to see. Method: a known bug is put between machine and world, and worlds
/// are lived through until one shows it; without it the same worlds are well.
@Suite("Planted bugs")
struct PlantedBugTests {
    /// Each is found within seconds; so many worlds are tried at most.
    private static let worlds: UInt64 = 40

    @Test(arguments: PlantedBug.allCases)
    func isFound(_ bug: PlantedBug) throws {
        let failures = (1...Self.worlds).lazy.compactMap { seed in
            var plan = SimulationPlan(seed: seed)
            plan.bug = bug
            if PlantedBug.forEnemies.contains(bug) { plan.enemyPause = .milliseconds(300) }
            var simulation = Simulation(plan)
            return simulation.run()
        }
        let failure = try #require(failures.first, "\(bug) was not found in \(Self.worlds) worlds")
        var plan = SimulationPlan(seed: failure.seed)
        if PlantedBug.forEnemies.contains(bug) { plan.enemyPause = .milliseconds(300) }
        var healthy = Simulation(plan)
        #expect(healthy.run() == nil, "seed \(failure.seed) breaks a rule without the bug too")
    }
}
