import Base
import Control
import Dispatch
import JSON
import PhoneCore
import Testing

/// The sign-in and the organisations, for programs.
@Suite struct SignInTests {
    private static let code = SignInCode(
        code: "WDJB-MJHT", address: "https://id.example/device",
        completeAddress: "https://id.example/device?user_code=WDJB-MJHT", until: Instant(nanoseconds: .max))

    private static func snapshot(_ status: SignInStatus?) -> PhoneSnapshot {
        var snapshot = TextTests.snapshot
        (snapshot.signIn, snapshot.digits) = (status, "")
        snapshot.display = DisplayContent(title: "WDJB-MJHT", detail: "id.example/device")
        return snapshot
    }

    @Test func signInAnswersWithTheCode() throws {
        try TestPhone.run(manner: .waits) { phone in
            let raw = try RawSocket(path: phone.path)
            raw.send(#"{"jsonrpc":"2.0","id":7,"method":"signIn"}"# + "\n")
            let asked = try #require(phone.asked.take())
            #expect(asked.request == .signIn)
            try phone.perform(.signInCode(asked.action, Self.code), .settled(asked.action, .fulfilled))
            let result = try raw.receive()?["result"]
            #expect(result?["code"] == "WDJB-MJHT" && result?["address"] == "https://id.example/device")
            #expect(result?["completeAddress"] == "https://id.example/device?user_code=WDJB-MJHT")
            #expect(result?["qr"] == ["# ", " #"])
            #expect((result?["seconds"]?.integer ?? 0) > 0)
        }
    }

    @Test func clientWaitsForTheEnd() throws {
        for end in [Notice.signedIn(SignedInUser(subject: "s", name: "Ada")), .signInFailed(.denied)] {
            try TestPhone.run(manner: .waits) { phone in
                let client = try phone.client()
                DispatchQueue.global().async {
                    guard let request = phone.asked.take() else { return }
                    var newer = Self.code
                    newer.code = "NEW-CODE"
                    try? phone.perform(
                        .notice(.signInCode(Self.code)), .signInCode(request.action, Self.code),
                        .settled(request.action, .fulfilled), .notice(.signInCode(newer)), .notice(end))
                }
                var shown: [JSONValue] = []
                let outcome = try client.signIn(show: { shown.append($0) }, wait: { _ in })
                #expect(shown.map { $0["code"] } == ["WDJB-MJHT", "NEW-CODE"])
                #expect(shown.map { $0["qr"] } == [["# ", " #"], ["# ", " #"]])
                let expected: ControlClient.SignInEnd =
                    end == .signInFailed(.denied) ? .failed("the user refused at the backend") : .signedIn("Ada")
                #expect(outcome == expected)
            }
        }
    }

    @Test func commandWaitsWithAPhoneThatDoesNotKnowTheTime() throws {
        try TestPhone.run(manner: .waits) { phone in
            let client = try phone.client()
            DispatchQueue.global().async {
                guard let request = phone.asked.take() else { return }
                try? phone.perform(
                    .notice(.signInFailed(.clockNotSet)),
                    .settled(request.action, .failed(.signIn(.clockNotSet))), .notice(.signInCode(Self.code)),
                    .notice(.signedIn(SignedInUser(subject: "7", name: "Ada", email: nil))))
            }
            var (shown, waits) = ([String](), 0)
            let end = try client.signIn(show: { shown.append($0["code"]?.string ?? "") }, wait: { _ in waits += 1 })
            #expect(end == .signedIn("Ada") && shown == ["WDJB-MJHT"] && waits == 1)
        }
    }

    @Test func organizationsAreListed() throws {
        try TestPhone.run(manner: .waits) { phone in
            let raw = try RawSocket(path: phone.path)
            raw.send(#"{"jsonrpc":"2.0","id":7,"method":"getOrganizations"}"# + "\n")
            let asked = try #require(phone.asked.take())
            let list = [
                KnownOrganisation(
                    Organisation(id: OrganisationID("17"), name: "Engines", slug: "engines"), channel: "+44207",
                    isDefault: true, isCurrent: true)
            ]
            try phone.perform(.organisations(asked.action, list), .settled(asked.action, .fulfilled))
            let expected: JSONValue = [
                "organizations": [
                    [
                        "id": "17", "name": "Engines", "slug": "engines", "channelNumber": "+44207",
                        "isDefault": true, "isCurrent": true,
                    ]
                ]
            ]
            let result = try raw.receive()?["result"]
            #expect(result == expected)
            #expect(OrganizationText.lines(expected) == ["*  17  Engines  +44207"])
        }
        #expect(OrganizationText.lines(["organizations": []]) == ["the user belongs to no organization"])
    }

    @Test func snapshotTellsEachState() throws {
        let user = SignedInUser(subject: "sub-1", name: "Ada", email: "ada@example.org")
        let rows: [(SignInStatus?, JSONValue)] = [
            (
                .waiting(Self.code),
                [
                    "state": "waiting", "code": "WDJB-MJHT", "address": "https://id.example/device",
                    "completeAddress": "https://id.example/device?user_code=WDJB-MJHT", "until": .integer(.max),
                    "qr": ["# ", " #"],
                ]
            ),
            (nil, nil), (.asking, ["state": "asking"]), (.signingOut, ["state": "signingOut"]),
            (
                .signedIn(user),
                ["state": "signedIn", "subject": "sub-1", "userName": "Ada", "email": "ada@example.org"]
            ),
            (
                .needed(.deviceTokenRefused, nil),
                [
                    "state": "needed", "reason": "deviceTokenRefused",
                    "message": "the backend no longer accepts this phone",
                ]
            ),
        ]
        for (status, expected) in rows {
            try TestPhone.run(manner: .shows(Self.snapshot(status))) { phone in
                let answer = try phone.client().call("getSnapshot")
                #expect(answer["signIn"] == expected)
            }
        }
    }

    /// With the code, a stranger could sign the phone in for another user.
    @Test func observerDoesNotSeeTheCode() throws {
        try TestPhone.run(TestPhone.http(), manner: .shows(Self.snapshot(.waiting(Self.code)))) { phone in
            for (scope, sees) in [(AccessScope.observe, false), (.call, true)] {
                let browser = try phone.browser()
                browser.rpc(#"{"jsonrpc":"2.0","id":1,"method":"getSnapshot"}"#, scope: scope)
                let body = try #require(try browser.answer()).body
                let text = String(decoding: body, as: UTF8.self)
                #expect(text.contains("WDJB-MJHT") == sees && text.contains(#""qr""#) == sees)
                #expect(text.contains(#""state":"waiting""#))
            }
        }
    }
}
