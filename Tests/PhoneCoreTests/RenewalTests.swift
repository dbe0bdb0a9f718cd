import Base
import PhoneCore
import Testing

/// §10: new credentials for the current organisation go to the vault at once, and to the line when no call uses it.
@Suite("Renewed credentials")
struct RenewalTests {
    private static let old = Sample.context("a")
    private static let other = Sample.context("b")

    private static func renewed(_ context: OrganisationContext = old) -> OrganisationContext {
        var context = context
        context.credentials.password = Redacted("newer")
        return context
    }

    private static func ready() -> Bench {
        var bench = Bench()
        var memory = PhoneMemory()
        memory.context = old
        bench.post(.vault(.remembered(memory)))
        bench.post(.backend(.restored(Sample.user, old)))
        bench.line(.registration(.direct, .registered))
        bench.forget()
        return bench
    }

    private static func contexts(_ bench: Bench) -> [OrganisationContext] {
        bench.log.compactMap { if case .vault(.keepContext(let context, _)) = $0 { context } else { nil } }
    }

    private static func logins(_ bench: Bench) -> [AccountCredentials] {
        bench.log.compactMap { if case .line(.reconfigure(_, let credentials)) = $0 { credentials } else { nil } }
    }

    @Test func idleLineRegistersAtOnce() {
        var bench = Self.ready()
        bench.post(.backend(.credentialsRenewed(Self.renewed())))
        #expect(Self.contexts(bench) == [Self.renewed()])
        #expect(Self.logins(bench) == [Self.renewed().credentials])
        #expect(bench.noticed(.credentialsRenewed(Self.old.organisation)))
        bench.forget()
        bench.post(.backend(.credentialsRenewed(Self.renewed())))
        #expect(bench.log.isEmpty, "the same credentials are no news")
    }

    @Test func callGoesOnWithTheFormerOnes() {
        var bench = Self.ready()
        bench.talk()
        bench.forget()
        bench.post(.backend(.credentialsRenewed(Self.renewed())))
        #expect(Self.contexts(bench) == [Self.renewed()], "a power cut must not lose them")
        #expect(Self.logins(bench).isEmpty)
        bench.run(.seconds(5))
        bench.line(.ended(Sample.first, .hungUpThere))
        #expect(Self.logins(bench) == [Self.renewed().credentials])
    }

    @Test func ringingCallCountsToo() {
        var bench = Self.ready()
        bench.offer()
        bench.post(.backend(.credentialsRenewed(Self.renewed())))
        #expect(Self.logins(bench).isEmpty)
        bench.line(.ended(Sample.first, .cancelledThere))
        #expect(Self.logins(bench) == [Self.renewed().credentials])
    }

    @Test func callOfAnotherAccountDoesNotDelay() {
        var bench = Self.ready()
        bench.line(.offered(Sample.first, Caller(number: "1", account: AccountID(7))))
        bench.post(.backend(.credentialsRenewed(Self.renewed())))
        #expect(Self.logins(bench) == [Self.renewed().credentials])
    }

    @Test func otherOrganisationsCredentialsAreIgnored() {
        var bench = Self.ready()
        bench.post(.backend(.credentialsRenewed(Self.other)))
        #expect(Self.contexts(bench).isEmpty && Self.logins(bench).isEmpty)
    }

    // MARK: During a change of organisation

    enum End: CaseIterable { case switched, refused, notKept, notRegistered }

    /// Whatever the change comes to, the line and the vault end with the same, newest credentials.
    @Test(arguments: End.allCases)
    func renewalDuringAChangeWaitsForItsEnd(_ end: End) {
        for step in 0..<3 {
            var bench = Self.ready()
            bench.ask(.switchOrganisation(Self.other.organisation.id))
            let events: [PhoneEvent] = [
                .backend(end == .refused ? .switchFailed(.api(403)) : .switched(Self.other)),
                .vault(.contextKept(ticket: 1, end != .notKept)),
                .line(.registration(.direct, end == .notRegistered ? .failed("403") : .registered)),
            ]
            for (index, event) in events.enumerated() {
                if index == step { bench.post(.backend(.credentialsRenewed(Self.renewed()))) }
                bench.post(event)
            }
            let expected = end == .switched ? Self.other : Self.renewed()
            #expect(Self.contexts(bench).last == expected, "\(end), \(step)")
            #expect(Self.logins(bench).last == expected.credentials, "\(end), \(step)")
            #expect(bench.machine.snapshot.organisation == expected.organisation)
        }
    }

    /// The line got the former credentials again before the renewed ones.
    @Test func changeAfterARenewalThatWaitsForACallRestoresTheRenewedOnes() {
        var bench = Self.ready()
        bench.post(.callerInfo(.incoming(CallerInfoTests.info(organisation: "b"))))
        bench.media(.opened(CallID(.info, 1), Sample.endpoint))
        bench.line(.offered(Sample.first, Sample.caller))
        bench.post(.backend(.credentialsRenewed(Self.renewed())))
        #expect(Self.logins(bench).isEmpty)
        bench.ask(.answer(CallID(.info, 1)))
        bench.post(.backend(.switched(Self.other)))
        bench.post(.vault(.contextKept(ticket: 2, true)))
        bench.line(.registration(.direct, .failed("403")))
        #expect(Self.contexts(bench).last == Self.renewed())
        #expect(Self.logins(bench).last == Self.renewed().credentials)
        bench.line(.ended(Sample.first, .lineNotReady))
        #expect(Self.logins(bench).count == 2, "it has them already")
    }

    /// The backend's record may call credentials the newest ones only when the vault has them.
    @Test func backendHearsThatTheVaultHasTheCredentials() {
        for isKept in [true, false] {
            var memory = PhoneMemory()
            memory.context = Self.old
            var bench = Bench()
            bench.post(.vault(.remembered(memory)))
            bench.post(.backend(.restored(Sample.user, nil)))
            bench.post(.backend(.credentialsRenewed(Self.renewed())))
            let tickets = bench.log.compactMap { effect -> UInt32? in
                if case .vault(.keepContext(_, let ticket)) = effect { ticket } else { nil }
            }
            bench.post(.vault(.contextKept(ticket: tickets.last ?? 0, isKept)))
            #expect(tickets.count == 1 && bench.did(.backend(.credentialsKept(OrganisationID("a")))) == isKept)
        }
    }

    // MARK: After a restart

    /// The sign-in's own record is newer than the context if the power failed between the two.
    @Test(arguments: [true, false])
    func restoredCredentialsCompleteWhatAPowerCutInterrupted(_ memoryFirst: Bool) {
        let rows: [(kept: OrganisationContext?, record: OrganisationContext?, expected: OrganisationContext?)] = [
            (Self.old, Self.old, Self.old), (Self.old, Self.renewed(), Self.renewed()), (nil, Self.old, Self.old),
            (Self.old, nil, Self.old), (nil, nil, nil),
            // A change of organisation that failed, or that the power cut undid: the vault decides.
            (Self.old, Self.other, Self.old),
        ]
        for row in rows {
            var bench = Bench()
            var memory = PhoneMemory()
            memory.context = row.kept
            if memoryFirst { bench.post(.vault(.remembered(memory))) }
            bench.post(.backend(.restored(Sample.user, row.record)))
            if !memoryFirst { bench.post(.vault(.remembered(memory))) }
            #expect(bench.machine.snapshot.organisation == row.expected?.organisation)
            let isNews = row.expected != row.kept
            #expect(Self.contexts(bench) == (isNews ? [row.expected].compactMap(\.self) : []))
            #expect(Self.logins(bench) == (isNews ? [row.expected?.credentials].compactMap(\.self) : []))
        }
    }

    /// The backend may know the phone as that of an organisation to which it did not get, or got and left.
    @Test(arguments: [true, false])
    func startedPhoneNamesItsOrganisation(_ memoryFirst: Bool) {
        for context in [Self.old, nil] {
            var bench = Bench()
            var memory = PhoneMemory()
            memory.context = context
            if memoryFirst { bench.post(.vault(.remembered(memory))) }
            bench.post(.backend(.restored(Sample.user, nil)))
            if !memoryFirst { bench.post(.vault(.remembered(memory))) }
            let asked = bench.log.filter { if case .backend = $0 { true } else { false } }
            let expected: BackendEffect = context == nil ? .renewCredentials : .worksFor(OrganisationID("a"))
            #expect(asked == [.backend(expected)])
            guard context == nil else { continue }
            bench.post(.backend(.credentialsRenewed(Self.old)))
            #expect(Self.logins(bench) == [Self.old.credentials])
        }
    }

    /// A sign-in that ends before the vault was read is newer than what the vault has.
    @Test func signInBeforeTheMemoryIsReadCounts() {
        var policy = Sample.policy
        policy.hasBackend = true
        var bench = Bench(policy: policy)
        bench.ask(.signIn)
        bench.post(.backend(.signInCode(Sample.signInCode)))
        bench.post(.backend(.signedIn(Sample.user, Self.other)))
        var memory = PhoneMemory()
        memory.context = Self.old
        bench.post(.vault(.remembered(memory)))
        #expect(bench.machine.snapshot.organisation == Self.other.organisation)
    }

    @Test func signInDuringACallChangesTheLineAfterIt() {
        var policy = Sample.policy
        policy.hasBackend = true
        var bench = Bench(policy: policy)
        bench.post(.vault(.remembered(PhoneMemory())))
        bench.talk()
        bench.ask(.signIn)
        bench.post(.backend(.signInCode(Sample.signInCode)))
        bench.post(.backend(.signedIn(Sample.user, Self.old)))
        #expect(bench.phase() == .active && Self.logins(bench).isEmpty)
        #expect(bench.summary()?.phase == .active)
        bench.replace()
        bench.line(.ended(Sample.first, .hungUpHere))
        #expect(Self.logins(bench) == [Self.old.credentials])
    }
}
