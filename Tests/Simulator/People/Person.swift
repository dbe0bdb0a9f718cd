import Base
import Panel
import PhoneCore

/// A person at a phone: sees, hears, decides, and is clumsy.
///
/// It knows only the phone's display and the place of its handset.
struct Person: Sendable {
    enum Act: Sendable {
        case hand(PanelStimulus)
        /// A request of a program on a person's behalf.
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
    /// The decisions about ringing calls: one for each.
    private var decided: Set<CallID> = []
    /// When a call has lasted long enough.
    private var enough: [CallID: Instant] = [:]

    init(_ plan: SimulationPlan, index: Int) {
        dice = Dice(seed: plan.seed, "person", index)
        (phones, own, clumsyPercent) = (plan.phones, index, plan.clumsyPercent)
        longestTalk = plan.longestTalk
        knowsCodes = plan.enemyPause != nil
    }

    /// The delay between an event and the person's look at it.
    mutating func reaction() -> Duration {
        dice.chance(.reactsAtOnce)
            ? dice.duration(in: .zero ... .milliseconds(5)) : dice.duration(in: .milliseconds(200) ... .seconds(3))
    }

    // MARK: Reacting

    /// - Returns: the action, and the time of the next look.
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
        switch dice.choose(Answering.self) {
        case .liftsTheHandset: return (isLifted ? replaceAndLift() : hands([.liftHook]), nil)
        case .pressesSpeaker: return (press("speaker"), nil)
        case .asksToAnswer: return ([ask(.answer(dice.chance(.answersByName) ? call.call : nil))], nil)
        case .asksToDecline: return ([ask(.hangUp(call.call))], nil)
        case .pressesMute: return (press("mute"), .seconds(4))
        case .pressesDoNotDisturb: return (press("do-not-disturb") + press("do-not-disturb", after: .seconds(20)), nil)
        case .letsItRing: return ([], nil)
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
        switch dice.choose(KnockingCall.self) {
        case .pressesHold: press("hold")
        case .pressesFlash: press("flash")
        case .flashesTheHook: flash()
        case .asksToDecline: [ask(.hangUp(call.call))]
        case .hangsUpAndLifts:
            hands([.replaceHook]) + hands([.liftHook], after: dice.duration(in: .milliseconds(30) ... .seconds(3)))
        case .letsItKnock: []
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
        // A person leaves the handset beside the phone, for minutes.
        guard !dice.chance(.rests) else { return ([], dice.duration(in: .seconds(60) ... .seconds(300))) }
        let after = dice.duration(in: .milliseconds(200) ... .seconds(6))
        if isLifted { return (hands([.replaceHook], after: after), .seconds(8)) }
        return (press(shown.route == .headset ? "headset" : "speaker", after: after), .seconds(8))
    }

    /// People's actions in a call.
    private mutating func fiddle(_ shown: PhoneSnapshot) -> [Deed] {
        switch dice.choose(Fiddling.self) {
        case .holdsForAWhile:
            return press("hold") + press("hold", after: dice.duration(in: .milliseconds(100) ... .seconds(6)))
        case .pressesMute: return press("mute")
        case .pressesDigits:
            let number = dice.int(in: 0...999)
            let isCode = knowsCodes && number < 400
            return digits(isCode ? Rights.codes[number % Rights.codes.count] + "#" : String(number))
        case .flashesTheHook: return flash()
        case .pressesFlash: return press("flash")
        case .pressesSpeaker: return press("speaker")
        case .handsOver: return handOver(shown)
        case .pressesConference: return press("conference") + digits(target() + "#", after: .seconds(1))
        case .pressesRedial: return press("redial")
        case .pressesHeadset: return press("headset")
        case .pressesALine: return press("line-1")
        case .asksToToggleHold: return [ask(.toggleHold(nil))]
        case .asksForStatus: return [ask(.status)]
        case .asksForVolume: return [ask(.volume(.call, dice.int(in: -1...12)))]
        }
    }

    /// Transfers the call: blind, while the target rings or after it answered, or by a program. With two calls, it
    /// connects both far ends.
    private mutating func handOver(_ shown: PhoneSnapshot) -> [Deed] {
        let up = shown.calls.filter { $0.phase == .active || $0.phase == .onHold }
        if up.count == 2 {
            return dice.chance(.transfersByKey) ? press("transfer") : [ask(.connect(up[0].call, up[1].call))]
        }
        switch dice.choose(HandingOver.self) {
        case .whenItRings:
            return press("transfer") + digits(target(), after: .seconds(1)) + press("transfer", after: .seconds(3))
        case .whenItHasAnswered:
            let later = dice.duration(in: .seconds(3) ... .seconds(20))
            return press("transfer") + digits(target() + "#", after: .seconds(1)) + press("transfer", after: later)
        case .byAProgram: return [ask(.transfer(dice.chance(.transfersUnnamed) ? nil : up.first?.call, to: target()))]
        }
    }

    // MARK: Calling

    /// - Returns: nothing if this person is already using the phone.
    mutating func call(_ shown: PhoneSnapshot, isLifted: Bool) -> [Deed] {
        guard shown.calls.isEmpty, !isLifted else { return [] }
        let number = target()
        let end = dice.chance(.endsTheNumber) ? "#" : ""
        switch dice.choose(Calling.self) {
        case .byHandset: return hands([.liftHook]) + digits(number + end, after: .milliseconds(400))
        case .bySpeaker: return press("speaker") + digits(number + end, after: .milliseconds(400))
        case .byAProgram:
            return [ask(.dial(number, account: dice.chance(.dialsByUsualAccount) ? nil : SimulatedPhone.account))]
        case .byRedial: return hands([.liftHook]) + press("redial", after: .milliseconds(300))
        case .bySpeedDial: return press("speed-1")
        case .byALine: return press("line-1") + digits(number + end, after: .milliseconds(400))
        case .theVoicemail: return press("voicemail")
        case .changingTheirMind:
            return hands([.liftHook]) + digits(number, after: .milliseconds(300))
                + hands([.replaceHook], after: .milliseconds(900))
        }
    }

    private mutating func target() -> String {
        switch dice.choose(Dialled.self) {
        case .aPhone:
            SimulatedPhone.number((own + dice.int(in: dice.chance(.dialsItself) ? 0...0 : 1...phones - 1)) % phones)
        case .theVoicemail: "200"
        case .aRefusal: dice.pick(["486", "404", "503", "603", "480"])
        case .nonsense: dice.pick(["1", "999999", "sip:x@server.example", "*#"])
        }
    }

    /// A program with random requests.
    mutating func rogue(_ shown: PhoneSnapshot) -> Request {
        if shown.registrations.values.contains(.disconnected), dice.chance(.comesBack) { return .connectAccounts }
        let call = shown.calls.isEmpty || dice.chance(.namesNoCall) ? nil : dice.pick(shown.calls).call
        let two = shown.calls.count > 1 ? (shown.calls[0].call, shown.calls[1].call) : nil
        switch dice.choose(RogueRequest.self) {
        case .dial: return .dial(target(), account: dice.chance(.asksForUsualAccount) ? nil : AccountID(7))
        case .answer: return .answer(call)
        case .hangUp: return .hangUp(call)
        case .hold: return .hold(call)
        case .resume: return .resume(call)
        case .mute: return .mute(dice.chance(.mutes))
        case .dtmf: return .dtmf(call, dice.chance(.sendsDigits) ? [.symbol(.one), .pause, .symbol(.two)] : [])
        case .route: return .route(dice.pick(Route.allCases))
        case .toggleSpeaker: return .toggleSpeaker
        case .transfer: return .transfer(call, to: target())
        case .connect: return two.map { .connect($0.0, $0.1) } ?? .toggleMute
        case .conference: return .conference
        case .silenceRinger: return .silenceRinger
        case .doNotDisturb: return .doNotDisturb(dice.chance(.wantsNoDisturbance))
        case .switchOrganisation:
            return .switchOrganisation(dice.chance(.wantsTheOtherOrganisation) ? Backend.other.id : Backend.home.id)
        case .relay: return .relay(1, .pulse)
        case .clearMissedCalls: return .clearMissedCalls(call)
        case .disconnect: return .disconnectAccounts
        case .reconnect: return .reconnect
        case .status: return .status
        case .startPage: return .startPage(group: UInt8(dice.int(in: 0...3)))
        case .stopPage: return .stopPage
        case .testSound: return .testSound(nil)
        }
    }

    /// An action at the worst moment.
    mutating func startle(isLifted: Bool) -> [Deed]? {
        guard dice.chance(percent: clumsyPercent / 5) else { return nil }
        let after = dice.duration(in: .zero ... .milliseconds(4))
        switch dice.choose(Startling.self) {
        case .hook: return hands([isLifted ? .replaceHook : .liftHook], after: after)
        case .key: return press(dice.pick(SimulatedBoard.functionKeys), after: after)
        case .hangUp: return [ask(.hangUp(nil), after: after)]
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
