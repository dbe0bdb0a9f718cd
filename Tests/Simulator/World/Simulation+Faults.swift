import Base
import LineCore
import PhoneCore
import PhoneJudges
import SIPCore

/// Faults and repairs.
extension Simulation {
    mutating func fare(_ matter: Happening) {
        switch matter {
        case .fault:
            wish(again: .fault, mean: plan.faultPause)
            if !isQuiet { breakSomething() }
        case .mend(let fault): mend(fault)
        case .boot(let index): boot(index)
        case .quiet: beQuiet()
        case .quietEnd: endQuiet()
        default: return
        }
    }

    private mutating func breakSomething() {
        let index = fate.int(in: 0...phones.count - 1)
        statistics.faults += 1
        switch fate.int(in: 0...99) {
        case 0..<20: kill(index)
        case 20..<28:
            guard phones[index].process?.isStopping == false else { return }
            phones[index].process?.isStopping = true
            say("phone \(phones[index].number) gets the order to stop")
            tell(index, .shutDown)
        case 28..<48:
            let isBlip = fate.chance(.outageIsABlip)
            cutOff(.phoneCutOff(index), for: fate.pause(mean: isBlip ? .milliseconds(400) : .seconds(25)))
        case 48..<55: renumber(index)
        case 55..<62: cutOff(.serverCutOff, for: fate.pause(mean: .seconds(8)))
        case 62..<74:
            let step = Duration.seconds(fate.int(in: -90...90))
            say("the clock of phone \(phones[index].number) steps by \(step)")
            phones[index].clockError += step
            phones[index].vault.step(clock: step)
        case 74..<86:
            let route = fate.pick(Route.allCases)
            tell(index, .media(.deviceLost(route, "unplugged")))
            let mended = Happening.mend(.deviceLost(index, life: phones[index].life, route))
            agenda.add(mended, at: now + fate.pause(mean: .seconds(10)))
        case _:
            tell(index, .media(.interrupted))
            let mended = Happening.mend(.interruption(index, life: phones[index].life))
            agenda.add(mended, at: now + fate.pause(mean: .seconds(20)))
        }
    }

    private mutating func say(_ text: String) { chronicle.add(.world(text), at: now) }

    // MARK: The network

    private mutating func cutOff(_ fault: Fault, for time: Duration) {
        setPath(fault, isUp: false)
        agenda.add(.mend(fault), at: now + time)
    }

    /// The phone gets another address, mostly without a gap.
    private mutating func renumber(_ index: Int) {
        guard !network.isCutOff(phones[index].host) else { return }
        let before = phones[index].host
        phones[index].renumber(at: now)
        phones[index].troubleUntil = now + .seconds(5)
        say("phone \(phones[index].number) moves from \(before) to \(phones[index].host)")
        media.move(phone: index, to: phones[index].host, network, at: now)
        tellMediaNews()
        tell(index, .network(.path(path(of: index))))
    }

    private mutating func mend(_ fault: Fault) {
        switch fault {
        case .phoneCutOff, .serverCutOff: setPath(fault, isUp: true)
        case .interruption(let index, let life):
            if phones[index].life == life { tell(index, .media(.interruptionEnded)) }
        case .deviceLost(let index, let life, let route):
            if phones[index].life == life { tell(index, .media(.deviceFound(route))) }
        }
    }

    private mutating func setPath(_ fault: Fault, isUp: Bool) {
        let host: String
        switch fault {
        case .phoneCutOff(let index):
            host = phones[index].host
            phones[index].troubleUntil = isUp ? now : Instant(nanoseconds: .max / 4)
        case .serverCutOff:
            host = Proxy.endpoint.host
            for index in phones.indices where !network.isCutOff(phones[index].host) {
                phones[index].troubleUntil = isUp ? now : Instant(nanoseconds: .max / 4)
            }
        case .interruption, .deviceLost: return
        }
        guard network.isCutOff(host) == isUp else { return }
        say("\(host) is \(isUp ? "reachable again" : "cut off")")
        network.cutOff(host, !isUp)
        media.settle(network, at: now)
        tellMediaNews()
        if case .phoneCutOff(let index) = fault { tell(index, .network(.path(path(of: index)))) }
    }

    private func path(of index: Int) -> NetworkPath {
        network.isCutOff(phones[index].host) ? .none : NetworkPath(.wired, addresses: [phones[index].host])
    }

    // MARK: The process

    private mutating func kill(_ index: Int) {
        guard phones[index].process != nil else { return }
        say("phone \(phones[index].number) is killed")
        die(index)
        agenda.add(.boot(index), at: now + fate.pause(mean: .seconds(6)))
    }

    private mutating func die(_ index: Int) {
        replay(index)
        phones[index].process = nil
        phones[index].life += 1
        phones[index].panel.die()
        media.drop(phone: index, network, at: now)
        tellMediaNews()
    }

    private mutating func boot(_ index: Int) {
        if phones[index].process != nil {
            // It got the order to stop, and stopped.
            guard phones[index].process?.hasStopped == true else { return }
            die(index)
        }
        say("phone \(phones[index].number) starts")
        var dice = Dice(seed: plan.seed, "process", index << 32 | Int(phones[index].life))
        let machine = TamperedMachine(PhoneMachine(policy: phones[index].policy), bug: plan.bug)
        let line = SimulatedLine(
            number: phones[index].number, host: phones[index].host, isOverTLS: plan.isOverTLS,
            vouchesForFrom: phones[index].vouchesForFrom, followsRedirections: plan.enemyPause != nil,
            trust: phones[index].vault.trust, bug: plan.bug, dice: &dice)
        phones[index].rights.restart()
        phones[index].process = Process(machine: machine, line: line, policy: phones[index].policy, at: now)
        tellPanel(phones[index].panel.boot(at: now), index)
        tellLine(index, .start)
        // The second phase of the start.
        post(.network(.path(path(of: index))), to: index, after: haste.duration(in: .zero ... .milliseconds(60)))
        let events = phones[index].vault.events()
        for event in events { post(.vault(event), to: index, after: .milliseconds(50)) }
        restoreSignIn(index)
    }

    // MARK: Quiet times

    private mutating func beQuiet() {
        say("everybody leaves the phones alone")
        isQuiet = true
        for index in phones.indices { setPath(.phoneCutOff(index), isUp: true) }
        setPath(.serverCutOff, isUp: true)
        network.weather = .fine
        if plan.enemyPause != nil { registerAgain() }
    }

    /// After two minutes without input a phone is idle or in a call.
    private mutating func endQuiet() {
        for index in phones.indices {
            guard let process = phones[index].process else { continue }
            do throws(Violation) {
                try process.checkRest(at: now)
                try phones[index].vault.checkRest(process.shown)
                if plan.enemyPause != nil { try enemyJudge.checkReach(phones[index]) }
                guard process.shown.ringing || !phones[index].panel.bellIsOrdered(at: now) else {
                    throw Violation("the bell of the panel is silent when the phone is")
                }
            } catch {
                return fail(error.rule, index)
            }
        }
        do throws(Violation) { try judge.checkRest(phones) } catch { return fail(error.rule, nil) }
        isQuiet = false
        network.weather = plan.weather
        // A person who left something lying about returns to it.
        for index in phones.indices { willLook(index, after: fate.duration(in: .zero ... .seconds(20))) }
        say("the quiet time is over")
    }
}
