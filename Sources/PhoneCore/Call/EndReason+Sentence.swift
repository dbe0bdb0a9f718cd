extension EndReason {
    /// How the call ended, for people.
    public var sentence: String {
        switch self {
        case .hungUpHere: "hung up here"
        case .hungUpThere: "the far end hung up"
        case .declined: "declined here"
        case .refusedBusy: "there was no room for another call"
        case .doNotDisturb: "do-not-disturb is on"
        case .blocked: "the caller is blocked"
        case .noOffer: "caller info announced it, but no line offered it"
        case .notAnnounced: "it could not be announced in time"
        case .noAnswer: "nobody answered"
        case .busyThere: "the far end is busy"
        case .declinedThere: "the far end declined"
        case .cancelledThere: "the caller gave up"
        case .answeredElsewhere: "it was answered elsewhere"
        case .rejected(401):
            "it was rejected with SIP status 401: the server accepts neither the password nor a withheld number, or it "
                + "is a proxy that challenges calls with 401 (Kamailio: use `proxy_challenge`, not `www_challenge`, for INVITE)"
        case .rejected(let status): "it was rejected with SIP status \(status)"
        case .unreachable: "the far end could not be reached"
        case .lineNotReady: "the line is not ready"
        case .incompatible: "the two ends have no codec, no encryption or no network path in common"
        case .insecurePath: "the far end can be reached only over a transport that is less secure than the account's"
        case .anonymityRefused:
            "the server does not accept anonymous calls; `sip.server_withholds` lets it hide the number itself"
        case .pickupUnnamed: "the server does not say whose call it is; set `calls.pickup_codes`"
        case .mediaFailed: "sound could not be set up"
        case .mediaLost: "no media arrived any more"
        case .networkLost: "the network was lost"
        case .timedOut: "it took too long to set up"
        case .organisation(let failure): "the phone could not switch to the call's organization: \(failure.sentence)"
        case .transferred: "it was transferred, or another call replaced it"
        case .tooLong: "it reached the maximum call time"
        case .interrupted: "the program was interrupted during the call"
        case .shutDown: "the phone was shut down"
        }
    }
}
