import Control
import JSON
import PhoneCore
import Testing

/// A client that connects late finds the state of earlier events in the snapshot.
@Suite struct EventStateTests {
    private enum Kind {
        /// It reports a state, which these members of the snapshot have.
        case state([String])
        /// The same, for each active call.
        case call([String])
        /// It reports a moment; nothing of it lasts, or it lasts elsewhere.
        case momentary(String)
    }

    private static func kind(_ event: EventName) -> Kind {
        switch event {
        case .clientReady, .reset: .momentary("it is about the subscription")
        case .connected, .disconnected: .state(["connection"])
        case .registrationChanged: .state(["registrations", "connection"])
        case .accountsChanged: .state(["registrations"])
        case .incomingCall, .callStarted, .callConnecting, .callAnswered, .callHeld, .callResumed, .callReconnecting,
            .callReconnected, .callDisconnecting:
            .call(["phase", "started", "answered", "heldHere", "heldThere"])
        case .callRinging: .call(["farEndRings"])
        case .callDisplayUpdated: .call(["number", "name", "avatar", "badge", "verification", "protection"])
        case .callDurationUpdated: .call(["answered"])
        case .callQualityUpdated: .call(["quality"])
        case .transferRequested: .call(["transferRequested"])
        case .callEnded, .callFailed, .answeredElsewhere: .momentary("the call is not there; getHistory has it")
        case .missedCall, .missedCallsSeen: .state(["missed", "missedCount"])
        case .callRefused: .state(["refusedCalls"])
        case .codeTried: .state(["codes"])
        case .alarmRaised: .state(["alarms"])
        case .transferAnswered: .momentary("the call that comes of it is there")
        case .transferFailed: .momentary("the call is still there")
        case .firstVoice, .dtmfSent, .dtmfReceived, .textReceived: .momentary("it was heard, sent or read")
        case .muteStateChanged: .state(["muted"])
        case .audioRouteChanged, .speakerStateChanged: .state(["route"])
        case .ringerChanged: .state(["ringing"])
        case .doNotDisturbChanged, .volumeChanged: .state(["settings"])
        case .interruptionChanged: .state(["interrupted"])
        case .toneChanged: .state(["tone"])
        case .panelChanged: .state(["hook", "inputs", "relays"])
        case .displayChanged: .state(["display"])
        case .messagesWaiting: .state(["messages", "messagesWaiting"])
        case .recordingStarted, .recordingEnded: .state(["recording"])
        case .playbackStarted, .playbackEnded: .state(["playback"])
        case .pageStarted, .pageEnded: .state(["page"])
        case .pageNotHeard: .momentary("it is heard later, or over")
        case .pageSendingStarted, .pageSendingEnded: .state(["sentPage"])
        case .soundTested: .state(["soundTest"])
        case .networkStatusChanged: .state(["network", "networkKind"])
        case .networkTransition, .networkTimeout: .momentary("network and the call's phase tell what is now")
        case .organizationSwitching: .state(["organizationSwitching"])
        case .organizationSwitched: .state(["organization", "organizationSwitching"])
        case .organizationSwitchFailed: .momentary("all is as before")
        case .signInCode, .signedIn, .signedOut, .signInNeeded: .state(["signIn"])
        case .signInFailed: .momentary("all is as before")
        case .credentialsRenewed, .credentialsExpiring: .state(["credentialsExpireInDays"])
        case .line: .momentary("lamps, relays and ringing tell for what the line of a simulated panel is")
        case .error: .momentary("its lasting part is in lostDevices and registrations")
        }
    }

    @Test(arguments: EventName.allCases) func reportedStateIsInSnapshot(_ event: EventName) throws {
        try TestPhone.run(manner: .shows(TextTests.snapshot)) { phone in
            let snapshot = try phone.client().call("getSnapshot")
            let (members, place): ([String], JSONValue?)
            switch Self.kind(event) {
            case .momentary(let why):
                #expect(!why.isEmpty)
                return
            case .state(let names): (members, place) = (names, snapshot)
            case .call(let names): (members, place) = (names, snapshot["calls"]?.array?.first)
            }
            for name in members { #expect(place?.object?[name] != nil, "\(event): \(name)") }
        }
    }
}
