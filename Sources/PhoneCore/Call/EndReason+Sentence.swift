extension EndReason {
    /// How the call ended, for people.
    public var sentence: String {
        switch self {
        case .hungUpHere: "hung up here"
        case .hungUpThere: "the far end hung up"
        case .declined: "declined here"
        case .refusedBusy: "there was no room for another call"
        case .doNotDisturb: "nobody here wants to be disturbed"
        case .blocked: "the caller is blocked"
        case .noOffer: "it was announced and never came"
        case .notAnnounced: "it could not be announced in time"
        case .noAnswer: "nobody answered"
        case .busyThere: "the far end is busy"
        case .declinedThere: "the far end declined"
        case .cancelledThere: "the caller gave up"
        case .answeredElsewhere: "it was answered elsewhere"
        case .rejected(401):
            "it was rejected with SIP status 401: the server takes neither password nor withheld number, or it is a proxy that "
                + "challenges calls by 401 (Kamailio: for INVITE `proxy_challenge` in place of `www_challenge`)"
        case .rejected(let status): "it was rejected with SIP status \(status)"
        case .unreachable: "the far end could not be reached"
        case .lineNotReady: "the line is not ready"
        case .incompatible: "the two ends share no codec, no encryption or no way to each other"
        case .insecurePath: "the far end can be reached only in a less secure way than the account's"
        case .anonymityRefused:
            "the server does not take anonymous calls; `sip.withhold_number: false` would show the number"
        case .pickupUnnamed: "the server does not say whose call it is; set `calls.pickup_codes`"
        case .mediaFailed: "sound could not be set up"
        case .mediaLost: "nothing was heard any more"
        case .networkLost: "the network was lost"
        case .timedOut: "it took too long to set up"
        case .organisation: "the phone could not change to the organization"
        case .transferred: "it was handed over"
        case .tooLong: "it was as long as calls may be"
        case .interrupted: "the program was interrupted in it"
        case .shutDown: "the phone was switched off"
        }
    }
}
