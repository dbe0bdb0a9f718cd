import Base
import Panel
import PhoneCore
import SIPCore

/// One telephone: what stands on the table, and the process in it while that lives.
struct SimulatedPhone {
    /// The one account of every simulated phone.
    static let account = AccountID(1)

    let index: Int
    let number: String
    /// Its address on the network, which changes now and then.
    private(set) var host: String
    let policy: PhonePolicy
    /// Its server writes From itself.
    let vouchesForFrom: Bool
    var rights: RightsJudge
    var panel: SimulatedPanel
    var vault: SimulatedVault
    var process: Process?
    /// Counts processes: what was meant for a former one is not told to the next.
    var life: UInt32 = 0
    /// How far the clock on the wall is off.
    var clockError = Duration.zero
    /// Until when whatever may go wrong with the network may still be felt.
    var troubleUntil = Instant.zero

    /// When it got its present address.
    private(set) var movedAt = Instant(nanoseconds: .min)
    private var moves = 0

    init(_ plan: SimulationPlan, index: Int) {
        var dice = Dice(seed: plan.seed, "phone", index)
        self.index = index
        number = Self.number(index)
        host = "192.0.2.\(index + 1)"
        var policy = plan.policy(&dice)
        // Dice of their own: worlds without an enemy are what they were.
        var owner = Dice(seed: plan.seed, "rights", index)
        vouchesForFrom = plan.enemyPause == nil || owner.chance(.serverVouchesForFrom)
        if plan.enemyPause != nil { Rights.grant(to: &policy, phones: plan.phones, &owner) }
        self.policy = policy
        rights = RightsJudge(policy: policy, vouchesForFrom: vouchesForFrom)
        let bounce = dice.chance(.contactsBounce) ? ContactBounce.typical : ContactBounce.none
        panel = SimulatedPanel(
            SimulatedBoard.plan(matrix: plan.hasMatrix), bounce: bounce, seed: UInt64(dice.int(in: 0...Int.max)))
        let context = plan.hasBackend ? Backend.context(for: Backend.home, user: number) : nil
        vault = SimulatedVault(context: context, seed: plan.seed, index: index)
    }

    /// The network gives it another address.
    mutating func renumber(at now: Instant) {
        moves += 1
        movedAt = now
        host = "192.0.2.\(index + 1 + 10 * (moves % 9))"
        process?.line.endpoint = Flow.Endpoint(host, 5060)
    }

    static func number(_ index: Int) -> String { "\(101 + index)" }
}
