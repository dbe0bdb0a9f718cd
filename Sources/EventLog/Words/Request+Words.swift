import PhoneCore

extension Request {
    var words: String {
        switch self {
        case .dial(let target, let account, let presentation):
            "dial \(target)" + (account.map { " with \($0)" } ?? "") + (presentation?.words ?? "")
        case .pickUp(let number, let account): "pick up at \(number)" + (account.map { " with \($0)" } ?? "")
        case .answer(let call): "answer" + named(call)
        case .hangUp(let call): "hang up" + named(call)
        case .decline(let call): "decline" + named(call)
        case .hold(let call): "hold" + named(call)
        case .resume(let call): "resume" + named(call)
        case .toggleHold(let call): "hold or resume" + named(call)
        case .mute(let on): "mute \(onOff(on))"
        case .toggleMute: "toggle mute"
        case .dtmf(let call, let elements): "send digits \(elements.words)" + named(call)
        case .route(let route): "route \(route.rawValue)"
        case .speaker(let on): "speaker \(onOff(on))"
        case .toggleSpeaker: "speaker key"
        case .transfer(let call, let target): "transfer\(named(call)) to \(target)"
        case .connect(let first, let second): "connect \(first) with \(second)"
        case .conference: "conference"
        case .acceptTransfer(let call): "accept the far end's transfer" + named(call)
        case .declineTransfer(let call): "decline the far end's transfer" + named(call)
        case .startRecording(let call): "record" + named(call)
        case .stopRecording: "stop recording"
        case .compareWords(let call, let agree): "the words \(agree ? "agree" : "differ")" + named(call)
        case .startPlayback(let file, let call): "play \(file)" + named(call)
        case .stopPlayback: "stop playing"
        case .startPage(let group): "page group \(group)"
        case .stopPage: "stop paging"
        case .testSound(let route): "test the \(route.map(\.rawValue) ?? "usual route")"
        case .silenceRinger: "silence the ringer"
        case .connectAccounts: "register"
        case .disconnectAccounts: "unregister"
        case .reconnect: "register again"
        case .doNotDisturb(let on): "do not disturb \(onOff(on))"
        case .volume(let kind, let level): "\(kind.rawValue) volume \(level)"
        case .reset: "reset"
        case .switchOrganisation(let organisation): "switch to \(organisation)"
        case .organisations: "list the organisations"
        case .signIn: "sign in"
        case .cancelSignIn: "cancel the sign-in"
        case .signOut: "sign out"
        case .relay(let number, let order): "relay \(number) \(spaced(order))"
        case .clearMissedCalls(let call): "missed calls seen" + named(call)
        case .status: "snapshot"
        }
    }

    private func named(_ call: CallID?) -> String { call.map { " \($0)" } ?? "" }
}
