import Base
import PhoneCore
import Testing

/// §10: a person signs the phone in on another device. Nothing of it disturbs a call.
@Suite("Signing in")
struct SignInTests {
    static let context = Sample.context("a")

    static func bench(language: DisplayLanguage? = nil) -> Bench {
        var policy = Sample.policy
        policy.hasBackend = true
        policy.displayLanguage = language
        var bench = Bench(policy: policy)
        bench.post(.vault(.remembered(PhoneMemory())))
        bench.line(.registration(.direct, .registered))
        return bench
    }

    /// A code waits for a person.
    static func showing(language: DisplayLanguage? = nil) -> Bench {
        var bench = bench(language: language)
        bench.ask(.signIn)
        bench.post(.backend(.signInCode(Sample.signInCode)))
        return bench
    }

    static func signedIn() -> Bench {
        var bench = showing()
        bench.post(.backend(.signedIn(Sample.user, context)))
        bench.post(.vault(.contextKept(ticket: 1, true)))
        bench.line(.registration(.direct, .registered))
        return bench
    }

    private static func needed() -> Bench {
        var bench = signedIn()
        bench.post(.backend(.signInNeeded(.deviceTokenRefused)))
        return bench
    }

    @Test func codeAnswersTheRequest() {
        var bench = Self.bench()
        #expect(bench.ask(.signIn) == nil)
        #expect(bench.did(.backend(.signIn)))
        #expect(bench.machine.snapshot.signIn == .asking)
        bench.post(.backend(.signInCode(Sample.signInCode)))
        #expect(bench.did(.control(.signInCode(Sample.action(1), Sample.signInCode))))
        #expect(bench.outcome(of: 1) == .fulfilled)
        #expect(bench.noticed(.signInCode(Sample.signInCode)))
        #expect(bench.machine.snapshot.signIn == .waiting(Sample.signInCode))
        #expect(bench.ask(.signIn) == .fulfilled, "another program gets the same code")
        #expect(bench.did(.control(.signInCode(Sample.action(2), Sample.signInCode))))
    }

    @Test func signInBringsUserOrganisationAndRegistration() {
        var bench = Self.showing()
        bench.post(.backend(.signedIn(Sample.user, Self.context)))
        #expect(bench.noticed(.signedIn(Sample.user)))
        #expect(bench.machine.snapshot.signIn == .signedIn(Sample.user))
        #expect(bench.machine.snapshot.organisation == Self.context.organisation)
        #expect(bench.did(.vault(.keepContext(Self.context, ticket: 1))))
        #expect(bench.did(.reconfigure(.direct, Self.context.credentials)))
        #expect(bench.ask(.signIn) == .failed(.wrongState), "it is signed in already")
    }

    @Test func phoneWithoutBackendSaysSo() {
        var bench = Bench()
        for request in [Request.signIn, .signOut, .organisations] {
            #expect(bench.ask(request) == .failed(.notSupported))
        }
        #expect(bench.ask(.cancelSignIn) == .failed(.wrongState))
    }

    @Test(arguments: [SignInFailure.denied, .expired, .identity("wrong issuer"), .network("no route"), .api(403, "no")])
    func failureLeavesEverythingAsBefore(_ failure: SignInFailure) {
        var bench = Self.bench()
        bench.ask(.signIn)
        bench.post(.backend(.signInFailed(failure)))
        #expect(bench.outcome(of: 1) == .failed(.signIn(failure)))
        #expect(bench.noticed(.signInFailed(failure)))
        #expect(bench.machine.snapshot.signIn == nil)
        var showing = Self.showing()
        showing.post(.backend(.signInFailed(failure)))
        #expect(showing.noticed(.signInFailed(failure)))
        #expect(showing.machine.snapshot.signIn == nil)
        #expect(showing.ask(.signIn) == nil, "another try is possible")
    }

    /// A board without a clock cannot judge the backend before it knows the time.
    @Test func phoneWithoutTimeAsksLater() {
        var bench = Self.bench()
        bench.ask(.signIn)
        bench.post(.backend(.signInWaitsForTime))
        #expect(bench.outcome(of: 1) == .failed(.signIn(.clockNotSet)) && bench.noticed(.signInFailed(.clockNotSet)))
        #expect(bench.ask(.signIn) == .failed(.signIn(.clockNotSet)), "it still waits")
        bench.run(.seconds(3_600))
        #expect(bench.machine.snapshot.signIn == .asking)
        var code = Sample.signInCode
        code.until = bench.now + .seconds(600)
        bench.post(.backend(.signInCode(code)))
        #expect(bench.noticed(.signInCode(code)))
    }

    @Test func waitForTimeCanBeCancelled() {
        var bench = Self.bench()
        bench.ask(.signIn)
        bench.post(.backend(.signInWaitsForTime))
        #expect(bench.ask(.cancelSignIn) == .fulfilled && bench.did(.backend(.cancelSignIn)))
        #expect(bench.machine.snapshot.signIn == nil && bench.noticed(.signInFailed(.cancelled)))
    }

    @Test func silentBackendIsGivenUp() {
        var bench = Self.bench()
        bench.ask(.signIn)
        bench.run(.milliseconds(29_999))
        #expect(bench.outcome(of: 1) == nil)
        bench.run(.milliseconds(1))
        #expect(bench.outcome(of: 1) == .failed(.timedOut))
        #expect(bench.did(.backend(.cancelSignIn)))
        bench.post(.backend(.signInCode(Sample.signInCode)))
        #expect(bench.machine.snapshot.signIn == nil, "a late code concerns nobody")
    }

    @Test func codeExpiresByItself() {
        var bench = Self.showing()
        bench.run(.milliseconds(599_999))
        #expect(bench.machine.snapshot.signIn == .waiting(Sample.signInCode))
        bench.run(.milliseconds(1))
        #expect(bench.machine.snapshot.signIn == nil)
        #expect(bench.noticed(.signInFailed(.expired)))
        #expect(bench.did(.backend(.cancelSignIn)))
        #expect(bench.machine.deadline == nil)
    }

    @Test func backendCannotShowACodeForEver() {
        var bench = Self.bench()
        bench.ask(.signIn)
        var code = Sample.signInCode
        code.until = Instant(nanoseconds: .max)
        bench.post(.backend(.signInCode(code)))
        bench.run(.seconds(3_600))
        #expect(bench.noticed(.signInFailed(.expired)))
    }

    @Test(arguments: ["", String(repeating: "A", count: 33), "AB\u{202E}CD", "AB\nCD"])
    func codeThatCannotBeShownEndsTheSignIn(_ text: String) {
        var bench = Self.bench()
        bench.ask(.signIn)
        var code = Sample.signInCode
        code.code = text
        bench.post(.backend(.signInCode(code)))
        #expect(bench.machine.snapshot.signIn == nil)
        #expect(bench.did(.backend(.cancelSignIn)))
        #expect(bench.outcome(of: 1) == .failed(.signIn(.parse("the code cannot be shown"))))
    }

    @Test func newerCodeReplacesTheShownOne() {
        var bench = Self.showing()
        var newer = Sample.signInCode
        newer.code = "XXXX-YYYY"
        bench.post(.backend(.signInCode(newer)))
        #expect(bench.noticed(.signInCode(newer)))
        #expect(bench.machine.snapshot.signIn == .waiting(newer))
    }

    @Test func cancelEndsItAtOnce() {
        var bench = Self.bench()
        #expect(bench.ask(.cancelSignIn) == .failed(.wrongState))
        bench.ask(.signIn)
        #expect(bench.ask(.signIn) == .failed(.alreadyUnderWay))
        #expect(bench.ask(.cancelSignIn) == .fulfilled)
        #expect(bench.outcome(of: 2) == .failed(.signIn(.cancelled)))
        #expect(bench.did(.backend(.cancelSignIn)))
        var showing = Self.showing()
        #expect(showing.ask(.cancelSignIn) == .fulfilled)
        #expect(showing.noticed(.signInFailed(.cancelled)))
    }

    /// The person confirmed just before somebody cancelled: the backend has signed the phone in.
    @Test func signInThatOvertakesItsCancellationCounts() {
        var bench = Self.showing()
        bench.ask(.cancelSignIn)
        bench.post(.backend(.signedIn(Sample.user, Self.context)))
        #expect(bench.machine.snapshot.signIn == .signedIn(Sample.user))
        #expect(bench.machine.snapshot.organisation == Self.context.organisation)
    }

    // MARK: The person at the phone

    @Test func displayShowsCodeAndAddressWhileThePhoneIsIdle() {
        var bench = Self.showing(language: .english)
        let shown = DisplayContent(
            title: "WDJB-MJHT", detail: "id.example/device", notes: ["Sign in at"],
            address: "https://id.example/device?user_code=WDJB-MJHT")
        #expect(bench.machine.snapshot.display == shown)
        bench.post(.panel(.hookFound(.onHook)))
        bench.lift()
        #expect(bench.machine.snapshot.display?.title == "Dial a number")
        bench.replace()
        #expect(bench.machine.snapshot.display == shown)
        bench.offer()
        #expect(bench.machine.snapshot.display?.title == "Ada", "a call comes first")
        bench.ask(.signIn)
        bench.line(.ended(Sample.first, .cancelledThere))
        bench.post(.backend(.signedIn(Sample.user, nil)))
        #expect(bench.machine.snapshot.display?.title == "Ready")
    }

    @Test func neededSignInIsShownByLampAndDisplay() {
        var bench = Self.bench(language: .german)
        bench.post(.backend(.restored(Sample.user, Self.context)))
        #expect(!bench.noticed(.signedIn(Sample.user)), "it is no news")
        bench.line(.registration(.direct, .registered))
        #expect(bench.lamp(.line) == .off)
        bench.post(.backend(.signInNeeded(.deviceTokenRefused)))
        #expect(bench.noticed(.signInNeeded(.deviceTokenRefused)))
        #expect(bench.machine.snapshot.signIn == .needed(.deviceTokenRefused, Sample.user))
        #expect(bench.lamp(.line) == .slowBlink)
        #expect(bench.machine.snapshot.display?.notes == ["Neu anmelden"])
        #expect(!bench.did(.disconnect(.direct)), "calls go on as long as the server allows")
        bench.forget()
        bench.post(.backend(.signInNeeded(.deviceTokenRefused)))
        #expect(bench.log.isEmpty, "it is told once")
    }

    @Test func failedRepetitionLeavesTheSignInNeeded() {
        for failure in [SignInFailure.denied, .cancelled] {
            var bench = Self.needed()
            bench.ask(.signIn)
            #expect(bench.lamp(.line) == .slowBlink)
            bench.post(.backend(.signInCode(Sample.signInCode)))
            if failure == .denied { bench.post(.backend(.signInFailed(.denied))) } else { bench.ask(.cancelSignIn) }
            #expect(bench.machine.snapshot.signIn == .needed(.deviceTokenRefused, Sample.user))
        }
        var bench = Self.needed()
        bench.ask(.signIn)
        bench.post(.backend(.signInCode(Sample.signInCode)))
        bench.post(.backend(.signedIn(Sample.user, nil)))
        #expect(bench.machine.snapshot.signIn == .signedIn(Sample.user))
        #expect(bench.lamp(.line) == .off)
    }

    @Test func stopAndResetSettleWhatIsUnderWay() {
        for request in [Request.reset, .status] {
            var bench = Self.signedIn()
            bench.ask(.organisations)
            if request == .reset { bench.ask(.reset) } else { bench.post(.shutDown) }
            let expected: ActionFailure = request == .reset ? .backend(.abandoned) : .shuttingDown
            #expect(bench.outcome(of: 2) == .failed(expected))
            var asking = Self.bench()
            asking.ask(.signIn)
            if request == .reset { asking.ask(.reset) } else { asking.post(.shutDown) }
            #expect(asking.outcome(of: 1) == .failed(request == .reset ? .signIn(.cancelled) : .shuttingDown))
            #expect(asking.did(.backend(.cancelSignIn)))
        }
    }

    @Test func secretsAreNotPrinted() {
        let bench = Self.signedIn()
        let text = bench.log.map { "\($0)" }.joined()
        #expect(text.contains("user-a") && !text.contains("password-a"))
    }
}

/// Signing out, the list of organisations, and the broker's refusal.
@Suite("Signed in")
struct SignedInTests {
    @Test func signOutForgetsAfterTheBackend() {
        var bench = SignInTests.signedIn()
        bench.forget()
        #expect(bench.ask(.signOut) == nil)
        #expect(bench.did(.backend(.signOut)))
        #expect(!bench.did(.vault(.forgetSignIn)), "the backend needs the tokens first")
        bench.post(.backend(.signedOut))
        #expect(bench.did(.vault(.forgetSignIn)) && bench.did(.disconnect(.direct)))
        #expect(bench.noticed(.signedOut))
        #expect(bench.outcome(of: 2) == .fulfilled)
        let snapshot = bench.machine.snapshot
        #expect(snapshot.signIn == nil && snapshot.organisation == nil && snapshot.organisations == nil)
        #expect(bench.ask(.signOut) == .failed(.notSignedIn))
    }

    @Test func unreachableBackendDoesNotKeepThePhoneSignedIn() {
        var bench = SignInTests.signedIn()
        bench.ask(.signOut)
        bench.run(.seconds(30))
        #expect(bench.did(.vault(.forgetSignIn)))
        #expect(bench.outcome(of: 2) == .fulfilled)
        bench.forget()
        bench.post(.backend(.signedOut))
        bench.post(.backend(.credentialsRenewed(SignInTests.context)))
        #expect(bench.log.isEmpty, "late answers bring nothing back")
    }

    @Test func callIsNotEndedBySignOut() {
        var bench = SignInTests.signedIn()
        bench.offer()
        #expect(bench.ask(.signOut) == .failed(.wrongState))
        #expect(!bench.did(.backend(.signOut)))
    }

    @Test func callDuringSignOutGoesOn() {
        var bench = SignInTests.signedIn()
        bench.ask(.signOut)
        bench.talk()
        bench.post(.backend(.signedOut))
        bench.line(.registration(.direct, .disconnected))
        #expect(bench.phase() == .active)
    }

    @Test func listOfOrganisationsNamesTheCurrentOne() {
        var bench = SignInTests.signedIn()
        #expect(bench.ask(.organisations) == nil)
        #expect(bench.ask(.organisations) == nil)
        let list = ["a", "b"].map { KnownOrganisation(Sample.context($0).organisation, channel: "+442079460017") }
        bench.post(.backend(.organisations(list)))
        var expected = list
        expected[0].isCurrent = true
        #expect(bench.machine.snapshot.organisations == expected)
        for action in [2, 3] as [UInt64] {
            #expect(bench.did(.control(.organisations(Sample.action(action), expected))))
            #expect(bench.outcome(of: action) == .fulfilled)
        }
        bench.ask(.switchOrganisation(OrganisationID("b")))
        bench.post(.backend(.switched(Sample.context("b"))))
        bench.post(.vault(.contextKept(ticket: 2, true)))
        bench.line(.registration(.direct, .registered))
        #expect(bench.machine.snapshot.organisations?.map(\.isCurrent) == [false, true])
    }

    @Test func listFailsWithTheBackendsWords() {
        var bench = SignInTests.signedIn()
        bench.ask(.organisations)
        bench.post(.backend(.organisationsFailed(.api(503, "later,\u{7} please"))))
        #expect(bench.outcome(of: 2) == .failed(.backend(.api(503, "later, please"))))
        bench.ask(.organisations)
        bench.run(.seconds(30))
        #expect(bench.outcome(of: 3) == .failed(.timedOut))
        var nobody = SignInTests.bench()
        #expect(nobody.ask(.organisations) == .failed(.notSignedIn))
    }

    @Test func hostileListIsCutAndCleaned() {
        var bench = SignInTests.signedIn()
        let name = String(repeating: "x", count: 1_000)
        var list = (0..<300).map { KnownOrganisation(Organisation(id: OrganisationID("\($0)"), name: name)) }
        list.insert(KnownOrganisation(Organisation(id: OrganisationID(name), name: "long")), at: 0)
        bench.post(.backend(.organisations(list)))
        let known = bench.machine.snapshot.organisations ?? []
        #expect(known.count == 99 && known.allSatisfy { $0.organisation.name.utf8.count == 128 })
    }

    @Test func brokersRefusalReachesTheBackendOnce() {
        var bench = SignInTests.signedIn()
        bench.post(.callerInfo(.refused("SUBACK 0x87")))
        bench.post(.callerInfo(.refused("SUBACK 0x87")))
        #expect(bench.log.count { $0 == .backend(.callerInfoVoid("SUBACK 0x87")) } == 1)
        bench.post(.backend(.credentialsRenewed(SignInTests.context)))
        bench.post(.callerInfo(.refused("SUBACK 0x87")))
        #expect(bench.log.count { $0 == .backend(.callerInfoVoid("SUBACK 0x87")) } == 2)
        var unsigned = SignInTests.bench()
        unsigned.post(.callerInfo(.refused("CONNACK 5")))
        #expect(!unsigned.did(.backend(.callerInfoVoid("CONNACK 5"))))
    }

    @Test func expiringCredentialsAreShownUntilRenewed() {
        var bench = SignInTests.signedIn()
        bench.post(.backend(.credentialsExpiring(days: 3)))
        #expect(bench.noticed(.credentialsExpiring(days: 3)))
        #expect(bench.machine.snapshot.credentialsExpireInDays == 3)
        bench.post(.backend(.credentialsRenewed(SignInTests.context)))
        #expect(bench.machine.snapshot.credentialsExpireInDays == nil)
    }
}
