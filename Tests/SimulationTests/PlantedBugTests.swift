import Simulator
import Testing

/// Goal: the Simulator sees what it is there to see. Method: a known bug is put between machine and world, and worlds
/// are lived through until one shows it; without it the same worlds are well.
@Suite("Planted bugs", .serialized)
struct PlantedBugTests {
    /// Each is found within seconds, and within a minute on a slow machine; so many worlds are tried at most.
    private static let worlds: UInt64 = 40

    @Test(.timeLimit(.minutes(1)), arguments: PlantedBug.allCases)
    func isFound(_ bug: PlantedBug) throws {
        let failure = try #require(Self.firstFailure(of: bug), "\(bug) was not found in \(Self.worlds) worlds")
        var healthy = Simulation(Self.plan(failure.seed, for: bug))
        #expect(healthy.run() == nil, "seed \(failure.seed) breaks a rule without the bug too")
    }

    private static func firstFailure(of bug: PlantedBug) -> Failure? {
        for seed in 1...worlds {
            var plan = plan(seed, for: bug)
            plan.bug = bug
            var simulation = Simulation(plan)
            if let failure = simulation.run() { return failure }
        }
        return nil
    }

    private static func plan(_ seed: UInt64, for bug: PlantedBug) -> SimulationPlan {
        guard PlantedBug.forEnemies.contains(bug) else { return SimulationPlan(seed: seed) }
        return .besieged(seed: seed)
    }
}
