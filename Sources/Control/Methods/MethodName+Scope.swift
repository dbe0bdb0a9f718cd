import PhoneCore

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
