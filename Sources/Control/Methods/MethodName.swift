import PhoneCore

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

extension MethodName {
    /// The scope that a token needs for the method. The socket allows everything.
    public var scope: AccessScope {
        switch self {
        case .getSnapshot, .getMissedCalls, .getNetworkStatus, .getConnectionState, .getPendingIncomingCall,
            .getDisplay, .getDeviceID, .getPushToken, .getBootTimeline, .getPanel, .getSignals, .getStatistics,
            .getMetrics,
            .getHistory, .getContacts, .exportContacts, .subscribe, .cancel, .ping, .discover:
            .observe
        case .dial, .call, .consult, .answer, .hangup, .decline, .hold, .resume, .toggleHold, .setHold, .transfer,
            .acceptTransfer, .declineTransfer, .park, .pickup, .conference, .compareWords, .sendDTMF, .setMute,
            .toggleMute, .setRoute,
            .setSpeaker, .toggleSpeaker, .setVolume, .silenceRinger, .startRecording, .stopRecording, .startPlayback,
            .stopPlayback, .startPage, .stopPage, .testSound, .setDoNotDisturb, .clearMissedCalls, .reset, .relay,
            .liftHook, .replaceHook, .pressKey, .setLine:
            .call
        case .switchOrganization, .signIn, .cancelSignIn, .signOut, .getOrganizations, .connect, .disconnect,
            .reconnect, .addContact, .changeContact, .removeContact, .importContacts, .getTokens, .addToken,
            .removeToken, .getSetup, .tryDevice, .tryAccount,
            .addAccount, .changeAccount, .removeAccount, .planSetup, .writeSetup, .restart, .reload:
            .configure
        }
    }
}

extension MethodName {
    /// The errors of a method, besides those of any request.
    public var errors: [ErrorWord] {
        switch self {
        case .dial, .call, .consult, .answer, .hangup, .decline, .hold, .resume, .toggleHold, .setHold, .transfer,
            .acceptTransfer, .declineTransfer, .park, .pickup, .conference, .compareWords, .sendDTMF, .setMute,
            .toggleMute, .setRoute,
            .setSpeaker, .toggleSpeaker, .setVolume, .silenceRinger, .startRecording, .stopRecording, .startPlayback,
            .stopPlayback, .startPage, .stopPage, .testSound, .setDoNotDisturb, .clearMissedCalls, .reset, .relay,
            .switchOrganization, .signIn, .cancelSignIn, .signOut, .getOrganizations, .connect, .disconnect,
            .reconnect, .getSnapshot, .getMissedCalls, .getNetworkStatus, .getConnectionState, .getPendingIncomingCall,
            .getDisplay:
            Self.ofThePhone
        case .getHistory, .getContacts, .addContact, .importContacts, .exportContacts, .getTokens, .addToken:
            Self.ofTheVault
        case .changeContact, .removeContact: Self.ofTheVault + [.noSuchContact]
        case .removeToken: Self.ofTheVault + [.noSuchToken]
        case .getSetup: Self.ofSetup
        case .tryDevice: Self.ofSetup + [.busy, .noDevice, .deviceFailed, .soundInUse]
        case .tryAccount: Self.ofSetup + [.busy, .trialFailed]
        case .addAccount: Self.ofSetup + [.busy, .noSuchTrial, .notKept]
        case .changeAccount, .removeAccount: Self.ofSetup + [.busy, .inCall, .accountInUse, .notKept]
        case .planSetup: Self.ofSetup + [.busy, .notPlanned]
        case .writeSetup: Self.ofSetup + [.busy, .noSuchPlan, .notWritten]
        case .restart: Self.ofSetup + [.busy, .inCall, .wouldNotStart]
        case .reload: Self.ofSetup + [.busy, .notReloaded]
        case .subscribe: [.notSupported]
        case .getSignals: [.cancelled]
        case .cancel: [.noSuchRequest]
        case .liftHook, .replaceHook, .pressKey, .setLine: [.panelIsReal, .panelRefused]
        case .getDeviceID, .getPushToken, .getBootTimeline, .getPanel, .getStatistics, .getMetrics, .ping, .discover: []
        }
    }

    /// The errors of any request.
    public static let commonErrors: [ErrorWord] = [.invalidParams, .scopeTooSmall]

    private static let waiting: [ErrorWord] = [.cancelled, .tooManyRequests]

    private static let ofThePhone: [ErrorWord] =
        waiting + [
            .noSuchCall, .wrongState, .alreadyUnderWay, .noRoom, .invalidTarget, .lineNotReady, .refusedThere,
            .soundInUse, .notSupported, .timedOut, .callEnded, .organizationSwitchFailed, .signInFailed, .notSignedIn,
            .backendFailed, .fileFailed, .shuttingDown,
        ]

    private static let ofTheVault: [ErrorWord] = waiting + [.notSupported, .notKept]
    private static let ofSetup: [ErrorWord] = waiting + [.notSupported, .noRoom]
}
