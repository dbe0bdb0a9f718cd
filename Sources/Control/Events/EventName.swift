/// The events of the interface. `EventName.reference` describes each.
public enum EventName: String, CaseIterable, Sendable {
    case clientReady, connected, disconnected
    /// Events of a stream were lost, because the client resumed it too late.
    case reset
    case incomingCall, callStarted, callRinging, callConnecting, callAnswered, callHeld, callResumed
    case callReconnecting, callReconnected, callDisconnecting, callDisplayUpdated
    case callEnded, callFailed, missedCall, missedCallsSeen, callRefused, answeredElsewhere
    case transferRequested, transferAnswered, transferFailed, codeTried, alarmRaised
    case callDurationUpdated, callQualityUpdated, firstVoice, dtmfSent, dtmfReceived, textReceived
    case muteStateChanged, audioRouteChanged, speakerStateChanged, ringerChanged, doNotDisturbChanged
    case interruptionChanged, volumeChanged, toneChanged, panelChanged, displayChanged
    case registrationChanged, accountsChanged, messagesWaiting
    case recordingStarted, recordingEnded, playbackStarted, playbackEnded
    case pageStarted, pageEnded, pageNotHeard
    case pageSendingStarted, pageSendingEnded, soundTested
    case networkStatusChanged, networkTransition, networkTimeout
    case organizationSwitching, organizationSwitched, organizationSwitchFailed
    case signInCode, signInFailed, signedIn, signedOut, signInNeeded, credentialsRenewed, credentialsExpiring
    /// An output of a simulated panel.
    case line
    case error
}
