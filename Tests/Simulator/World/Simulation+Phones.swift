import Base
import CallerInfo
import CallerInfoCore
import LineCore
import Panel
import PhoneCore
import SIPCore

/// The phones' effects on the world, and the results.
extension Simulation {
    mutating func perform(_ effect: PhoneEffect, of index: Int) {
        switch effect {
        // Lamps blink on their own, and are not looked at here: their orders are judged.
        case .panel(.lamp): break
        case .panel(let effect):
            phones[index].panel.perform(effect, at: now)
            armPanel(index)
        case .line(let effect): perform(effect, of: index)
        case .media(let effect):
            media.perform(effect, of: index, host: phones[index].host, network, at: now)
            tellMediaNews()
        case .vault(let effect):
            guard let answer = phones[index].vault.perform(effect) else { return }
            post(.vault(answer), to: index, after: haste.duration(in: .milliseconds(1) ... .milliseconds(40)))
        case .backend(.switchOrganisation(let id)):
            guard let answer = backend.switched(to: id, user: phones[index].number) else { return }
            post(.backend(answer.event), to: index, after: answer.after)
        case .backend(let effect):
            report(signIns.answers(to: effect, of: phones[index].number, at: now), to: index)
        case .control(.notice(let notice)): statistics.count(notice)
        // A message is delivered until it is reported, in its own turn, which is judged.
        case .callerInfo, .control(.called), .control(.signInCode), .control(.organisations), .control(.settled),
            .control(.snapshot), .display:
            break
        case .stopped: agenda.add(.boot(index), at: now + fate.duration(in: .milliseconds(2_500) ... .seconds(9)))
        }
    }

    /// Posts an event to the current process, if it still lives then.
    mutating func post(_ event: PhoneEvent, to index: Int, after: Duration) {
        agenda.add(.event(index, life: phones[index].life, event), at: now + after)
    }

    /// The adapter keeps its record, and reports a moment later. The process may die in between.
    mutating func report(_ answers: [SignIns.Answer], to index: Int) {
        for answer in answers {
            var at = now + answer.after
            if let record = answer.record {
                agenda.add(.signInKept(index, life: phones[index].life, record), at: at)
                at = at + .milliseconds(20)
            }
            agenda.add(.event(index, life: phones[index].life, .backend(answer.event)), at: at)
        }
    }

    /// What the adapter reports at a start.
    mutating func restoreSignIn(_ index: Int) {
        guard let record = phones[index].vault.record else { return }
        let number = phones[index].number
        post(
            .backend(.restored(record.user, record.context)), to: index,
            after: haste.duration(in: .milliseconds(30) ... .milliseconds(90)))
        report(signIns.renewal(of: phones[index].vault.memory.context, number, after: .seconds(1)), to: index)
        if signIns.forgets() { post(.backend(.signInNeeded(.deviceTokenRefused)), to: index, after: .seconds(2)) }
    }

    // MARK: Lines

    private mutating func perform(_ command: LineCommand, of index: Int) {
        if case .answer(_, _, awaitingACK: true) = command { statistics.unattended += 1 }
        guard let outputs = phones[index].process?.line.perform(command, at: now) else { return }
        carry(outputs, of: index)
    }

    mutating func lineDue(_ index: Int) {
        guard phones[index].process?.lineRings(at: now) == true else { return }
        tellLine(index, .deadline)
    }

    mutating func tellLine(_ index: Int, _ input: LineInput) {
        guard let outputs = phones[index].process?.line.take(input, at: now) else { return }
        carry(outputs, of: index)
        arm(index)
    }

    private mutating func carry(_ outputs: [SimulatedLine.Output], of index: Int) {
        for output in outputs {
            switch output {
            case .send(let datagram):
                judgeSending(datagram, of: index)
                send(datagram)
            case .event(let event):
                let soon = now + haste.duration(in: .zero ... .microseconds(900))
                let at = phones[index].process?.hearLine(soon) ?? soon
                agenda.add(.event(index, life: phones[index].life, .line(event)), at: at)
            case .named(let call, let callID): phones[index].process?.callIDs[call] = callID
            case .learned(let trust):
                phones[index].vault.trust = trust
                judgeLearning(trust, of: index)
            case .finished: break
            }
        }
    }

    // MARK: The network and the server

    mutating func send(_ datagram: Datagram) {
        for arrival in network.carry(datagram, at: now) { agenda.add(.datagram(datagram), at: arrival) }
    }

    mutating func arrive(_ datagram: Datagram) {
        guard network.delivers(datagram) else { return }
        if chronicle.onLine != nil { chronicle.add(.wire(datagram), at: now) }
        if datagram.to == Proxy.endpoint {
            return isHijacked(datagram) ? () : carry(proxy.receive(datagram, at: now))
        }
        if datagram.to.host == Enemy.elsewhere.host {
            _ = isHijacked(datagram)
            return
        }
        if plan.enemyPause != nil { enemy.see(datagram) }
        guard let index = phones.indices.first(where: { phones[$0].host == datagram.to.host }) else { return }
        // A process that has died gets no events.
        if plan.enemyPause != nil, phones[index].process != nil { phones[index].rights.hear(datagram) }
        tellLine(index, .received(datagram.bytes, datagram.arrival))
        guard !isQuiet, let deeds = people[index].startle(isLifted: phones[index].panel.isLifted) else { return }
        plan(deeds, of: index)
    }

    mutating func carry(_ outputs: [Proxy.Output]) {
        for output in outputs {
            switch output {
            case .send(let datagram): passOn(datagram)
            case .told(let story):
                chronicle.add(.story(story), at: now)
                judge.take(story, at: now)
                guard case .answered(let callID, let number) = story else { continue }
                send(backend.answered(callID, by: number, at: now))
            case .asked(let call, let inquiry):
                let decision = backend.asked(inquiry, at: now)
                if let after = decision.forkAfter {
                    var after = after
                    if gateway.chance(.gatewayOffersTwice) {
                        agenda.add(.misoffer(call, inquiry.targets), at: now + after)
                        after += gateway.duration(in: .milliseconds(200) ... .seconds(6))
                    }
                    agenda.add(.fork(call, inquiry.targets), at: now + after)
                } else {
                    agenda.add(.refuse(call), at: now + .seconds(8))
                }
                send(decision.messages)
            }
        }
        if let due = proxyAlarm.set(proxy.deadline, now: now) { agenda.add(.proxyDue, at: due) }
    }

    // MARK: The second channel

    private mutating func send(_ messages: [Backend.Message]) {
        for message in messages { agenda.add(.message(message), at: now + message.after) }
    }

    /// A message waits for an unreachable phone: the session persists.
    mutating func arrive(_ message: Backend.Message) {
        guard let index = phones.indices.first(where: { phones[$0].number == message.number }) else { return }
        let isAway = phones[index].process == nil || network.isCutOff(phones[index].host)
        guard !isAway else {
            if now - message.at < .seconds(120) { agenda.add(.message(message), at: now + .seconds(1)) }
            return
        }
        let payload = message.payload
        let time = Backend.wallTime(at: now - phones[index].clockError)
        let verdict = phones[index].intake.judge(
            payload, length: payload.count, topic: message.number, time: time, at: now)
        guard case .take(let taken) = verdict else { return }
        phones[index].tickets += 1
        tell(index, .callerInfo(taken.event(phones[index].tickets, time: time, at: now)))
    }

    // MARK: Media

    mutating func tellMediaNews() {
        let (news, checks) = media.takeNews()
        for item in news {
            guard let at = phones[item.phone].process?.hearMedia(after: item.after, at: now) else { continue }
            agenda.add(.event(item.phone, life: phones[item.phone].life, .media(item.event)), at: at)
        }
        for (check, after) in checks { agenda.add(.mediaCheck(check), at: now + after) }
    }

    // MARK: The panel

    mutating func panelDue(_ index: Int) {
        guard phones[index].panel.rings(at: now) else { return }
        tellPanel(phones[index].panel.look(at: now), index)
    }

    mutating func tellPanel(_ events: [PanelEvent], _ index: Int) {
        for event in events { tell(index, .panel(event)) }
        armPanel(index)
    }

    mutating func armPanel(_ index: Int) {
        if let due = phones[index].panel.arm(at: now) { agenda.add(.panelDue(index), at: due) }
    }
}
