import Base
import Panel
import PhoneCore

/// Somebody at a phone: sees, hears, decides, and is clumsy.
///
/// What a person knows is what the phone shows, and where its handset lies.
struct Person: Sendable {
    enum Act: Sendable {
        case hand(PanelStimulus)
        /// By a program on a person's behalf.
        case ask(Request)
    }

    struct Deed: Sendable {
        let act: Act
        let after: Duration
    }

    private var dice: Dice
    private let clumsyPercent: Int
    private let phones: Int
    private let own: Int
    private let longestTalk: Duration
    /// Far ends have doors.
    private let knowsCodes: Bool
    /// What was decided about calls that ring here: once for each.
    private var decided: Set<CallID> = []
    /// When a call has lasted long enough.
    private var enough: [CallID: Instant] = [:]

    init(_ plan: SimulationPlan, index: Int) {
        dice = Dice(seed: plan.seed, "person", index)
        (phones, own, clumsyPercent) = (plan.phones, index, plan.clumsyPercent)
        longestTalk = plan.longestTalk
        knowsCodes = plan.enemyPause != nil
    }

    /// How long it takes until something that happened is looked at.
    mutating func reaction() -> Duration {
        dice.chance(.reactsAtOnce)
            ? dice.duration(in: .zero ... .milliseconds(5)) : dice.duration(in: .milliseconds(200) ... .seconds(3))
    }

    // MARK: Reacting

    /// - Returns: what is done, and when to look again.
    mutating func look(_ shown: PhoneSnapshot, isLifted: Bool, at now: Instant) -> (deeds: [Deed], again: Duration?) {
        if decided.count > 64 { decided = [] }
        if enough.count > 64 { enough = [:] }
        let ringing = shown.calls.first { $0.phase == .ringingIn }
        if let call = shown.calls.first(where: { $0.phase != .ringingIn && $0.phase != .disconnecting }) {
            return inCall(call, knocking: ringing, shown, isLifted, at: now)
        }
        if let ringing { return called(ringing, isLifted) }
        return idle(shown, isLifted)
    }

    private mutating func called(_ call: CallSummary, _ isLifted: Bool) -> ([Deed], Duration?) {
        guard decided.insert(call.call).inserted else { return ([], nil) }
        switch dice.int(in: 0...99) {
        case 0..<60: return (isLifted ? replaceAndLift() : hands([.liftHook]), nil)
        case 60..<67: return (press("speaker"), nil)
        case 67..<72: return ([ask(.answer(dice.chance(.answersByName) ? call.call : nil))], nil)
        case 72..<82: return ([ask(.hangUp(call.call))], nil)
        case 82..<86: return (press("mute"), .seconds(4))
        case 86..<88: return (press("do-not-disturb") + press("do-not-disturb", after: .seconds(20)), nil)
        case _: return ([], nil)
        }
    }

    private mutating func inCall(
        _ call: CallSummary, knocking: CallSummary?, _ shown: PhoneSnapshot, _ isLifted: Bool, at now: Instant
    ) -> ([Deed], Duration?) {
        let until = enough[call.call] ?? now + dice.duration(in: .seconds(1)...longestTalk)
        enough[call.call] = until
        if now >= until { return (leave(shown, isLifted), .seconds(6)) }
        let again = min(until - now, dice.duration(in: .milliseconds(500) ... .seconds(12)))
        if let knocking, decided.insert(knocking.call).inserted { return (answerKnocking(knocking), again) }
        return (dice.chance(.fiddles) ? fiddle(shown) : [], again + .milliseconds(1))
    }

    private mutating func answerKnocking(_ call: CallSummary) -> [Deed] {
        switch dice.int(in: 0...99) {
        case 0..<30: press("hold")
        case 30..<45: press("flash")
        case 45..<55: flash()
        case 55..<65: [ask(.hangUp(call.call))]
        case 65..<75:
            hands([.replaceHook]) + hands([.liftHook], after: dice.duration(in: .milliseconds(30) ... .seconds(3)))
        case _: []
        }
    }

    private mutating func leave(_ shown: PhoneSnapshot, _ isLifted: Bool) -> [Deed] {
        if isLifted && shown.route == .handset { return hands([.replaceHook]) }
        switch shown.route {
        case .speaker where !isLifted: return press("speaker")
        case .headset where !isLifted: return press("headset")
        case .handset, .speaker, .headset, .bluetooth:
            return [ask(.hangUp(nil))] + (isLifted ? hands([.replaceHook]) : [])
        }
    }

    private mutating func idle(_ shown: PhoneSnapshot, _ isLifted: Bool) -> ([Deed], Duration?) {
        if shown.missedCount > 0 && dice.chance(.clearsMissedCalls) {
            return ([ask(.clearMissedCalls(nil))], .seconds(5))
        }
        guard isLifted || shown.tone != nil else { return ([], nil) }
        // Somebody forgets the handset beside the phone, for minutes.
        guard !dice.chance(.rests) else { return ([], dice.duration(in: .seconds(60) ... .seconds(300))) }
        let after = dice.duration(in: .milliseconds(200) ... .seconds(6))
        if isLifted { return (hands([.replaceHook], after: after), .seconds(8)) }
        return (press(shown.route == .headset ? "headset" : "speaker", after: after), .seconds(8))
    }

    /// What people do in a call.
    private mutating func fiddle(_ shown: PhoneSnapshot) -> [Deed] {
        switch dice.int(in: 0...99) {
        case 0..<18: return press("hold") + press("hold", after: dice.duration(in: .milliseconds(100) ... .seconds(6)))
        case 18..<26: return press("mute")
        case 26..<38:
            let number = dice.int(in: 0...999)
            let isCode = knowsCodes && number < 400
            return digits(isCode ? Rights.codes[number % Rights.codes.count] + "#" : String(number))
        case 38..<44: return flash()
        case 44..<49: return press("flash")
        case 49..<56: return press("speaker")
        case 56..<76: return handOver(shown)
        case 76..<81: return press("conference") + digits(target() + "#", after: .seconds(1))
        case 81..<84: return press("redial")
        case 84..<87: return press("headset")
        case 87..<89: return press("line-1")
        case 89..<92: return [ask(.toggleHold(nil))]
        case 92..<96: return [ask(.status)]
        case _: return [ask(.volume(.call, dice.int(in: -1...12)))]
        }
    }

    /// Gives the call to somebody else: unseen, when that one rings or has answered, or by a program; with two calls, each
    /// far end to the other.
    private mutating func handOver(_ shown: PhoneSnapshot) -> [Deed] {
        let up = shown.calls.filter { $0.phase == .active || $0.phase == .onHold }
        if up.count == 2 {
            return dice.chance(.transfersByKey) ? press("transfer") : [ask(.connect(up[0].call, up[1].call))]
        }
        switch dice.int(in: 0...9) {
        case 0..<3:
            return press("transfer") + digits(target(), after: .seconds(1)) + press("transfer", after: .seconds(3))
        case 3..<8:
            let later = dice.duration(in: .seconds(3) ... .seconds(20))
            return press("transfer") + digits(target() + "#", after: .seconds(1)) + press("transfer", after: later)
        case _: return [ask(.transfer(dice.chance(.transfersUnnamed) ? nil : up.first?.call, to: target()))]
        }
    }

    // MARK: Calling

    /// - Returns: nothing when this person is busy with the phone already.
    mutating func call(_ shown: PhoneSnapshot, isLifted: Bool) -> [Deed] {
        guard shown.calls.isEmpty, !isLifted else { return [] }
        let number = target()
        let end = dice.chance(.endsTheNumber) ? "#" : ""
        switch dice.int(in: 0...99) {
        case 0..<60: return hands([.liftHook]) + digits(number + end, after: .milliseconds(400))
        case 60..<70: return press("speaker") + digits(number + end, after: .milliseconds(400))
        case 70..<82:
            return [ask(.dial(number, account: dice.chance(.dialsByUsualAccount) ? nil : SimulatedPhone.account))]
        case 82..<86: return hands([.liftHook]) + press("redial", after: .milliseconds(300))
        case 86..<89: return press("speed-1")
        case 89..<92: return press("line-1") + digits(number + end, after: .milliseconds(400))
        case 92..<94: return press("voicemail")
        // Somebody changes their mind.
        case _:
            return hands([.liftHook]) + digits(number, after: .milliseconds(300))
                + hands([.replaceHook], after: .milliseconds(900))
        }
    }

    private mutating func target() -> String {
        switch dice.int(in: 0...99) {
        case 0..<58:
            SimulatedPhone.number((own + dice.int(in: dice.chance(.dialsItself) ? 0...0 : 1...phones - 1)) % phones)
        case 58..<92: "200"
        case 92..<97: dice.pick(["486", "404", "503", "603", "480"])
        case _: dice.pick(["1", "999999", "sip:x@server.example", "*#"])
        }
    }

    /// A program that asks for what it likes.
    mutating func rogue(_ shown: PhoneSnapshot) -> Request {
        let call = shown.calls.isEmpty || dice.chance(.namesNoCall) ? nil : dice.pick(shown.calls).call
        let two = shown.calls.count > 1 ? (shown.calls[0].call, shown.calls[1].call) : nil
        switch dice.int(in: 0...19) {
        case 0: return .dial(target(), account: dice.chance(.asksForUsualAccount) ? nil : AccountID(7))
        case 1, 2: return .answer(call)
        case 3: return .hangUp(call)
        case 4: return .hold(call)
        case 5: return .resume(call)
        case 6: return .mute(dice.chance(.mutes))
        case 7: return .dtmf(call, dice.chance(.sendsDigits) ? [.symbol(.one), .pause, .symbol(.two)] : [])
        case 8: return .route(dice.pick(Route.allCases))
        case 9: return .toggleSpeaker
        case 10: return .transfer(call, to: target())
        case 11: return two.map { .connect($0.0, $0.1) } ?? .toggleMute
        case 12: return .conference
        case 13: return .silenceRinger
        case 14: return .doNotDisturb(dice.chance(.wantsNoDisturbance))
        case 15:
            return .switchOrganisation(dice.chance(.wantsTheOtherOrganisation) ? Backend.other.id : Backend.home.id)
        case 16: return .relay(1, .pulse)
        case 17: return .clearMissedCalls(call)
        case 18: return .reconnect
        case _: return .status
        }
    }

    /// Something is done at the worst moment.
    mutating func startle(isLifted: Bool) -> [Deed]? {
        guard dice.chance(percent: clumsyPercent / 5) else { return nil }
        let after = dice.duration(in: .zero ... .milliseconds(4))
        switch dice.int(in: 0...3) {
        case 0, 1: return hands([isLifted ? .replaceHook : .liftHook], after: after)
        case 2: return press(dice.pick(SimulatedBoard.functionKeys), after: after)
        case _: return [ask(.hangUp(nil), after: after)]
        }
    }

    // MARK: Hands

    private mutating func hands(_ stimuli: [PanelStimulus], after: Duration = .zero) -> [Deed] {
        var deeds = stimuli.map { Deed(act: .hand($0), after: after) }
        guard dice.chance(percent: clumsyPercent), let last = stimuli.last else { return deeds }
        // Once more, there and back.
        let (one, two) = (
            dice.duration(in: .milliseconds(1) ... .milliseconds(400)),
            dice.duration(in: .milliseconds(1) ... .seconds(1))
        )
        deeds.append(Deed(act: .hand(last == .liftHook ? .replaceHook : .liftHook), after: after + one))
        deeds.append(Deed(act: .hand(last), after: after + one + two))
        return deeds
    }

    private mutating func press(_ key: String, after: Duration = .zero) -> [Deed] {
        let times = dice.chance(percent: clumsyPercent) ? 2 : 1
        var (deeds, at): ([Deed], Duration) = ([], after)
        for _ in 0..<times {
            let held = dice.duration(in: .milliseconds(40) ... .milliseconds(150))
            deeds.append(Deed(act: .hand(.press(key)), after: at))
            deeds.append(Deed(act: .hand(.release(key)), after: at + held))
            at += held + dice.duration(in: .milliseconds(30) ... .milliseconds(250))
        }
        return deeds
    }

    private mutating func digits(_ digits: String, after: Duration = .zero) -> [Deed] {
        var (deeds, at): ([Deed], Duration) = ([], after)
        for digit in digits where digit.isNumber || digit == "#" || digit == "*" {
            deeds += press(String(digit), after: at)
            at += dice.duration(in: .milliseconds(200) ... .milliseconds(600))
        }
        return deeds
    }

    private mutating func flash() -> [Deed] {
        let down = dice.duration(in: .milliseconds(20) ... .milliseconds(1_100))
        return [Deed(act: .hand(.replaceHook), after: .zero), Deed(act: .hand(.liftHook), after: down)]
    }

    private mutating func replaceAndLift() -> [Deed] {
        hands([.replaceHook]) + hands([.liftHook], after: dice.duration(in: .milliseconds(50) ... .seconds(2)))
    }

    private func ask(_ request: Request, after: Duration = .zero) -> Deed { Deed(act: .ask(request), after: after) }
}
