import Base

/// The sign-in at the backend, and the credentials that the backend gives outside a change of organisation. A call is
/// never disturbed by either.
extension Transition {
    mutating func takeBackend(_ event: BackendEvent) {
        switch event {
        case .restored(let user, let context): restored(user.bounded, context)
        case .signInWaitsForTime: signInWaits()
        case .signInCode(let code): codeCame(code)
        case .signInFailed(let failure): signInFailed(failure.bounded)
        case .signedIn(let user, let context): signedIn(user.bounded, context)
        case .signedOut: signedOut()
        case .signInNeeded(let need): signInNeeded(need)
        case .organisations(let list): finishListing(.success(list))
        case .organisationsFailed(let failure): finishListing(.failure(failure.bounded))
        case .switched(let context): switched(to: context)
        case .switchFailed(let failure): switchFailed(failure)
        case .credentialsRenewed(let context): credentialsRenewed(context)
        case .credentialsExpiring(let days): credentialsExpire(inDays: days)
        }
    }

    // MARK: Signing in

    /// A sign-in that waits for a person shows its code again.
    mutating func signIn(as action: ActionID) throws(ActionFailure) {
        guard policy.hasBackend == true else { throw .notSupported }
        switch phone.backend.signIn {
        case .none: ask(as: action, nil)
        case .needed(let former): ask(as: action, former)
        case .showing(let code, _): answer(action, with: code)
        case .asking: throw .alreadyUnderWay
        case .awaitingTime: throw .signIn(.clockNotSet)
        case .signedIn, .signingOut: throw .wrongState
        }
    }

    /// The asking program is told that the code comes later. It then appears wherever a code does.
    private mutating func signInWaits() {
        switch phone.backend.signIn {
        case .asking(let action, _, let former):
            phone.backend.signIn = .awaitingTime(former: former)
            notice(.signInFailed(.clockNotSet))
            settleAtOnce(action, .failed(.signIn(.clockNotSet)))
        case .none, .awaitingTime, .showing, .signedIn, .needed, .signingOut: return
        }
    }

    private mutating func ask(as action: ActionID, _ former: SignIn.Former?) {
        phone.backend.signIn = .asking(action, until: now + PhonePolicy.backendTime, former: former)
        emit(.backend(.signIn))
    }

    private mutating func answer(_ action: ActionID, with code: SignInCode) {
        emit(.control(.signInCode(action, code)))
        settleAtOnce(action, .fulfilled)
    }

    mutating func cancelSignIn() throws(ActionFailure) {
        switch phone.backend.signIn {
        case .asking, .awaitingTime, .showing: giveUpSignIn(.cancelled)
        case .none, .signedIn, .needed, .signingOut: throw .wrongState
        }
    }

    private mutating func codeCame(_ code: SignInCode) {
        switch phone.backend.signIn {
        case .asking(let action, _, let former):
            guard let code = code.shown(at: now) else { return giveUpSignIn(.parse("the code cannot be shown")) }
            phone.backend.signIn = .showing(code, former: former)
            notice(.signInCode(code))
            answer(action, with: code)
        case .awaitingTime(let former):
            guard let code = code.shown(at: now) else { return giveUpSignIn(.parse("the code cannot be shown")) }
            phone.backend.signIn = .showing(code, former: former)
            notice(.signInCode(code))
        case .showing(let known, let former):
            guard let code = code.shown(at: now) else { return giveUpSignIn(.parse("the code cannot be shown")) }
            guard code != known else { return }
            phone.backend.signIn = .showing(code, former: former)
            notice(.signInCode(code))
        case .none, .signedIn, .needed, .signingOut: return
        }
    }

    private mutating func signInFailed(_ failure: SignInFailure) {
        switch phone.backend.signIn {
        case .asking, .awaitingTime, .showing: endSignIn(failure)
        case .none, .signedIn, .needed, .signingOut: return
        }
    }

    /// Ends the sign-in here and at the backend.
    /// - Parameter outcome: The failure of the action that waits for the code, if it is another one.
    private mutating func giveUpSignIn(_ failure: SignInFailure, _ outcome: ActionFailure? = nil) {
        emit(.backend(.cancelSignIn))
        endSignIn(failure, outcome)
    }

    private mutating func endSignIn(_ failure: SignInFailure, _ outcome: ActionFailure? = nil) {
        switch phone.backend.signIn {
        case .asking(let action, _, let former):
            phone.backend.signIn = .after(former)
            notice(.signInFailed(failure))
            settleAtOnce(action, .failed(outcome ?? .signIn(failure)))
        case .awaitingTime(let former), .showing(_, let former):
            phone.backend.signIn = .after(former)
            notice(.signInFailed(failure))
        case .none, .signedIn, .needed, .signingOut: return
        }
    }

    private mutating func signedIn(_ user: SignedInUser, _ context: OrganisationContext?) {
        switch phone.backend.signIn {
        case .asking(let action, _, _):
            // The person had confirmed a code of the same sign-in before.
            become(user)
            settleAtOnce(action, .failed(.wrongState))
        case .none, .awaitingTime, .showing, .signedIn, .needed: become(user)
        case .signingOut: return
        }
        if let context { adopt(context, .signIn) }
    }

    private mutating func become(_ user: SignedInUser) {
        phone.backend.signIn = .signedIn(user)
        phone.backend.expiresInDays = nil
        phone.backend.voidReason = nil
        notice(.signedIn(user))
    }

    /// A former run was signed in. Nobody needs a notice.
    private mutating func restored(_ user: SignedInUser, _ context: OrganisationContext?) {
        switch phone.backend.signIn {
        case .none: phone.backend.signIn = .signedIn(user)
        case .asking(let action, _, _):
            phone.backend.signIn = .signedIn(user)
            settleAtOnce(action, .failed(.wrongState))
        case .needed(let former): phone.backend.signIn = .needed(SignIn.Former(need: former.need, user: user))
        case .awaitingTime, .showing, .signedIn, .signingOut: return
        }
        if let context { adopt(context, .restoration) }
        if phone.backend.isMemoryRead { reportOrganisation() }
    }

    /// The phone has just started, and knows both its sign-in and its organisation.
    mutating func reportOrganisation() {
        switch phone.backend.signIn {
        case .signedIn, .needed: break
        case .none, .asking, .awaitingTime, .showing, .signingOut: return
        }
        if let context = phone.context {
            emit(.backend(.worksFor(context.organisation.id)))
        } else if phone.backend.adoption == nil {
            emit(.backend(.renewCredentials))
        }
    }

    private mutating func signInNeeded(_ need: SignInNeed) {
        let former: SignIn.Former
        switch phone.backend.signIn {
        case .none: former = SignIn.Former(need: need)
        case .signedIn(let user): former = SignIn.Former(need: need, user: user)
        case .needed(let known):
            guard known.need != need else { return }
            former = SignIn.Former(need: need, user: known.user)
        case .asking(let action, let until, let known):
            let former = SignIn.Former(need: need, user: known?.user)
            phone.backend.signIn = .asking(action, until: until, former: former)
            return
        case .awaitingTime(let known):
            phone.backend.signIn = .awaitingTime(former: SignIn.Former(need: need, user: known?.user))
            return
        case .showing(let code, let known):
            phone.backend.signIn = .showing(code, former: SignIn.Former(need: need, user: known?.user))
            return
        case .signingOut: return
        }
        phone.backend.signIn = .needed(former)
        notice(.signInNeeded(need))
    }

    /// The time for the backend's answer, or for the person, is up.
    mutating func signInDue() {
        switch phone.backend.signIn {
        case .asking: giveUpSignIn(.timeout, .timedOut)
        case .showing: giveUpSignIn(.expired)
        case .signingOut:
            notice(.trouble("the backend did not confirm the sign-out; this phone has forgotten it", .backend))
            forgetSignIn()
        case .none, .awaitingTime, .signedIn, .needed: return
        }
    }

    /// The phone stops, or a program wants nothing to be under way.
    mutating func abandonBackend(_ outcome: ActionFailure) {
        switch phone.backend.signIn {
        case .asking, .awaitingTime, .showing: giveUpSignIn(.cancelled, outcome)
        // A person wants the phone to forget, whatever the backend says.
        case .signingOut: forgetSignIn()
        case .none, .signedIn, .needed: break
        }
        if let listing = phone.backend.listing {
            phone.backend.listing = nil
            let failure: ActionFailure = outcome == .shuttingDown ? outcome : .backend(.abandoned)
            for action in listing.actions { settleAtOnce(action, .failed(failure)) }
        }
    }
}

/// Signing out.
extension Transition {
    mutating func signOut(as action: ActionID) throws(ActionFailure) {
        guard policy.hasBackend == true else { throw .notSupported }
        switch phone.backend.signIn {
        case .signedIn, .needed: break
        case .none: throw .notSignedIn
        case .signingOut: throw .alreadyUnderWay
        case .asking, .awaitingTime, .showing: throw .wrongState
        }
        guard phone.switching == nil else { throw .alreadyUnderWay }
        guard phone.calls.isEmpty else { throw .wrongState }
        phone.backend.signIn = .signingOut(action, until: now + PhonePolicy.backendTime)
        emit(.backend(.signOut))
    }

    private mutating func signedOut() {
        switch phone.backend.signIn {
        case .signingOut, .signedIn, .needed: forgetSignIn()
        case .none, .asking, .awaitingTime, .showing: return
        }
    }

    /// Forgets everything that came from the sign-in, and unregisters its account. Calls that are up go on.
    private mutating func forgetSignIn() {
        abandonSwitch()
        let action = phone.backend.signIn.action?.id
        let account = phone.context?.account
        let listing = phone.backend.listing
        phone.context = nil
        phone.backend = BackendView()
        (phone.backend.listing, phone.backend.isMemoryRead) = (listing, true)
        // What the vault has of former runs is forgotten, too, even if it comes later.
        phone.contextWrites += 1
        emit(.vault(.forgetSignIn))
        if let account { emit(.line(.disconnect(account))) }
        notice(.signedOut)
        if let action { settleAtOnce(action, .fulfilled) }
    }
}

/// The list of organisations.
extension Transition {
    mutating func listOrganisations(as action: ActionID) throws(ActionFailure) {
        guard policy.hasBackend == true else { throw .notSupported }
        switch phone.backend.signIn {
        case .signedIn: break
        case .none, .asking, .awaitingTime, .showing, .needed, .signingOut: throw .notSignedIn
        }
        if let listing = phone.backend.listing {
            guard listing.actions.count < BackendView.Listing.longest else { throw .alreadyUnderWay }
            phone.backend.listing?.actions.append(action)
        } else {
            phone.backend.listing = BackendView.Listing(actions: [action], until: now + PhonePolicy.backendTime)
            emit(.backend(.organisations))
        }
    }

    /// The backend answered, or failed to. A list that nobody asked for is kept, too.
    mutating func finishListing(_ result: Result<[KnownOrganisation], SwitchFailure>) {
        let actions = phone.backend.listing?.actions ?? []
        phone.backend.listing = nil
        switch result {
        case .success(let list):
            let current = phone.context?.organisation.id
            let known = list.prefix(KnownOrganisation.longestList).compactMap { $0.bounded(current: current) }
            if case .signedIn = phone.backend.signIn { phone.backend.organisations = known }
            for action in actions {
                emit(.control(.organisations(action, known)))
                settleAtOnce(action, .fulfilled)
            }
        case .failure(let failure):
            for action in actions { settleAtOnce(action, .failed(failure == .timeout ? .timedOut : .backend(failure))) }
        }
    }
}

/// Credentials that come outside a change of organisation.
extension Transition {
    private mutating func credentialsRenewed(_ context: OrganisationContext) {
        switch phone.backend.signIn {
        case .signedIn, .needed: break
        // The phone forgets, or has forgotten, what belongs to the former sign-in.
        case .none, .asking, .awaitingTime, .showing, .signingOut: return
        }
        phone.backend.expiresInDays = nil
        phone.backend.voidReason = nil
        adopt(context, .renewal)
    }

    private mutating func credentialsExpire(inDays days: Int) {
        let days = min(max(days, 0), 366)
        switch phone.backend.signIn {
        case .signedIn, .needed: break
        case .none, .asking, .awaitingTime, .showing, .signingOut: return
        }
        guard phone.backend.expiresInDays != days else { return }
        phone.backend.expiresInDays = days
        notice(.credentialsExpiring(days: days))
    }

    private mutating func adopt(_ context: OrganisationContext, _ cause: ContextAdoption.Cause) {
        if case .waiting(let waiting, .signIn) = phone.backend.adoption, cause != .signIn {
            // Only newer credentials for the same organisation replace those of a sign-in.
            guard waiting.organisation.id == context.organisation.id else { return }
            phone.backend.adoption = .waiting(context, .signIn)
        } else {
            phone.backend.adoption = .waiting(context, cause)
        }
    }

    /// Takes a waiting context, and gives its line the credentials when no call uses that line.
    mutating func adoptContext() {
        if case .waiting(let context, let cause) = phone.backend.adoption { take(context, cause) }
        guard case .taken(let context) = phone.backend.adoption, phone.switching == nil, phone.mode == .running,
            !phone.calls.contains(where: { $0.account == context.account })
        else { return }
        reconfigure(context)
    }

    private mutating func take(_ context: OrganisationContext, _ cause: ContextAdoption.Cause) {
        // A change of organisation may still restore its former context.
        guard phone.switching == nil, cause != .restoration || phone.backend.isMemoryRead else { return }
        phone.backend.adoption = nil
        let former = phone.context
        guard isWanted(context, cause, in: former), context != former else { return }
        phone.context = context
        keep(context)
        phone.backend.adoption = .taken(context)
        if former?.organisation.id == context.organisation.id {
            notice(.credentialsRenewed(context.organisation))
        } else {
            notice(.organisationSwitched(context.organisation))
        }
    }

    private func isWanted(
        _ context: OrganisationContext, _ cause: ContextAdoption.Cause, in former: OrganisationContext?
    ) -> Bool {
        guard let former else { return true }
        return switch cause {
        case .signIn: true
        // Credentials of another organisation came from a change that failed, or that was undone since.
        case .renewal, .restoration: former.organisation.id == context.organisation.id
        }
    }
}

/// The registration at the broker of caller info.
extension Transition {
    /// The broker refuses the registration that the backend gave. The backend has to know.
    mutating func callerInfoRefused(_ reason: String) {
        let reason = reason.shown(bytes: SwitchFailure.longestText)
        guard phone.backend.voidReason != reason else { return }
        phone.backend.voidReason = reason
        notice(.trouble("caller info: the broker refuses this phone: \(reason)", .callerInfoRefused))
        switch phone.backend.signIn {
        case .signedIn: emit(.backend(.callerInfoVoid(reason)))
        case .none, .asking, .awaitingTime, .showing, .needed, .signingOut: return
        }
    }
}
