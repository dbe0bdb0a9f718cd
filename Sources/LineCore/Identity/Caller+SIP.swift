import Base
import SIPCore

extension Caller {
    /// The name that FreeSWITCH gives to a called party without one.
    static let nameOfNobody = "Outbound Call"

    /// - Parameters:
    ///   - isTrusted: The request came from the account's own server, which may assert identities (RFC 3325 §9.1).
    ///   - asserter: The party whose statements count for a number's rights.
    init(
        _ request: SIPRequest, of configuration: LineConfiguration, isTrusted: Bool, asserter: IdentityAsserter?,
        at now: Instant
    ) {
        let headers = request.headers
        let claim = CallerClaim(headers, isTrusted: isTrusted)
        let name = claim.isWithheld ? nil : claim.displayName.map { $0.shown(bytes: Self.nameLimit) }
        let alerts = isTrusted ? headers.alerts : []
        let own = headers.ofTheCall
        self.init(
            number: claim.isWithheld ? CallerClaim.anonymous : Self.number(claim.uri) ?? "",
            displayName: name?.isEmpty == true ? nil : name, isWithheld: claim.isWithheld,
            divertedBy: isTrusted ? Self.number(headers.diverter) : nil,
            called: Self.number(headers.called(isTrusted: isTrusted)), account: configuration.id,
            ids: isTrusted ? Self.ids(headers, configuration.callNames) : [], ring: headers.ring(alerts),
            wantsAutoAnswer: isTrusted && headers.wantsAutoAnswer(alerts), verification: claim.verification,
            vouched: asserter?.asserted(claim), headers: own.isEmpty ? nil : own, arrived: now)
    }

    /// Leaves out an id that does not fit, because a part of it would name something else.
    private static func ids(_ headers: SIPHeaders, _ names: [SIPHeaderName]) -> [String] {
        var ids: [String] = []
        for id in names.filter({ $0 != .callID }).flatMap({ headers.lines($0) }) where ids.count < idCount {
            guard !id.isEmpty, id.utf8.count <= idLimit, id.shown(bytes: idLimit) == id, !ids.contains(id) else {
                continue
            }
            ids.append(id)
        }
        return ids
    }

    private static func number(_ uri: URI?) -> String? {
        let text = uri.map { number(of: $0) } ?? ""
        return text.isEmpty ? nil : text
    }

    /// The number of an address, for people.
    static func number(of uri: URI) -> String { uri.number.shown(bytes: numberLimit) }

    /// The number of an address, if it can be shown unchanged. Nil otherwise: two different numbers might then look the
    /// same.
    static func wholeNumber(of uri: URI) -> String? {
        let number = uri.number
        return number.isEmpty || number.shown(bytes: numberLimit) != number ? nil : number
    }
}

/// Reads headers in which peers say how to announce a call, and whether its number is verified.
extension SIPHeaders {
    /// Names of alerts that ask for an answer instead of a ring, as Asterisk, FreeSWITCH and desk phones use them:
    /// `alert-autoanswer`, `Ring Answer`, `Auto Answer`, `Intercom`. They are compared without case, blanks and marks.
    static func asksForAnswer(_ alert: String) -> Bool {
        autoAnswerAlerts.contains(alert.lowercased().filter { $0.isLetter || $0.isNumber })
    }

    private static let autoAnswerAlerts: Set<String> = [
        "alertautoanswer", "autoanswer", "ringanswer", "ringautoanswer", "intercom",
    ]
    /// A header of 3GPP push-to-talk servers and of PBXs: `P-Auto-Answer: normal`.
    private static let pAutoAnswer = SIPHeaderName("P-Auto-Answer")

    /// The alert of each Alert-Info, in lower case: its `info`, else the end of its URI (RFC 3261 §20.4).
    var alerts: [String] {
        ((try? list(.alertInfo, of: LooseValue.self)) ?? []).compactMap { alert in
            (alert.parameters["info"] ?? alert.word.lastPathElement)?.lowercased()
        }
    }

    /// The first alert that does not ask for an automatic answer.
    func ring(_ alerts: [String]) -> String? {
        alerts.first { !Self.asksForAnswer($0) }.flatMap { alert in
            let ring = alert.shown(bytes: Caller.ringLimit)
            return ring.isEmpty ? nil : ring
        }
    }

    /// The headers whose names begin with `X-`. Headers that are invalid or exceed the limit are left out.
    var ofTheCall: [CallHeader] {
        let own = unknownFields(withPrefix: "X-").lazy.compactMap { CallHeader($0.name.text, $0.value) }
        return Array(own.prefix(CallPresentation.headerLimit))
    }

    /// Whether the caller asks for an automatic answer. Answer-Mode decides (RFC 5373 §4). Without it Call-Info
    /// decides, as PBXs write it. A pause in Call-Info does not ask for an immediate answer. If both are missing,
    /// P-Auto-Answer or the name of an alert decides.
    func wantsAutoAnswer(_ alerts: [String]) -> Bool {
        if contains(.answerMode) { return (try? answerMode)?.isAutomatic ?? false }
        let pauses = ((try? callInfos) ?? []).compactMap { $0.parameters["answer-after"] }
        if !pauses.isEmpty { return pauses.contains { UInt32($0) == 0 } }
        return self[Self.pAutoAnswer]?.lowercased() == "normal" || alerts.contains(where: Self.asksForAnswer)
    }
}

extension String {
    /// `bellcore-dr2` for `http://server/bellcore-dr2`, and for `bellcore-dr2` itself; nil for `http://server`.
    fileprivate var lastPathElement: String? {
        let path = place(of: "//").map { self[$0.upperBound...].drop { $0 != "/" } } ?? self[...]
        return path.prefix { $0 != "?" }.split(separator: "/").last.map(String.init)
    }
}

extension URI {
    /// The number as a person reads it.
    var number: String {
        switch self {
        case .sip(let uri): uri.user.map { $0.withoutNumberParameters } ?? uri.text
        case .tel(let tel): tel.digits
        case .other(let scheme, let rest): scheme + ":" + rest
        }
    }
}

extension String {
    /// A number in a SIP URI may have parameters, which are not to be dialled (RFC 3261 §19.1.6). A name has none.
    fileprivate var withoutNumberParameters: String {
        let number = prefix { $0 != ";" }
        let isNumber = number.utf8.allSatisfy { Array("+0123456789*#-.()".utf8).contains($0) }
        return isNumber ? String(number) : self
    }
}

extension NameAddress {
    /// `verstat` in the user part, in the URI, or behind the whole address (3GPP TS 24.229 §7.2A.20; peers differ).
    var verification: CallerVerification? {
        let written: [String?] =
            switch uri {
            case .sip(let uri): [uri.verstatOfUser, uri.parameters["verstat"]]
            case .tel(let tel): [tel.parameters["verstat"]]
            case .other: []
            }
        return (written + [parameters["verstat"]]).lazy.compactMap { $0.flatMap { CallerVerification($0) } }
            .first
    }
}

extension SIPURI {
    fileprivate var verstatOfUser: String? {
        for parameter in (userinfo ?? "").split(separator: ";").dropFirst() {
            let parts = parameter.split(separator: "=", maxSplits: 1)
            if parts.count == 2, parts[0].lowercased() == "verstat" { return String(parts[1]) }
        }
        return nil
    }
}

extension CallerVerification {
    /// The level of the carrier's attestation may follow the verdict: `TN-Validation-Passed-B`.
    fileprivate init?(_ verstat: String) {
        let text = verstat.lowercased() + "-"
        if text.hasPrefix("tn-validation-passed-") {
            self = .passed
        } else if text.hasPrefix("tn-validation-failed-") {
            self = .failed
        } else if text == "no-tn-validation-" {
            self = .none
        } else {
            return nil
        }
    }
}
