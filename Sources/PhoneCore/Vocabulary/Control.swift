import Base

/// A request from another program. Nil for a call means the only call that the request can apply to.
public enum Request: Equatable, Codable, Sendable {
    /// - Parameter presentation: The caller identity and headers of this call, in place of the account's.
    case dial(String, account: AccountID?, presentation: CallPresentation? = nil)
    /// Picks up the call that rings at a number: with the account's pickup code, or from its caller if the number is
    /// watched.
    case pickUp(String, account: AccountID?)
    case answer(CallID?)
    case hangUp(CallID?)
    /// Like `hangUp`, but without an identifier it always means the call that rings here.
    case decline(CallID?)
    case hold(CallID?)
    case resume(CallID?)
    case toggleHold(CallID?)
    case mute(Bool)
    case toggleMute
    case dtmf(CallID?, [DTMFElement])
    case route(Route)
    /// When the speaker is switched off, the voice goes back to the headset or Bluetooth device that is there, or else
    /// to the handset.
    case speaker(Bool)
    /// Does the same as the speaker key.
    case toggleSpeaker
    /// Blind transfer: the far end calls the target.
    case transfer(CallID?, to: String)
    /// Attended transfer: the far ends of two calls talk to each other.
    case connect(CallID, CallID)
    case conference
    /// Answers whether the phone makes the call that the far end asks for.
    case acceptTransfer(CallID?)
    case declineTransfer(CallID?)
    /// A person has compared the call's words with the far end's. `agree`: they were the same.
    case compareWords(CallID?, agree: Bool)
    /// Records both sides of a call into a file.
    case startRecording(CallID?)
    case stopRecording
    /// Plays a file into a call. `file` is its name below the folder of files that may be played. The microphone stays
    /// open.
    case startPlayback(file: String, CallID?)
    case stopPlayback
    /// Lets the person at the phone speak to the group with this number, from 1.
    case startPage(group: UInt8)
    case stopPage
    /// Tests whether the microphone of a route hears its loudspeaker. Nil: of the policy's route.
    case testSound(Route?)
    /// Silences the bell for the calls that ring now.
    case silenceRinger
    case doNotDisturb(Bool)
    case volume(VolumeKind, Int)
    case switchOrganisation(OrganisationID)
    /// Lists the organisations of the user who has signed in.
    case organisations
    /// Begins a sign-in at the backend. Answered with a code, which a person enters on another device.
    case signIn
    /// Gives up the sign-in that waits for a person.
    case cancelSignIn
    /// Ends the sign-in at the backend, and forgets everything that came from it.
    case signOut
    /// Registers the accounts that are not registered, those that were disconnected included.
    case connectAccounts
    /// Unregisters all accounts, until somebody connects them or an emergency number is dialled. Calls go on.
    case disconnectAccounts
    /// Registers all accounts again.
    case reconnect
    case relay(UInt8, RelayOrder)
    /// Marks all missed calls, or this one, as seen. The message lamp goes out when nothing is left for it to show.
    case clearMissedCalls(CallID?)
    /// Ends every call at once and gives up everything that is under way, so that no guard stays closed.
    case reset
    /// Answered with a snapshot.
    case status
}

public enum RelayOrder: Equatable, Codable, Sendable {
    case on, off
    /// Switches the relay on for its own pulse time.
    case pulse
}

/// What has failed, for programs.
public enum TroubleCode: String, CaseIterable, Codable, Sendable {
    case soundDevice, ringer, media, voiceNotSent, recording, page, panel, vault
    case keyChanged, wordsDiffer, codesRevoked, digitsRefused, transferRefused, notAnnounced
    /// Caller info that was dropped, and caller info that does not agree with the signalling.
    case callerInfoDropped, callerInfoDiffers
    /// The broker of caller info refuses this phone.
    case callerInfoRefused
    /// The backend did not do what the phone needs.
    case backend
    /// A key was pressed for another organisation, which is not possible now.
    case switchRefused
    /// No reason was recorded.
    case other
}

/// How an action ended.
public enum ActionOutcome: Equatable, Codable, Sendable {
    case fulfilled
    case failed(ActionFailure)
}

public enum ActionFailure: Error, Equatable, Codable, Sendable {
    /// The request does not fit the state of the phone.
    case noSuchCall, wrongState
    /// The same action, or one that excludes it, is under way.
    case alreadyUnderWay
    case noRoom
    case invalidTarget
    case lineNotReady
    /// The far end, or the line, refused.
    case refusedThere
    /// A call, a page or something more important has the sound, or a person is about to use it.
    case soundInUse
    /// This phone is not configured for it, or the server of the account cannot do it.
    case notSupported
    case timedOut
    /// The call ended before the action could be done.
    case callEnded(EndReason)
    case organisation(SwitchFailure)
    case signIn(SignInFailure)
    /// Nobody has signed the phone in at the backend, or somebody has to sign it in again.
    case notSignedIn
    /// The backend did not answer as it should.
    case backend(SwitchFailure)
    /// The file cannot be used. The text says why, for people.
    case file(String)
    case shuttingDown
}

/// An event for programs that observe the phone. Names follow the control interface.
public enum Notice: Equatable, Codable, Sendable {
    case callChanged(CallSummary)
    case callEnded(CallSummary, EndReason)
    case missedCall(CallSummary, MissedReason)
    case missedCallsSeen
    case answeredElsewhere(CallSummary)
    /// A line refused a call.
    case callRefused(RefusedCall)
    /// A person is asked whether the phone may call another target.
    case transferAsked(CallSummary, TransferQuestion)
    case transferAnswered(CallID, TransferQuestion, TransferAnswer)
    /// The far end of a call was not transferred, and is still connected with us.
    case transferFailed(CallSummary, to: String)
    /// A far end that may switch relays dialled a code.
    case codeTried(CallID, CodeOutcome)
    /// Whole seconds since the call was answered.
    case callDuration(CallID, seconds: Int)
    case registrationChanged(AccountID, RegistrationState)
    case hookChanged(HookPosition)
    case keyPressed(Key)
    case toneChanged(Tone?)
    case ringerChanged(on: Bool)
    case muteChanged(Bool)
    case routeChanged(Route, before: Route)
    case volumeChanged(VolumeKind, Int)
    case doNotDisturbChanged(Bool)
    case messagesWaiting(AccountID, Int)
    case inputChanged(String, active: Bool)
    case relayChanged(UInt8, on: Bool)
    /// An input's alarm has called somebody, waits, or was given up.
    case alarmRaised(String, AlarmOutcome)
    case firstVoice(CallID)
    case dtmfReceived(CallID, DTMFSymbol)
    /// The last requested digit was sent.
    case dtmfSent(CallID)
    case textReceived(TextMessage)
    case recordingStarted(CallID, file: String)
    case recordingEnded(CallID, RecordingEnd)
    case playbackStarted(Playback)
    case playbackEnded(Playback, PlaybackEnd)
    /// A page is heard, or is over.
    case pageStarted(Page)
    case pageEnded(Page)
    /// A page has begun that is not heard, for now.
    case pageNotHeard(Page, PageObstacle)
    /// The person at the phone speaks a page, or has ended it.
    case pageSendingStarted(Page)
    case pageSendingEnded(Page, PageSendingEnd)
    /// The result of a test of loudspeaker and microphone.
    case soundTested(SoundTestResult)
    case qualityUpdated(CallID, VoiceQuality)
    case networkChanged(NetworkStatus, NetworkPath.Kind)
    case displayChanged(DisplayContent)
    case networkTransition(from: NetworkPath.Kind, to: NetworkPath.Kind)
    /// The call was given up because the network did not come back.
    case networkTimeout(CallID)
    case interruptionChanged(Bool)
    case organisationSwitching(OrganisationID)
    case organisationSwitched(Organisation)
    case organisationSwitchFailed(SwitchFailure)
    /// A person has to enter this code on another device.
    case signInCode(SignInCode)
    case signInFailed(SignInFailure)
    case signedIn(SignedInUser)
    case signedOut
    /// The backend no longer accepts the phone: a person has to sign it in again.
    case signInNeeded(SignInNeed)
    /// The credentials for this organisation were renewed.
    case credentialsRenewed(Organisation)
    /// The credentials become invalid in so many days, and could not be renewed so far.
    case credentialsExpiring(days: Int)
    /// Something failed. The code is nil in event logs of former versions.
    case trouble(String, TroubleCode? = nil)
}

public enum ControlEffect: Equatable, Codable, Sendable {
    /// The call that the action of another program starts. Comes before the action is settled.
    case called(ActionID, CallID)
    /// The code that an action asked for. Comes before the action is settled.
    case signInCode(ActionID, SignInCode)
    /// The list that an action asked for. Comes before the action is settled.
    case organisations(ActionID, [KnownOrganisation])
    case settled(ActionID, ActionOutcome)
    /// Indirect, because each effect would otherwise be as large as a snapshot.
    indirect case snapshot(ActionID, PhoneSnapshot)
    case notice(Notice)
}

/// A text message to an account, for the display. It is untrusted text, length-limited and free of control characters
/// except line breaks.
public struct TextMessage: Equatable, Codable, Sendable {
    public var account: AccountID
    public var number: String
    /// The name to show for the number: the contact's, else the signalling's.
    public var name: String?
    public var text: String

    public init(account: AccountID, number: String, name: String?, text: String) {
        self.account = account
        self.number = number
        self.name = name
        self.text = text
    }
}
