/// The scenarios that SIPp plays against the phone. In a scenario that is called, the phone hangs up.
extension Scenario {
    // MARK: Calls

    static let callFromSIPp = Scenario.caller
        .send("INVITE", 1, body: voice()).perhaps(100).perhaps(180).response(200).send("ACK", 1)
        .pause(100).send("BYE", 2).response(200)

    static let callToSIPp = Scenario.callee()
        .toInvite("180 Ringing").toInvite("200 OK", body: voice()).request("ACK").bye

    // MARK: Offers and answers

    /// Voice while it rings; the answer is the same (RFC 3261 §13.2.1).
    static let earlyMedia = Scenario.callee()
        .toInvite("183 Session Progress", body: voice()).pause(1_000).toInvite("200 OK", body: voice())
        .request("ACK").bye

    /// Inside a call SIPp sends no offer, so the phone makes one (RFC 3261 §14.2).
    static let lateOffer = Scenario.caller
        .send("INVITE", 1, body: voice()).perhaps(100).response(180).response(200).send("ACK", 1)
        .send("INVITE", 2).perhaps(100).response(200, ["Content-Type": "application/sdp"])
        .send("ACK", 2, body: voice(version: 2, "sendonly"))
        .send("INVITE", 3).perhaps(100).response(200).send("ACK", 3, body: voice(version: 3))
        .request("BYE").answer()

    /// Both offer at once. Each refuses the other's, and the phone, as the caller, retries 2.1 to 4 s later (RFC 3261
    /// §14.1).
    static let glare = Scenario.callee()
        .toInvite("180 Ringing").toInvite("200 OK", body: voice()).request("ACK")
        .request("INVITE", isKept: true)
        .send("INVITE", 1, body: voice(version: 2)).response(491).send("ACK", 1, branchOf: "INVITE")
        .toInvite("491 Request Pending").request("ACK")
        .request("INVITE").answer(body: voice(version: 3, "recvonly")).request("ACK")
        .bye

    // MARK: Forks and storms

    /// Two phones ring; the second answers, and then the first one does, too. It is acknowledged and hung up (RFC 3261
    /// §13.2.2.4).
    static let twoAnswers = Scenario.callee()
        .toInvite("180 Ringing", end: "x").toInvite("180 Ringing", end: "y")
        .toInvite("200 OK", body: voice(), end: "y").request("ACK", ["To": "sy|s[0-9]+y"])
        .toInvite("200 OK", body: voice(), end: "x").request("ACK", ["To": "s[0-9]+x"])
        .request("BYE", ["To": "s[0-9]+x"]).answer()
        .request("BYE", ["To": "s[0-9]+y"]).answer()

    /// Every request comes twenty times, and is answered as often; without an ACK the 200 is repeated. SIPp must not
    /// handle repetitions itself in a storm (`-nr`).
    static let stormOfRequests = Scenario.caller
        .send("INVITE", 1, body: voice()).response(180)
        .times(19) { $0.send("INVITE", 1, body: voice(), again: true).response(180) }
        .response(200).response(200).response(200).send("ACK", 1).times(19) { $0.send("ACK", 1, again: true) }
        .send("BYE", 2).response(200).times(19) { $0.send("BYE", 2, again: true).response(200) }

    /// Every response comes twenty times, and each 200 gets its ACK.
    static let stormOfResponses = Scenario.callee()
        .times(20) { $0.toInvite("180 Ringing") }
        .times(20) { $0.toInvite("200 OK", body: voice()).request("ACK") }
        .bye

    // MARK: Extensions

    /// SIPp rings reliably (RFC 3262 §4).
    static let reliableRinging = Scenario.callee(["Supported": "100rel"])
        .toInvite("180 Ringing", ["Require: 100rel", "RSeq: 7"])
        .request("PRACK", ["RAck": "7 [0-9]+ INVITE"]).answer()
        .toInvite("200 OK", body: voice()).request("ACK").bye

    /// SIPp asks for reliable ringing (RFC 3262 §3).
    static let reliablyRung = Scenario.caller
        .send("INVITE", 1, ["Require: 100rel"], body: voice()).perhaps(100)
        .response(180, ["Require": "100rel"], keeping: "RSeq")
        .send("PRACK", 2, ["RAck: [$RSeq] 1 INVITE"]).response(200)
        .response(200).send("ACK", 1).pause(100).send("BYE", 3).response(200)

    /// SIPp holds and resumes by UPDATE (RFC 3311 §5.2).
    static let updates = Scenario.caller
        .send("INVITE", 1, ["Allow: INVITE, ACK, CANCEL, BYE, UPDATE"], body: voice()).perhaps(100).response(180)
        .response(200, ["Allow": "UPDATE"]).send("ACK", 1).pause(500)
        .send("UPDATE", 2, body: voice(version: 2, "sendonly"))
        .response(200, ["Content-Type": "application/sdp"]).pause(500)
        .send("UPDATE", 3, body: voice(version: 3)).response(200, ["Content-Type": "application/sdp"])
        .request("BYE").answer()

    // MARK: Session timers (RFC 4028)

    private static let timer = ["Supported: timer", "Allow: INVITE, ACK, CANCEL, BYE, UPDATE"]

    /// Too short a time is refused with the phone's minimum (§9).
    static let tooShortASession = Scenario.caller
        .send("INVITE", 1, timer + ["Session-Expires: 30", "Min-SE: 30"], body: voice())
        .perhaps(100).response(422, ["Min-SE": "90"]).send("ACK", 1, branchOf: "INVITE")

    /// SIPp called, and refreshes.
    static let callerRefreshes = Scenario.caller
        .send("INVITE", 1, timer + ["Session-Expires: 90;refresher=uac"], body: voice()).perhaps(100).response(180)
        .response(200, ["Session-Expires": "90;refresher=uac", "Require": "timer"]).send("ACK", 1).pause(500)
        .send("UPDATE", 2, timer + ["Session-Expires: 90;refresher=uac"])
        .response(200, ["Session-Expires": "90;refresher=uac"]).pause(500)
        .send("INVITE", 3, timer + ["Session-Expires: 90;refresher=uac"], body: voice()).perhaps(100)
        .response(200, ["Session-Expires": "90;refresher=uac"]).send("ACK", 3)
        .request("BYE").answer()

    /// SIPp called, and the phone refreshes after 45 s.
    static let calleeRefreshes = Scenario.caller
        .send("INVITE", 1, timer + ["Session-Expires: 90;refresher=uas"], body: voice()).perhaps(100).response(180)
        .response(200, ["Session-Expires": "90;refresher=uas"]).send("ACK", 1)
        .request("UPDATE", ["Session-Expires": "90;refresher=uac"])
        .answer("200 OK", ["Require: timer", "Session-Expires: 90;refresher=uac"])
        .request("BYE").answer()

    /// The phone called, SIPp asks it to refresh, and does not know UPDATE.
    static let phoneRefreshes = Scenario.callee(["Supported": "timer"])
        .toInvite("180 Ringing")
        .toInvite(
            "200 OK", ["Require: timer", "Session-Expires: 90;refresher=uac", "Allow: INVITE, ACK, CANCEL, BYE"],
            body: voice()
        )
        .request("ACK")
        .request("INVITE", ["Session-Expires": "90;refresher=uac"])
        .answer("200 OK", ["Require: timer", "Session-Expires: 90;refresher=uac"], body: voice())
        .request("ACK").bye
}
