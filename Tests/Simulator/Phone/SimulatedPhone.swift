import Base
import CallerInfoCore
import Panel
import PhoneCore
import SIPCore

/// One telephone: the device on the table, and its process while it lives.
struct SimulatedPhone {
    /// The one account of every simulated phone.
    static let account = AccountID(1)

    let index: Int
    let number: String
    /// Its address on the network, which changes now and then.
    private(set) var host: String
    let policy: PhonePolicy
    /// Its server writes From.
    let vouchesForFrom: Bool
    var rights: RightsJudge
    var panel: SimulatedPanel
    var vault: SimulatedVault
    var process: Process?
    /// Counts processes: an event for a former one does not reach the next.
    var life: UInt32 = 0
    /// How much the wall clock is slow.
    var clockError = Duration.zero
    /// Its subscription at the broker, which judges the messages.
    var intake: CallerInfoIntake
    /// The number of messages that it took.
    var tickets: UInt32 = 0
    /// The time until which a network fault may still have effects.
    var troubleUntil = Instant.zero

    /// When it got its current address.
    private(set) var movedAt = Instant(nanoseconds: .min)
    private var moves = 0

    init(_ plan: SimulationPlan, index: Int) {
        var dice = Dice(seed: plan.seed, "phone", index)
        self.index = index
        number = Self.number(index)
        intake = CallerInfoIntake(topic: number)
        host = "192.0.2.\(index + 1)"
        var policy = plan.policy(&dice)
        // Separate dice: worlds without an enemy stay unchanged.
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
        vault.record = context.map { SignIns.Record(user: SignIns.user(number), context: $0) }
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
