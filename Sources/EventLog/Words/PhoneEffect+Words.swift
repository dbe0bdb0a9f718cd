import PhoneCore

extension PhoneEffect {
    /// The effect as text for people, in one line. It may contain any text from a far end.
    var words: String {
        switch self {
        case .panel(let effect): effect.words
        case .line(let effect): "line: \(effect.words)"
        case .media(let effect): "media: \(effect.words)"
        case .vault(let effect): "vault: \(effect.words)"
        case .callerInfo(.settled(let ticket, let outcome)): "caller info \(ticket): \(outcome.rawValue)"
        case .backend(let effect): "backend: \(effect.words)"
        case .control(.called(let action, let call)): "\(action) starts \(call)"
        case .control(.signInCode(let action, let code)): "\(action) gets the code \(code.code)"
        case .control(.organisations(let action, let list)): "\(action) gets \(list.count) organisations"
        case .control(.settled(let action, let outcome)): "\(action) \(outcome.words)"
        case .control(.snapshot(let action, _)): "\(action) gets a snapshot"
        case .control(.notice(let notice)): "notice: \(notice.words)"
        case .display(let content): "display: \(content.words)"
        case .stopped: "stopped"
        }
    }
}

extension BackendEffect {
    var words: String {
        switch self {
        case .signIn: "sign in"
        case .cancelSignIn: "cancel the sign-in"
        case .signOut: "sign out"
        case .organisations: "list the organisations"
        case .switchOrganisation(let organisation): "switch to \(organisation)"
        case .worksFor(let organisation): "the phone works for \(organisation)"
        case .credentialsKept(let organisation): "the vault has the credentials of \(organisation)"
        case .renewCredentials: "renew the credentials"
        case .callerInfoVoid(let why): "the broker refuses the registration: \(why)"
        }
    }
}

extension DisplayContent {
    var words: String { ([title, detail].filter { !$0.isEmpty } + notes).joined(separator: " | ") }
}

extension PanelEffect {
    var words: String {
        switch self {
        case .lamp(let lamp, let pattern): "lamp \(lamp.rawValue) \(spaced(pattern))"
        case .bell(.none): "bell off"
        case .bell(.some): "bell on"
        case .relay(let number, let on): "relay \(number) \(onOff(on))"
        case .pulse(let number, until: _): "relay \(number) on for a pulse"
        }
    }
}

extension LineCommand {
    var words: String {
        switch self {
        case .dial(let call, let target, let account, let endpoint, let presentation):
            "call \(target) as \(call) with \(account), media at port \(endpoint.port)" + (presentation?.words ?? "")
        case .alert(let call): "\(call) is announced"
        case .answer(let call, let endpoint, let awaitingACK):
            "answer \(call), media at port \(endpoint.port)\(awaitingACK ? " after its ACK" : "")"
        case .candidates(let call, let candidates, let isLast):
            "send \(candidates.count) more candidates for \(call)" + (isLast ? ", the last ones" : "")
        case .refuse(let call, let refusal): "reject \(call), \(spaced(refusal))"
        case .end(let call, nil): "end \(call)"
        case .end(let call, let cause?): "end \(call) because of \(cause.rawValue)"
        case .hold(let call, let on): "\(on ? "hold" : "resume") \(call)"
        case .dtmf(let call, let elements): "send digits \(elements.words) to \(call)"
        case .move(let call, _): "move \(call)"
        case .transfer(let call, let target): "transfer \(call) to \(target)"
        case .connect(let first, let second): "connect \(first) with \(second)"
        case .follow(let call, let referrer, let account, let endpoint):
            "call as \(call) the number from \(referrer), with \(account), media at port \(endpoint.port)"
        case .pickUp(let call, let number, let endpoint):
            "pick up as \(call) the call at \(number.number) with \(number.account), media at port \(endpoint.port)"
        case .declineReferral(let call): "decline the transfer by \(call)"
        case .redirect(let call, let isWanted): "\(call) \(isWanted ? "follows" : "declines") the redirection"
        case .orphanBye(let account, _): "BYE for a call of a former run with \(account)"
        case .reconnect(let account): "register \(account) at once"
        case .disconnect(let account): "unregister \(account)"
        case .reconfigure(let account, let credentials): "\(account) is \(credentials.user) from now on"
        case .shutDown: "close"
        }
    }
}

extension MediaEffect {
    var words: String {
        switch self {
        case .open(let call, _): "open \(call)"
        case .gather(let call): "gather \(call)"
        case .connect(let call, let plan): "connect \(call): \(plan.words)"
        case .activate(let call): "voice on for \(call)"
        case .update(let call, let plan): "update \(call): \(plan.words)"
        case .microphone(let call, let open): "microphone of \(call) \(open ? "open" : "closed")"
        case .holdMusic(let call, let on): "hold music for \(call) \(on ? "on" : "off")"
        case .dtmf(let call, let elements, let inBand):
            "send digits \(elements.words) to \(call)\(inBand ? " in-band" : "")"
        case .release(let call): "release \(call)"
        case .tone(let tone): tone.map { "\(spaced($0)) tone" } ?? "no tone"
        case .ring(let ring): ring.map { "ring\($0.name.map { " \"\($0)\"" } ?? "")" } ?? "no ring"
        case .keyClick(let symbol): "click of key \(symbol.character)"
        case .route(let route): "route \(route.rawValue)"
        case .pause(let on): on ? "pause" : "resume"
        case .volume(let kind, let level): "\(kind.rawValue) volume \(level)"
        case .conference(let call, let joined): "\(call) \(joined ? "joins" : "leaves") the conference"
        case .record(let call): call.map { "record \($0)" } ?? "record nothing"
        case .play(let playback): playback.map { "play \($0.file) into \($0.call)" } ?? "play nothing"
        case .page(let group): group.map { "play the page of group \($0)" } ?? "play no page"
        case .sendPage(let page):
            page.map { "send a page to group \($0.group), microphone \($0.isOpen ? "open" : "closed")" }
                ?? "send no page"
        case .testSound(let test): test.map { "test \($0.number) of the \($0.route.rawValue)" } ?? "test nothing"
        case .joinPages(let addresses): (["hear pages at"] + addresses).joined(separator: " ")
        }
    }
}

extension VaultEffect {
    var words: String {
        switch self {
        case .persist(let call): "keep \(call.call)"
        case .clearPersisted: "no call is up"
        case .persistRinging(let call): "keep \(call.call), which rings"
        case .clearRinging(let call): "\(call) rings no more"
        case .addHistory(let entry):
            "history: \(entry.direction.rawValue) \(party(entry.number, entry.name)), \(entry.reason.words)"
                + (entry.missed.map { ", missed: \($0.rawValue)" } ?? "")
        case .clearHistory: "forget the history"
        case .missedCallsSeen: "missed calls seen"
        case .formerMissedCallSeen(let entry): "missed call \(entry) of a former run seen"
        case .keep: "keep settings"
        case .keepKey(let key): "keep the key of \(key.peer.number)"
        case .forgetKey(let peer): "forget the key of \(peer.number)"
        case .keepContext(let context, _): "keep organisation \(context.organisation.name)"
        case .tryContext(let context, _): "try organisation \(context.organisation.name)"
        case .forgetSignIn: "forget the sign-in"
        }
    }
}
