import PhoneCore

/// Describes the effects of the machine in short phrases.
///
/// It leaves out repetitions: notices of an effect, of the event itself, of each second. It mentions lamps and an
/// updated call only if there is nothing else.
struct Narrator {
    /// The description of one effect.
    enum Remark: Equatable {
        case silence
        case deed(String)
        /// The same, about one call.
        case deedOf(CallID, String)
        /// Something new is shown of a call.
        case shown(CallID)
        case lamp
        case settled(ActionID, ActionOutcome)
    }

    /// The requests on the way to the situation.
    let asked: [ActionID: String]

    /// - Parameters:
    ///   - names: The names of the call in question: the machine's, and its line's.
    ///   - stays: Whether the call is in the same phase as before.
    func tell(
        _ effects: [PhoneEffect], about names: [CallID], stays: Bool
    ) -> (deeds: [String], answers: [ActionOutcome]) {
        var (deeds, others, answers) = ([String](), [String](), [ActionOutcome]())
        var (isShownAnew, isLit) = (false, false)
        for effect in effects {
            switch remark(effect) {
            case .silence: break
            case .deed(let text): if !deeds.contains(text) { deeds.append(text) }
            case .deedOf(let id, let text): if names.contains(id) { deeds.append(text) } else { others.append(text) }
            case .shown(let id): isShownAnew = isShownAnew || names.contains(id)
            case .lamp: isLit = true
            case .settled(let id, let outcome):
                if let name = asked[id] { deeds.append("\(name) \(outcome.words)") } else { answers.append(outcome) }
            }
        }
        if deeds.isEmpty && others.isEmpty && stays {
            deeds += (isShownAnew ? ["update call"] : []) + (isLit ? ["lamps"] : [])
        }
        if !others.isEmpty { deeds.append("other call: " + others.joined(separator: " + ")) }
        return (deeds, answers)
    }

    private func remark(_ effect: PhoneEffect) -> Remark {
        switch effect {
        case .panel(let effect): remark(effect)
        case .line(let effect): remark(effect)
        case .media(let effect): remark(effect)
        case .vault(let effect): remark(effect)
        case .callerInfo: .silence
        case .backend(let effect): remark(effect)
        case .control(.called), .control(.signInCode), .control(.organisations): .silence
        case .control(.settled(let id, let outcome)): .settled(id, outcome)
        case .control(.snapshot): .deed("snapshot")
        case .control(.notice(let notice)): remark(notice)
        case .display: .deed("display")
        case .stopped: .deed("stop")
        }
    }

    private func remark(_ effect: BackendEffect) -> Remark {
        switch effect {
        case .signIn: .deed("begin a sign-in")
        case .cancelSignIn: .deed("cancel the sign-in")
        case .signOut: .deed("sign out")
        case .organisations: .deed("ask backend for organisations")
        case .switchOrganisation(let organisation): .deed("ask backend for \(organisation)")
        case .worksFor(let organisation): .deed("tell backend of \(organisation)")
        case .credentialsKept(let organisation): .deed("tell backend: credentials of \(organisation) kept")
        case .renewCredentials: .deed("ask backend for credentials")
        case .callerInfoVoid: .deed("report the broker's refusal")
        }
    }

    private func remark(_ effect: PanelEffect) -> Remark {
        switch effect {
        case .lamp: .lamp
        case .bell(let cadence): .deed(cadence == nil ? "bell off" : "bell on")
        case .relay(let number, let on): .deed("relay \(number) \(on ? "on" : "off")")
        case .pulse(let number, until: _): .deed("relay \(number) on")
        }
    }

    private func remark(_ command: LineCommand) -> Remark {
        switch command {
        case .dial(let id, _, _, _, _): .deedOf(id, "send offer")
        case .alert(let id): .deedOf(id, "send ringing")
        case .answer(let id, _, let awaitsACK):
            .deedOf(id, awaitsACK ? "send answer and await its ACK" : "send answer")
        case .candidates(let id, _, _): .deedOf(id, "send other candidates")
        case .refuse(let id, let refusal): .deedOf(id, "reject as \(refusal)")
        case .end(let id, _): .deedOf(id, "end at the far end")
        case .hold(let id, let isHeld): .deedOf(id, isHeld ? "ask to hold" : "ask to resume")
        case .dtmf(let id, _): .deedOf(id, "signal digits")
        case .move(let id, _): .deedOf(id, "send new address")
        case .transfer(let id, _): .deedOf(id, "ask to transfer")
        case .connect(let id, _): .deedOf(id, "ask to connect")
        case .follow(let id, _, _, _): .deedOf(id, "send offer to the referred target")
        case .pickUp(let id, _, _): .deedOf(id, "send offer to pick up")
        case .declineReferral(let id): .deedOf(id, "decline referral")
        case .redirect(let id, let isWanted): .deedOf(id, isWanted ? "follow redirection" : "decline redirection")
        case .orphanBye: .deed("send the BYE of a former run")
        case .reconnect: .deed("register at once")
        case .disconnect: .deed("unregister")
        case .reconfigure(_, let credentials): .deed("register as \(credentials.user)")
        case .shutDown: .deed("close lines")
        }
    }

    private func remark(_ effect: MediaEffect) -> Remark {
        switch effect {
        case .open(let id, _): .deedOf(id, "bind sockets")
        case .gather(let id): .deedOf(id, "gather candidates")
        case .connect(let id, _): .deedOf(id, "connect media")
        case .activate(let id): .deedOf(id, "voice on")
        case .update(let id, _): .deedOf(id, "new media terms")
        case .microphone(let id, let isOpen): .deedOf(id, isOpen ? "microphone open" : "microphone closed")
        case .holdMusic(let id, let isOn): .deedOf(id, isOn ? "hold music" : "hold music off")
        case .dtmf(let id, _, let isInBand): .deedOf(id, isInBand ? "play digits" : "send digits")
        case .release(let id): .deedOf(id, "release media")
        case .tone(let tone): .deed(tone.map { "tone: \($0)" } ?? "tone off")
        // The ringer follows the bell, which is described.
        case .ring: .silence
        case .keyClick: .deed("click")
        case .route(let route): .deed("sound to \(route)")
        case .pause(let isPaused): .deed(isPaused ? "sound paused" : "sound resumed")
        case .volume(let kind, let level): .deed("\(kind) volume \(level)")
        case .conference(let id, let isJoined): .deedOf(id, isJoined ? "join conference" : "leave conference")
        case .record(let call): .deed(call == nil ? "stop recording" : "record")
        case .play(let playback): .deed(playback == nil ? "stop file" : "play")
        case .page(let group): .deed(group == nil ? "stop page" : "play a page")
        case .sendPage(let page):
            .deed(page.map { $0.isOpen ? "send a page" : "send a silent page" } ?? "stop sending page")
        case .testSound(let test): .deed(test == nil ? "stop test" : "test")
        case .joinPages: .silence
        }
    }

    private func remark(_ effect: VaultEffect) -> Remark {
        switch effect {
        case .persist: .deed("persist")
        case .clearPersisted: .deed("clear persisted")
        case .persistRinging: .deed("persist ringing")
        case .clearRinging: .deed("clear ringing")
        case .addHistory(let entry): .deed("record \(entry.reason.words)")
        case .clearHistory: .deed("forget the history")
        case .missedCallsSeen, .formerMissedCallSeen: .deed("mark missed calls seen")
        case .keep: .deed("keep settings")
        case .keepKey: .deed("keep the far end's key")
        case .forgetKey: .deed("forget the far end's key")
        case .keepContext(let context, _): .deed("keep organisation \(context.organisation.id)")
        case .tryContext(let context, _): .deed("try organisation \(context.organisation.id)")
        case .forgetSignIn: .deed("forget the sign-in")
        }
    }
}
