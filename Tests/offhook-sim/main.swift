import Base
import Glibc
import Simulator

/// Explores worlds: one after the other from a first seed on, until one breaks a rule or all have passed.
func explore(_ options: Options) -> Int32 {
    let clock = ContinuousClock()
    let start = clock.now
    var total = Statistics()
    var worlds = 0
    for seed in options.seeds {
        if let limit = options.limit, clock.now - start >= limit { break }
        var simulation = Simulation(options.plan(seed: seed))
        if options.isVerbose { simulation.onStory = { print($0) } }
        let failure = simulation.run()
        total += simulation.statistics
        worlds += 1
        guard let failure else { continue }
        print(failure)
        print("again: offhook-sim \(options.again(seed: seed))")
        print("by chance: \(Chance.table); \(Choices.table)")
        return options.bug == nil ? 1 : found(failure, after: clock.now - start)
    }
    let real = Double((clock.now - start).nanoseconds) / 1e9
    let busy = Double(processorTime().nanoseconds) / 1e9
    let simulated = Double(total.simulated.nanoseconds) / 1e9
    print("worlds \(worlds), from seed \(options.first); by chance: \(Chance.table); \(Choices.table)")
    print("events \(total.events); inputs of phones \(total.told), effects \(total.effects)")
    print(
        "calls: \(total.dialled) dialled, \(total.answered) answered, \(total.missed) missed, \(total.failed) failed, "
            + "\(total.transferred) transferred")
    print(
        "faults \(total.faults); messages of strangers \(total.attacks), messages that the server changed "
            + "\(total.tampered), calls that heard forged packets \(total.forgedPackets); far ends opened "
            + "\(total.doors) doors, met "
            + "\(total.locks) locks; \(total.unattended) calls were answered by nobody")
    print("simulated hours \(round(simulated / 3_600, 2)) in \(round(real, 2)) s")
    print(
        "simulated seconds per real second: \(Int(simulated / real)), per second of this process: \(Int(simulated / busy))"
    )
    print("simulated hours per real second: \(round(simulated / 3_600 / real, 2))")
    guard let bug = options.bug else { return 0 }
    print("the planted bug \(bug.rawValue) was not found")
    return 1
}

func found(_ failure: Failure, after time: Duration) -> Int32 {
    print("found in \(round(Double(time.nanoseconds) / 1e9, 2)) s: \(failure.rule)")
    return 0
}

/// The processor time of this process: on a machine with other work it is less than the clock's.
func processorTime() -> Duration {
    var time = timespec()
    unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}

func round(_ number: Double, _ digits: Int) -> String {
    let scale = (0..<digits).reduce(1.0) { scale, _ in scale * 10 }
    return "\((number * scale).rounded() / scale)"
}

do {
    guard let options = try Options(CommandLine.arguments.dropFirst()) else {
        print(Options.help)
        exit(0)
    }
    exit(explore(options))
} catch {
    print("offhook-sim: \(error.text)\n\(Options.help)")
    exit(2)
}
