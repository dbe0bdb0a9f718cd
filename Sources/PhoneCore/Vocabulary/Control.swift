import Base

/// What another program may ask. Nil for a call means "the one it can only mean".
public enum Request: Equatable, Codable, Sendable {
    case dial(String, account: AccountID?)
    /// Take the call that rings at a number: with the account's pickup code, or, when it is watched, from its caller.
    case pickUp(String, account: AccountID?)
    case answer(CallID?)
    case hangUp(CallID?)
    case hold(CallID?)
    case resume(CallID?)
    case toggleHold(CallID?)
    case mute(Bool)
    case toggleMute
    case dtmf(CallID?, [DTMFElement])
    case route(Route)
    /// What the speaker key does.
    case toggleSpeaker
    /// Blind: the far end calls somebody else.
    case transfer(CallID?, to: String)
    /// Attended: the far ends of two calls talk to each other.
    case connect(CallID, CallID)
    case conference
    /// The far end may have us call whom it asks for: now, or not.
    case acceptTransfer(CallID?)
    case declineTransfer(CallID?)
    /// Both sides of a call, into a file.
    case startRecording(CallID?)
    case stopRecording
    /// Its name below the folder of files that may be played. Nobody's microphone is closed for it.
    case startPlayback(file: String, CallID?)
    case stopPlayback
    /// No bell for what rings now.
    case silenceRinger
    case doNotDisturb(Bool)
    case volume(VolumeKind, Int)
    case switchOrganisation(OrganisationID)
    case relay(UInt8, RelayOrder)
    /// The missed calls were seen, or this one; the message lamp goes out.
    case clearMissedCalls(CallID?)
    /// Answered with a snapshot.
    case status
}

public enum RelayOrder: Equatable, Codable, Sendable {
    case on, off
    /// On for the relay's own time.
    case pulse
}

/// How an action ended.
public enum ActionOutcome: Equatable, Codable, Sendable {
    case fulfilled
    case failed(ActionFailure)
}

public enum ActionFailure: Error, Equatable, Codable, Sendable {
    /// Makes no sense in the state the phone is in.
    case noSuchCall, wrongState
    /// The same is already under way.
    case alreadyUnderWay
    case noRoom
    case invalidTarget
    case lineNotReady
    /// The far end, or the line, said no.
    case refusedThere
    /// This phone is not configured for it.
    case notSupported
    case timedOut
    /// The call ended before the action could be done.
    case callEnded(EndReason)
    case organisation(SwitchFailure)
    /// A file cannot be used; why, for people.
    case file(String)
    case shuttingDown
}

/// What happened, for whoever watches. Names follow the control interface.
public enum Notice: Equatable, Codable, Sendable {
    case callChanged(CallSummary)
    case callEnded(CallSummary, EndReason)
    case missedCall(CallSummary, MissedReason)
    case missedCallsSeen
    case answeredElsewhere(CallSummary)
    /// A line turned a call away.
    case callRefused(RefusedCall)
    /// A person is asked whether the phone may call somebody else.
    case transferAsked(CallSummary, TransferQuestion)
    case transferAnswered(CallID, TransferQuestion, TransferAnswer)
    /// A far end that may work relays dialled a code.
    case codeTried(CallID, CodeOutcome)
    /// Whole seconds since the call was answered.
    case callDuration(CallID, seconds: Int)
    case registrationChanged(AccountID, RegistrationState)
    case hookChanged(HookPosition)
    case keyPressed(Key)
    case toneChanged(Tone?)
    case ringerChanged(on: Bool)
    case muteChanged(Bool)
    case routeChanged(Route)
    case volumeChanged(VolumeKind, Int)
    case doNotDisturbChanged(Bool)
    case messagesWaiting(AccountID, Int)
    case inputChanged(String, active: Bool)
    case relayChanged(UInt8, on: Bool)
    case firstVoice(CallID)
    case dtmfReceived(CallID, DTMFSymbol)
    /// The last digit that was asked for has left.
    case dtmfSent(CallID)
    case textReceived(TextMessage)
    case recordingStarted(CallID, file: String)
    case recordingEnded(CallID, RecordingEnd)
    case playbackStarted(Playback)
    case playbackEnded(Playback, PlaybackEnd)
    case qualityUpdated(CallID, VoiceQuality)
    case networkChanged(NetworkStatus, NetworkPath.Kind)
    case networkTransition(from: NetworkPath.Kind, to: NetworkPath.Kind)
    /// The call was given up because the network did not come back.
    case networkTimeout(CallID)
    case interruptionChanged(Bool)
    case organisationSwitching(OrganisationID)
    case organisationSwitched(Organisation)
    case organisationSwitchFailed(SwitchFailure)
    case trouble(String)
}

public enum ControlEffect: Equatable, Codable, Sendable {
    case settled(ActionID, ActionOutcome)
    case snapshot(ActionID, PhoneSnapshot)
    case notice(Notice)
}
