import Base
import PhoneCore
import PhoneJudges

/// A badly behaved environment of a phone. It answers effects late, twice, wrongly or never; people press any key;
/// programs request calls that do not exist. All from one seed.
struct World {
    private var random: SeededGenerator
    /// Pending answers to the phone.
    private var mail: [PhoneEvent] = []
    private var offered: UInt32 = 0
    private var asked: UInt64 = 0
    private var now = Instant.zero
    /// Calls that were named once; most of them have ended.
    private var named: [CallID] = [Sample.dialled]

    static let mostMail = 64
    private static let plans = [
        Sample.plan, Sample.heldPlan, Sample.plan(port: 6_000), Sample.plan(events: false), Sample.plan(sends: false),
    ]

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

    mutating func policy() -> PhonePolicy {
        var policy = PhonePolicy()
        policy.ringingOutTime = .seconds(30)
        policy.displayLanguage = .english
        policy.dtmf = DTMFMode.allCases.randomElement(using: &random) ?? .automatic
        policy.maximumCalls = Int.random(in: 1...4, using: &random)
        policy.defaultRoute = chance(80) ? .handset : .speaker
        policy.defaultAccount = chance(80) ? .direct : AccountID(1)
        policy.flash = chance(50) ? FlashTimes() : nil
        policy.mixesCalls = chance(50)
        policy.recordsCalls = chance(80)
        policy.hasBackend = chance(70)
        policy.playsFiles = chance(80)
        policy.playsHoldMusic = chance(50)
        policy.onHookDeclines = chance(30)
        policy.paging = chance(70) ? PagingPolicy(groups: Sample.groups) : nil
        policy.soundTest =
            chance(50) ? SoundTestPolicy(every: .seconds(Int64.random(in: 60...900, using: &random))) : nil
        policy.followsTransfers = chance(80)
        policy.transferTargets = chance(30) ? try? DialPlan(patterns: ["555."], emergency: []) : nil
        policy.blocksWithheld = chance(10)
        policy.announcer = Announcer.allCases.randomElement(using: &random) ?? .both
        policy.lineKeys = [.direct, AccountID(1)]
        policy.speedDials = [
            1: SpeedDial(["5550101", "5550102", "5550103"], watched: chance(50) ? .phone : nil),
            2: SpeedDial(["7"], watched: chance(50) ? .orbit : nil),
        ]
        policy.organisationKeys = [3: OrganisationID("b")]
        policy.pickupCodes = chance(30) ? [.direct: "*8"] : [:]
        policy.voicemail = [.direct: "5550109"]
        policy.relays = [1: RelayPolicy(code: Sample.code, once: chance(50))]
        if chance(50) {
            policy.alarms["door"] = AlarmPolicy(
                SpeedDial(["5550101", "5550102"]), wait: .seconds(20), pause: .seconds(40))
        }
        policy.maximumCallTime = chance(20) ? .seconds(60) : nil
        policy.autoAnswer.callers = chance(20) ? [ListedCaller(Sample.caller.number)] : []
        policy.autoAnswer.onlyWhenAsked = false
        policy.dialPlan = chance(50) ? .open : .us
        return policy
    }

    mutating func pause(before deadline: Instant?, at now: Instant) -> Instant {
        let long = chance(3) ? 40_000 : 300
        let next = now + .milliseconds(Int.random(in: 0...long, using: &random))
        return min(next, deadline ?? next)
    }

    mutating func next(_ snapshot: PhoneSnapshot, at now: Instant) -> PhoneEvent {
        self.now = now
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<45 where !mail.isEmpty:
            let index = chance(80) ? 0 : Int.random(in: 0..<mail.count, using: &random)
            return chance(95) ? mail.remove(at: index) : mail[index]
        case 0..<65: return person()
        case 65..<72: return offer()
        case 72..<75: return .callerInfo(info())
        case 75..<85: return request(snapshot)
        case 85..<97: return noise(snapshot)
        case _: return .deadline
        }
    }

    // MARK: Answers

    mutating func read(_ effects: [PhoneEffect]) {
        for effect in effects {
            if let id = effect.call, !named.contains(id) { named = named.suffix(30) + [id] }
            for event in answers(to: effect) where mail.count < Self.mostMail && chance(95) { mail.append(event) }
        }
    }

    private mutating func answers(to effect: PhoneEffect) -> [PhoneEvent] {
        switch effect {
        case .media(.open(let id, _)):
            chance(5)
                ? [.media(.failed(id, "no port"))] : chance(70) ? [.media(.opened(id, Sample.endpoint))] : trickle(id)
        case .media(.gather(let id)): [.media(.gathered(id, Sample.endpoint))]
        case .media(.connect(let id, _)): chance(95) ? [.media(.ready(id))] : [.media(.failed(id, "no keys"))]
        case .media(.activate(let id)): [.media(.firstVoice(id))]
        case .media(.dtmf(let id, _, _)): [.media(.dtmfSent(id))]
        case .line(.dtmf(let id, let elements)): [.line(.dtmfSent(id, unsent: chance(70) ? [] : elements))]
        case .line(.dial(let id, _, _, _, _)), .line(.pickUp(let id, _, _)), .line(.follow(let id, _, _, _)):
            progress(of: id)
        case .line(.answer(let id, _, _)): [.line(.answered(id, plan()))]
        case .line(.hold(let id, _)):
            (chance(20) ? [.line(.holdDelayed(id, by: .seconds(3)))] : [])
                + [.line(.holdSettled(id, chance(80) ? plan() : nil))]
        case .line(.redirect(let id, true)): progress(of: id)
        case .line(.end(let id, _)), .line(.refuse(let id, _)), .line(.redirect(let id, false)):
            [.line(.ended(id, reason()))]
        case .line(.move(let id, _)): [.line(.moved(id, chance(80) ? plan() : nil))]
        case .line(.transfer(let id, _)), .line(.connect(let id, _)):
            [.line(.transferSettled(id, accepted: chance(70))), .line(.transferred(id, succeeded: chance(50)))]
        case .line(.reconfigure(let account, _)): [.line(.registration(account, registration()))]
        case .vault(.keepContext(_, let ticket)), .vault(.tryContext(_, let ticket)):
            [.vault(.contextKept(ticket: ticket, chance(80)))]
        case .backend(.switchOrganisation(let id)):
            [.backend(chance(70) ? .switched(Sample.context(id.rawValue)) : .switchFailed(.network))]
        case .backend(.signIn):
            chance(80)
                ? [.backend(.signInCode(code())), .backend(.signedIn(Sample.user, chance(80) ? context() : nil))]
                : [.backend(.signInFailed(.denied))]
        case .backend(.signOut): [.backend(.signedOut)]
        case .backend(.organisations): [.backend(.organisations([listed()]))]
        case .backend(.renewCredentials): [.backend(.credentialsRenewed(context()))]
        case .backend(.cancelSignIn), .backend(.worksFor), .backend(.credentialsKept),
            .backend(.callerInfoVoid):
            []
        case .media, .line, .panel, .vault, .callerInfo, .control, .display, .stopped: []
        }
    }

    private func trickle(_ id: CallID) -> [PhoneEvent] {
        let trickled = [false, true].map { PhoneEvent.media(.candidates(id, ["2", "3"], isLast: $0)) }
        return [.media(.opened(id, Sample.trickling))] + trickled
    }

    private mutating func progress(of id: CallID) -> [PhoneEvent] {
        var events: [PhoneEvent] = [.line(.offerSent(id))]
        if chance(70) { events.append(.line(.ringing(id))) }
        if chance(40) { events.append(.line(.earlyMedia(id, plan()))) }
        events.append(.line(chance(70) ? .answered(id, plan()) : .ended(id, reason())))
        return events
    }

    // MARK: People and programs

    private mutating func person() -> PhoneEvent {
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<18: .panel(.hook(.offHook))
        case 18..<34: .panel(.hook(.onHook))
        case 34..<36: .panel(.hookFound(chance(50) ? .onHook : .offHook))
        case 36..<64: .panel(.pressed(.digit(DTMFSymbol(rawValue: .random(in: 0...15, using: &random)) ?? .one)))
        case 64..<70: .panel(.pressed(.digit(.pound)))
        case 70..<82: .panel(.pressed(.hold))
        case _: .panel(.pressed(key()))
        }
    }

    private mutating func key() -> Key {
        let keys: [Key] = [
            .mute, .speaker, .headset, .redial, .volumeUp, .volumeDown, .speaker, .hold, .flash, .transfer, .conference,
            .doNotDisturb, .voicemail, .line(1), .line(2), .speedDial(1), .speedDial(2), .speedDial(3), .transfer,
            .flash,
        ]
        return keys[Int.random(in: 0..<keys.count, using: &random)]
    }

    private mutating func offer() -> PhoneEvent {
        offered += 1
        var caller = Sample.callers[Int.random(in: 0..<Sample.callers.count, using: &random)]
        caller.replaces = chance(30) ? named.randomElement(using: &random) : nil
        return .line(.offered(CallID(.line(.direct), offered), caller))
    }

    private mutating func request(_ snapshot: PhoneSnapshot) -> PhoneEvent {
        asked += chance(98) ? 1 : 0
        let call = chance(50) ? nil : someCall(snapshot)
        let request: Request =
            switch Int.random(in: 0..<22, using: &random) {
            case 0 where chance(20): .pickUp("5550101", account: nil)
            case 0: .dial(chance(90) ? "5550100" : "1", account: chance(70) ? nil : AccountID(1))
            case 1, 2: .answer(call)
            case 3: chance(70) ? .hangUp(call) : .decline(call)
            case 4: .hold(call)
            case 5: .resume(call)
            case 6: .mute(chance(50))
            case 7: .dtmf(call, Array(repeating: .pause, count: .random(in: 0...66, using: &random)))
            case 8: .route(Route.allCases[Int.random(in: 0..<4, using: &random)])
            case 9: .toggleHold(call)
            case 10: .toggleMute
            case 11: .toggleSpeaker
            case 12: .transfer(call, to: chance(90) ? "5550199" : "x")
            case 13: .connect(someCall(snapshot), someCall(snapshot))
            case 14: .conference
            case 15: chance(60) ? .acceptTransfer(call) : .declineTransfer(call)
            case 16 where chance(60): chance(60) ? .startRecording(call) : .stopRecording
            case 16 where chance(50): chance(70) ? .startPlayback(file: "noise", call) : .stopPlayback
            case 16 where chance(70): chance(60) ? .startPage(group: .random(in: 0...5, using: &random)) : .stopPage
            case 16 where chance(40): .compareWords(call, agree: chance(60))
            case 16: chance(50) ? .testSound(chance(50) ? nil : .handset) : .silenceRinger
            case 17: .doNotDisturb(chance(20))
            case 18: .volume(chance(50) ? .call : .ring, .random(in: -2...12, using: &random))
            case 19 where chance(30): backendRequest()
            case 19: chance(50) ? .switchOrganisation(organisation()) : .relay(1, chance(50) ? .pulse : .off)
            case 20 where chance(60): chance(20) ? .reset : .reconnect
            case 20: chance(30) ? .disconnectAccounts : .connectAccounts
            case _: chance(50) ? .status : .clearMissedCalls(call)
            }
        return .request(Sample.action(asked), request)
    }

    private mutating func shownKey() -> ShownFingerprint {
        ShownFingerprint(fingerprint: [.random(in: 0...2, using: &random)], words: "noise")
    }

    // MARK: Noise

    /// A request that may be meaningless.
    private mutating func noise(_ snapshot: PhoneSnapshot) -> PhoneEvent {
        let id = someCall(snapshot)
        let route = Route.allCases[Int.random(in: 0..<4, using: &random)]
        switch Int.random(in: 0..<30, using: &random) {
        case 0, 1: return .line(chance(50) ? .offered(id, Sample.caller) : .offerSent(id))
        case 2: return .line(chance(80) ? .ringing(id) : .text(Sample.caller, "noise"))
        case 3: return .line(chance(80) ? .earlyMedia(id, plan()) : .displayUpdated(id, name: "Eve", number: "5550111"))
        case 8 where chance(50):
            return .line(
                .refused(
                    Sample.callers.randomElement(using: &random) ?? Sample.caller, from: "192.0.2.1",
                    because: CallRefusal.allCases.randomElement(using: &random) ?? .loop))
        case 4: return .line(.answered(id, plan()))
        case 5: return .line(.renegotiated(id, plan(), heldByFarEnd: chance(50)))
        case 6 where chance(50):
            let number = WatchedNumber(chance(50) ? "5550101" : "7", account: .direct)
            return .line(.watched(number, WatchedState.allCases.randomElement(using: &random) ?? .idle))
        case 6 where chance(30): return .line(.holdDelayed(id, by: delay()))
        case 6: return .line(.holdSettled(id, chance(50) ? plan() : nil))
        case 7 where chance(50): return .line(.ended(id, reason()))
        case 7: return .line(chance(60) ? .referred(id, to: target()) : .redirected(id, to: target()))
        case 8: return .line(.registration(AccountID(.random(in: 0...1, using: &random)), registration()))
        case 9: return .media(chance(50) ? .opened(id, Sample.endpoint) : .candidates(id, ["9"], isLast: chance(30)))
        case 10: return .media(chance(80) ? .ready(id) : .pathDoubted(id))
        case 11: return .media(.failed(id, "noise"))
        case 12, 13: return .media(chance(60) ? .silent(id) : .keyShown(id, shownKey()))
        case 14: return .media(chance(50) ? .heard(id) : chance(50) ? .sendingFailed(id, "noise") : .sendingResumed(id))
        case 15 where chance(50):
            return chance(50)
                ? .line(.dtmfReceived(id, symbol())) : .line(.dtmfSent(id, unsent: chance(50) ? [] : [.pause]))
        case 15: return .media(chance(50) ? .dtmfReceived(id, symbol()) : .quality(id, VoiceQuality()))
        case 16: return .media(chance(80) ? .deviceLost(route, "noise") : .deviceAbsent(route))
        case 17 where chance(60):
            let end: RecordingEnd = chance(50) ? .stopped : chance(50) ? .tooLong : .failed("noise")
            return .media(chance(50) ? .recordingStarted(id, file: "noise") : .recordingEnded(id, end))
        case 17 where chance(70):
            let number = UInt32.random(in: 0...9, using: &random)
            let end: PlaybackEnd = chance(50) ? .stopped : chance(50) ? .finished : .failed("noise")
            return .media(chance(50) ? .playbackStarted(number) : .playbackEnded(number, end))
        case 17 where chance(80): return .media(chance(60) ? .deviceFound(route) : .devicePresent(route))
        case 17: return .media(chance(50) ? .ringerLost("noise") : .ringerFound)
        case 18, 19: return .network(.path(path()))
        case 21: return .line(.moved(id, chance(50) ? plan() : nil))
        case 22:
            return .line(
                chance(50) ? .transferSettled(id, accepted: chance(50)) : .transferred(id, succeeded: chance(50)))
        case 23:
            return .line(chance(50) ? .memo(id, "memo") : .messagesWaiting(.direct, .random(in: 0...2, using: &random)))
        case 24: return .media(chance(50) ? .interrupted : .interruptionEnded)
        case 25: return .backend(backendEvent())
        case 26: return .vault(.contextKept(ticket: .random(in: 0...3, using: &random), chance(50)))
        case 27: return .panel(.input("door", active: chance(50)))
        case 28: return .vault(.contacts(chance(50) ? [Sample.contact] : []))
        case 29: return chance(50) ? .callerInfo(info()) : page()
        case 20:
            return .vault(chance(50) ? .failed("noise") : chance(50) ? .orphanFound(orphan()) : .ringingFound(rang()))
        case _: return .panel(chance(50) ? .failed("noise") : .released(.hold))
        }
    }

    private mutating func delay() -> Duration { .milliseconds(.random(in: -9...9_999, using: &random)) }

    private mutating func backendEvent() -> BackendEvent {
        switch Int.random(in: 0..<14, using: &random) {
        case 0: .signInCode(code())
        case 1: .signInFailed(.api(400, "noise"))
        case 2: .signedIn(Sample.user, chance(50) ? context() : nil)
        case 3: .restored(Sample.user, chance(50) ? context() : nil)
        case 4: .signedOut
        case 5: .signInNeeded(SignInNeed.allCases.randomElement(using: &random) ?? .deviceTokenRefused)
        case 6: .organisations(Array(repeating: listed(), count: chance(50) ? 1 : 200))
        case 7: .organisationsFailed(.parse)
        case 8, 9: .credentialsRenewed(context())
        case 10: .credentialsExpiring(days: .random(in: -1...9, using: &random))
        case _: chance(50) ? .switched(Sample.context("b")) : .switchFailed(.api(500))
        }
    }

    private mutating func backendRequest() -> Request {
        let requests: [Request] = [.signIn, .signIn, .cancelSignIn, .signOut, .organisations]
        return requests.randomElement(using: &random) ?? .signIn
    }

    private mutating func listed() -> KnownOrganisation { KnownOrganisation(context().organisation) }

    private mutating func context() -> OrganisationContext {
        var context = Sample.context(organisation().rawValue)
        context.credentials.callerName = chance(50) ? "Ada" : nil
        return context
    }

    private func code() -> SignInCode {
        SignInCode(code: "WDJB-MJHT", address: "https://id.example/device", until: now + .seconds(60))
    }

    private mutating func page() -> PhoneEvent {
        let group = UInt8.random(in: 0...5, using: &random)
        let number = UInt32.random(in: 0...9, using: &random)
        let level = Double.random(in: -90...0, using: &random)
        let reading: SoundTestReading = chance(20) ? .noDevice : .heard(before: -80, during: level)
        if chance(20) { return .media(chance(50) ? .pageUnsent(group, "noise") : .soundTested(number, reading)) }
        return .media(chance(50) ? .pageStarted(group) : .pageEnded(group))
    }

    private mutating func someCall(_ snapshot: PhoneSnapshot) -> CallID {
        if let call = snapshot.calls.randomElement(using: &random), chance(75) { return call.call }
        return named.randomElement(using: &random) ?? Sample.first
    }

    private mutating func target() -> String { chance(50) ? "5550188" : "sip:eve@other.example" }

    /// Few enough that valid codes occur.
    private mutating func symbol() -> DTMFSymbol { chance(70) ? .one : .pound }

    private mutating func plan() -> NegotiatedMedia { Self.plans.randomElement(using: &random) ?? Sample.plan }

    private mutating func reason() -> EndReason {
        let reasons: [EndReason] = [
            .hungUpThere, .busyThere, .declinedThere, .cancelledThere, .answeredElsewhere, .rejected(404), .noAnswer,
            .unreachable, .incompatible, .insecurePath,
        ]
        return reasons.randomElement(using: &random) ?? .hungUpThere
    }

    private mutating func info() -> CallerInfoEvent {
        let ids = ["a", "b", "c"].filter { _ in chance(30) }
        let number = Sample.callers[Int.random(in: 0..<Sample.callers.count, using: &random)].number
        let info = CallerInfo(
            ids: ids, number: number, name: "Ada L.",
            organisation: chance(30) ? Organisation(id: organisation(), name: "Other") : nil,
            ticket: chance(70) ? UInt32.random(in: 0...9, using: &random) : nil,
            sent: chance(95) ? now : now - .seconds(40))
        if chance(2) { return .refused("noise") }
        return chance(3) ? .invalid("noise") : chance(80) ? .incoming(info) : .ended(info)
    }

    private mutating func organisation() -> OrganisationID { OrganisationID(chance(50) ? "a" : "b") }

    private mutating func path() -> NetworkPath {
        let paths: [NetworkPath] = [
            .none, NetworkPath(.wired, addresses: ["192.0.2.1"]), NetworkPath(.wired, addresses: ["192.0.2.1"]),
            NetworkPath(.wifi, addresses: ["198.51.100.1"]),
        ]
        return paths[Int.random(in: 0..<paths.count, using: &random)]
    }

    private mutating func registration() -> RegistrationState {
        [.notNeeded, .registering, .registered, .registered, .failed("no"), .disconnected].randomElement(using: &random)
            ?? .registered
    }

    private func orphan() -> PersistedCall {
        PersistedCall(
            call: "out-1", direction: .outgoing, number: "1", name: nil, account: .direct, started: .zero,
            answered: .zero, memo: "memo")
    }

    private func rang() -> RingingCall {
        RingingCall(call: "in-0.1", number: "1", name: nil, account: .direct, started: .zero)
    }
}
