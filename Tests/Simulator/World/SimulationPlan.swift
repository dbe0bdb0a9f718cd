import Base
import PhoneCore

/// One world: everything decided before its first instant, mostly by the seed.
package struct SimulationPlan: Sendable {
    package let seed: UInt64
    /// 2...5.
    package var phones: Int
    package var length = Duration.seconds(900)
    /// The mean pause between wishes to call.
    package var callsPerMinute = 2.0
    package var weather = Weather.fine
    /// The mean pause between faults. Nil: none.
    package var faultPause: Duration? = .seconds(120)
    /// The mean pause between random requests of programs. Nil: none.
    package var roguePause: Duration? = .seconds(60)
    /// The mean pause between the enemy's actions. Nil: there is no enemy.
    package var enemyPause: Duration?
    /// How long people talk at most, and wait for an answer.
    package var longestTalk = Duration.seconds(45)
    /// How often a hand does more than it should.
    package var clumsyPercent: Int
    package var hasBackend: Bool
    package var hasMatrix: Bool
    /// Whether the server challenges registrations and calls.
    package var challenges: Bool
    /// Whether every account is over TLS: only the server reads and writes its messages. The connections live as long
    /// as the world, so nothing in it breaks.
    package private(set) var isOverTLS = false
    /// Whether a call's request has the backend's name of the call.
    package var namesCalls: Bool
    package var bug: PlantedBug?

    /// Now and then people and faults leave the phones alone.
    package var quietPause = Duration.seconds(450)
    package static let quietLength = Duration.seconds(150)

    /// - Precondition: two to five phones.
    package init(seed: UInt64, phones: Int? = nil) {
        precondition(phones.map { (2...5).contains($0) } ?? true, "a world has two to five phones")
        var dice = Dice(seed: seed, "plan")
        self.seed = seed
        let drawn = dice.int(in: 2...5)
        self.phones = phones ?? drawn
        clumsyPercent = dice.pick([0, 5, 15, 40])
        hasBackend = dice.chance(.hasBackend)
        hasMatrix = dice.chance(.hasMatrix)
        challenges = dice.chance(.serverChallenges)
        namesCalls = dice.chance(.serverNamesCalls)
        callsPerMinute = dice.pick([1, 3, 8, 16])
        faultPause = dice.pick([nil, .seconds(120), .seconds(40), .seconds(12)])
        longestTalk = .seconds(dice.pick([10, 45, 120]))
        // Separate dice: worlds without an enemy stay unchanged.
        var enemies = Dice(seed: seed, "enemies")
        enemyPause = enemies.pick([nil, nil, .seconds(10), .seconds(3)])
        if dice.chance(.weatherIsBad) {
            weather.lossPercent = dice.pick([0, 1, 5, 15])
            weather.duplicatePercent = dice.pick([0, 2, 15])
            weather.delay = .milliseconds(1) ... .milliseconds(dice.pick([5, 50, 300, 900]))
        }
    }

    /// Two phones with few events: a benchmark of the Simulator's speed.
    package static func idle(seed: UInt64) -> SimulationPlan {
        var plan = SimulationPlan(seed: seed, phones: 2)
        // Some wishes meet a busy phone, or a lifted handset: so many wishes give one call a minute.
        plan.callsPerMinute = 1.4
        plan.quietPause = .seconds(1_000_000)
        plan.weather = .fine
        plan.faultPause = nil
        plan.roguePause = nil
        plan.enemyPause = nil
        plan.clumsyPercent = 0
        plan.hasMatrix = false
        return plan
    }

    /// An enemy acts three times a second, so five minutes are worth an hour. Half of the servers challenge, so there
    /// is something to weaken, and people call though their phones are often busy.
    package static func besieged(seed: UInt64, phones: Int? = nil) -> SimulationPlan {
        var plan = SimulationPlan(seed: seed, phones: phones)
        var dice = Dice(seed: seed, "besieged")
        plan.enemyPause = .milliseconds(300)
        plan.length = .seconds(300) + quietLength
        plan.challenges = dice.chance(.besiegedServerChallenges)
        plan.callsPerMinute = 14
        var transports = Dice(seed: seed, "transports")
        guard transports.chance(.besiegedAccountIsOverTLS) else { return plan }
        plan.isOverTLS = true
        plan.faultPause = nil
        (plan.weather.lossPercent, plan.weather.duplicatePercent) = (0, 0)
        return plan
    }

    /// When quiet times begin: one after each `quietPause`, and one at the end.
    var quietTimes: [Instant] {
        let last = length - Self.quietLength
        guard last >= .zero else { return [] }
        var times: [Duration] = []
        var next = quietPause
        while next + Self.quietLength <= last {
            times.append(next)
            next += Self.quietLength + quietPause
        }
        return (times + [last]).map { .zero + $0 }
    }

    /// The settings of one phone. The groups that every phone hears and pages.
    static let paging = PagingPolicy(groups: [
        .init(label: "all", interruptsCalls: true, longestSent: .seconds(20)),
        .init(label: "hall", longestSent: .seconds(20)),
    ])

    func policy(_ dice: inout Dice) -> PhonePolicy {
        var policy = PhonePolicy()
        policy.ringingOutTime = .seconds(30)
        policy.defaultAccount = SimulatedPhone.account
        policy.lineKeys = [SimulatedPhone.account]
        policy.maximumCalls = dice.pick([1, 2, 2, 2, 3])
        policy.mixesCalls = dice.chance(.mixesCalls)
        policy.defaultRoute = dice.chance(.routeIsHandset) ? .handset : .speaker
        policy.flash = dice.chance(.hasFlash) ? FlashTimes() : nil
        policy.onHookDeclines = dice.chance(.onHookDeclines)
        policy.announcer = dice.chance(.bothAnnounce) ? .both : dice.pick(Announcer.allCases)
        policy.maximumCallTime = dice.chance(.callsAreLimited) ? .seconds(40) : nil
        policy.dialPlan = dice.chance(.dialPlanIsOpen) ? .open : .office
        policy.paging = Self.paging
        policy.hasBackend = hasBackend ? true : nil
        policy.speedDials = [1: SpeedDial([SimulatedPhone.number(1), SimulatedPhone.number(0), "486"])]
        policy.voicemail = [SimulatedPhone.account: "200"]
        if dice.chance(.somebodyIsBlocked) { policy.blocked = [SimulatedPhone.number(dice.int(in: 0...phones - 1))] }
        if dice.chance(.somebodyIsAnswered) {
            policy.autoAnswer.callers = [ListedCaller(SimulatedPhone.number(dice.int(in: 0...phones - 1)))]
            policy.autoAnswer.onlyWhenAsked = false
        }
        policy.followsTransfers = true
        policy.transferTargets = try? DialPlan(patterns: ["xxx"], emergency: [])
        policy.dtmf = dice.chance(.dtmfIsAutomatic) ? .automatic : dice.pick(DTMFMode.allCases)
        return policy
    }
}
