import SIPCore
import VertoCore

/// What a Reason (RFC 3326) adds to the method or status that ended a call, and the Reason that we send.
extension EndReason {
    /// A final response to our INVITE. An exact status decides alone. Gateways use some statuses for any cause; there
    /// the cause of the telephone network decides (Q.850 §2.2.7).
    init(rejectedWith status: SIPStatus, _ reasons: [Reason]) {
        let plain = EndReason(rejectedWith: status)
        switch status.code {
        case 480, 487, 500...599: self = reasons.lazy.compactMap { Self.refusal($0) }.first ?? plain
        default: self = plain
        }
    }

    private static func refusal(_ reason: Reason) -> EndReason? {
        switch (reason.protocol.uppercased(), reason.cause) {
        case ("Q.850", 17), ("SIP", 486), ("SIP", 600): .busyThere
        case ("Q.850", 18), ("Q.850", 19), ("SIP", 408), ("SIP", 480): .noAnswer
        case ("Q.850", 21), ("SIP", 603): .declinedThere
        case ("Q.850", 1), ("SIP", 404): .rejected(404)
        case ("Q.850", 28), ("SIP", 484): .rejected(484)
        case ("Q.850", 65), ("Q.850", 88), ("SIP", 488): .incompatible
        case (_, _): nil
        }
    }

    /// A BYE in a call that was up. If its cause reports that an end or the network failed, the end is `unreachable`,
    /// not a hang-up.
    init(bye reasons: [Reason]) {
        let isBroken = reasons.contains { reason in
            switch (reason.protocol.uppercased(), reason.cause) {
            // Destination out of order, network out of order, temporary failure, recovery on timer expiry.
            case ("Q.850", 27), ("Q.850", 38), ("Q.850", 41), ("Q.850", 102): true
            case ("SIP", 408), ("SIP", 503), ("SIP", 504): true
            case (_, _): false
            }
        }
        self = isBroken ? .unreachable : .hungUpThere
    }

    /// The Reason of our BYE or CANCEL. The texts are ours. The causes are of Q.850 §2.2.7, where one fits.
    var reason: Reason {
        switch self {
        case .incompatible: Reason(cause: 488, text: "Not Acceptable Here")
        case .unreachable: Reason(cause: 408, text: "Request Timeout")
        case .mediaLost: Reason("Q.850", cause: 102, text: "No media arrived any more")
        case .mediaFailed: Reason("Q.850", cause: 41, text: "Media could not be set up")
        case .networkLost: Reason("Q.850", cause: 38, text: "The network was lost")
        case .timedOut: Reason("Q.850", cause: 102, text: "The call took too long to set up")
        case .tooLong: Reason("Q.850", cause: 16, text: "The call reached its maximum time")
        case .shutDown: Reason("Q.850", cause: 16, text: "The phone was shut down")
        case .hungUpHere, .hungUpThere, .declined, .refusedBusy, .doNotDisturb, .blocked, .noOffer, .notAnnounced,
            .noAnswer, .busyThere, .declinedThere, .cancelledThere, .answeredElsewhere, .rejected, .lineNotReady,
            .insecurePath, .anonymityRefused, .pickupUnnamed, .organisation, .transferred, .interrupted:
            Reason("Q.850", cause: 16, text: "Normal call clearing")
        }
    }
}

extension CallRejection {
    /// The Reason of our refusal.
    var reason: Reason {
        switch self {
        case .busy: Reason("Q.850", cause: 17, text: "User busy")
        case .declined: Reason("Q.850", cause: 21, text: "Call rejected")
        case .noAnswer: Reason("Q.850", cause: 19, text: "No answer from user")
        case .unavailable: Reason("Q.850", cause: 20, text: "Subscriber absent")
        }
    }
}

extension ServerEnd {
    /// The first Reason, which is more exact, else the status. Nil: neither is there.
    init?(_ reasons: [Reason], _ status: SIPStatus? = nil, phrase: String? = nil) {
        if let reason = reasons.first(where: { $0.cause != nil }) {
            self.init(cause: reason.protocol, code: reason.cause, text: reason.parameters["text"])
        } else if let status {
            self.init(cause: "SIP", code: status.code, text: phrase)
        } else {
            return nil
        }
    }

    init?(_ end: VertoEnd) {
        guard end.cause != nil || end.code != nil else { return nil }
        self.init(cause: end.cause, code: end.code, text: end.sipReason)
    }
}

extension Reason {
    /// The reason for a far end that answered second, or after we gave up (RFC 3326 §2).
    static let completedElsewhere = Reason("SIP", cause: 200, text: "Call completed elsewhere")
    /// The reason for the far end of a call whose process is gone.
    static let interrupted = Reason("Q.850", cause: 31, text: "Normal, unspecified")
}
