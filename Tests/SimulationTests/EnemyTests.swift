import Simulator
import Testing

/// Goal: an enemy gets what the owner's lists grant to any caller, and nothing more. Method: worlds with an enemy keep
/// every rule, and doors, locks and automatic answers occur in them, so those rules are exercised.
@Suite("The enemy")
struct EnemyTests {
    @Test func enemyGetsNoMoreThanListsGrant() {
        var (total, overTLS) = (Statistics(), Statistics())
        for seed in UInt64(1)...12 {
            var simulation = Simulation(.besieged(seed: seed))
            #expect(simulation.run() == nil, "offhook-sim --enemy --seed \(seed)")
            total += simulation.statistics
            if simulation.plan.isOverTLS { overTLS += simulation.statistics }
        }
        #expect(overTLS.attacks > 200 && overTLS.answered > 20, "\(overTLS)")
        #expect(
            total.attacks > 1_000 && total.forgedPackets > 20 && total.tampered > 20
                && total.doors > 5 && total.locks > 5 && total.unattended > 5, "\(total)")
    }
}
