/// The methods of the interface. `MethodName.reference` describes each, for the check of parameters, `docs/control.md`
/// and the OpenRPC document.
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
    case getPushToken, getBootTimeline, getPanel, getSignals, getStatistics, getMetrics
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
