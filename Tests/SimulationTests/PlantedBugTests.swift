import Simulator
import Synchronization
import Testing

/// Goal: the Simulator finds the faults that it exists for. Method: a known bug is planted between machine and world,
/// and worlds run until one shows it; without it the same worlds keep all rules.
@Suite("Planted bugs", .serialized)
struct PlantedBugTests {
    /// Each is found within seconds, and within a minute on a slow machine; at most so many worlds are tried.
    private static let worlds: UInt64 = 40
    /// Worlds that passed without a bug, so this is done once for each.
    private static let healthy = Mutex<Set<World>>([])

    private struct World: Hashable { let seed: UInt64, isBesieged: Bool }

    /// The world in which it showed last. After a change it may be another one, which is found later.
    private static func first(_ bug: PlantedBug) -> UInt64 {
        switch bug {
        case .believesTransport: 11
        case .believesBranch, .dropsProtection: 3
        default: 2
        }
    }

    @Test(arguments: PlantedBug.allCases)
    func plantedBugIsFound(_ bug: PlantedBug) throws {
        let failure = try #require(Self.firstFailure(of: bug), "\(bug) was not found in \(Self.worlds) worlds")
        let world = World(seed: failure.seed, isBesieged: PlantedBug.forEnemies.contains(bug))
        guard !Self.healthy.withLock({ $0.contains(world) }) else { return }
        var healthy = Simulation(Self.plan(failure.seed, for: bug))
        try #require(healthy.run() == nil, "seed \(failure.seed) breaks a rule without the bug too")
        Self.healthy.withLock { _ = $0.insert(world) }
    }

    private static func firstFailure(of bug: PlantedBug) -> Failure? {
        for seed in first(bug)..<first(bug) + worlds {
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
