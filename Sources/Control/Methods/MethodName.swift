import PhoneCore

/// The methods of the interface. `MethodName.reference` has one row for each, from which derive the check of scope and
/// parameters, the dispatch, `docs/control.md` and the OpenRPC document.
public enum MethodName: String, CaseIterable, Sendable {
    // Calls.
    case dial, call, consult, answer, hangup, decline, hold, resume, toggleHold, setHold
    case transfer, acceptTransfer, declineTransfer, park, pickup, conference, compareWords, sendDTMF
    // Sound.
    case setMute, toggleMute, setRoute, setSpeaker, toggleSpeaker, setVolume, silenceRinger
    case startRecording, stopRecording, startPlayback, stopPlayback
    case startPage, stopPage, testSound
    // The phone.
    case setDoNotDisturb, clearMissedCalls, relay, switchOrganization, connect, disconnect, reconnect
    case signIn, cancelSignIn, signOut, getOrganizations
    case reset
    // Questions.
    case getSnapshot, getMissedCalls, getNetworkStatus, getConnectionState, getPendingIncomingCall, getDisplay
    case getDeviceID = "getDeviceId"
    case getPushToken, getBootTimeline, getLog, getPanel, getSignals, getStatistics, getMetrics
    // The vault's contents.
    case getHistory, getContacts, addContact, changeContact, removeContact, importContacts, exportContacts
    case getTokens, addToken, removeToken
    // Setup.
    case getSetup, tryDevice, tryAccount, addAccount, changeAccount, removeAccount
    case planSetup, writeSetup, restart, reload
    // This interface.
    case subscribe, cancel, ping
    case discover = "rpc.discover"
    // A simulated panel.
    case liftHook, replaceHook, pressKey, setLine
}

extension MethodName {
    /// The scope that a token needs for the method. The socket allows everything.
    public var scope: AccessScope { reference.scope }
    /// The errors of a method, besides those of any request.
    public var errors: [ErrorWord] { reference.errors }

    /// The errors of any request.
    public static let commonErrors: [ErrorWord] = [.invalidParams, .scopeTooSmall]
}
