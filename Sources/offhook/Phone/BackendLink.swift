import Backend
import BackendCore
import Base
import CallerInfo
import HTTPClient
import Logging
import NIOCore
import PhoneCore
import Platform
import QRCode
import Synchronization
import Vault

/// Connects the phone to its backend: translates between the machine's words and the adapter's, and stores the account
/// of a sign-in. The configuration may name another backend while the phone runs, or none. Used on the control loop
/// only, except where a function says otherwise.
final class BackendLink: Sendable {
    /// The name of the backend's record in the vault.
    static let record = "backend"

    /// The parts of the program that the link uses.
    struct Parts: Sendable {
        let loop: any EventLoop
        let vault: Vault
        let accounts: AccountChanges
        let log: Logger
        let post: @Sendable (BackendEvent) -> Void
        /// Takes the broker of the registration for caller info; nil if the phone has no registration.
        let useBroker: @Sendable (BrokerSettings?) -> Void
        /// Whether the broker of caller info is that of the backend's registration.
        let isBrokerOfBackend: @Sendable () -> Bool
    }

    /// What a former run left in the vault.
    struct Memory: Sendable {
        var state: BackendState?
        /// The account of the sign-in.
        var account: AccountID?
    }

    /// What the configuration says about the backend.
    private struct Place: Equatable {
        let settings: BackendSettings
        let client: HTTPClientSettings

        init?(_ settings: Settings) {
            guard let backend = settings.backend else { return nil }
            (self.settings, client) = (backend, settings.backendClient)
        }
    }

    private struct Confined {
        /// The configuration in effect.
        var settings: Settings
        /// Nil: the configuration names no backend.
        var backend: Backend?
        var isStarted = false
        /// What the vault has.
        var state: BackendState?
    }

    private let parts: Parts
    /// The phone's identifier at the backend and at its broker.
    private let device: String
    private let client = Mutex<HTTPClient?>(nil)
    private let confined: NIOLoopBoundBox<Confined>

    init(
        _ settings: Settings, _ stored: Phone.Stored, _ vault: Vault, _ accounts: AccountChanges, _ loop: PhoneLoop,
        _ eventLoop: any EventLoop, _ callerInfo: CallerInfoSlot, _ log: Logger
    ) {
        device = stored.deviceID ?? Self.freshDevice()
        parts = Parts(
            loop: eventLoop, vault: vault, accounts: accounts, log: log, post: { loop.post(.backend($0)) },
            useBroker: { callerInfo.register($0) }, isBrokerOfBackend: { callerInfo.isOfBackend })
        confined = .makeBoxSendingValue(
            Confined(settings: settings, state: stored.signIn.state), eventLoop: eventLoop)
        connect(to: Place(settings))
    }

    private func connect(to place: Place?) {
        confined.value.backend = nil
        guard let place else { return }
        let client = HTTPClient(settings: place.client)
        self.client.withLock { $0 = client }
        confined.value.backend = Backend(
            place.settings, client: client, loop: parts.loop,
            keep: { [weak self] state in self?.keep(state) },
            // The machine forgets the sign-in in the vault when it hears of the sign-out.
            wipe: {},
            tell: { [weak self] notice in self?.take(notice) })
    }

    /// An identifier for a vault that has none.
    private static func freshDevice() -> String { "urn:offhook:" + String(UInt64.random(in: .min ... .max), radix: 16) }

    /// Starts with what the vault has.
    func start() {
        let state = confined.value.state
        confined.value.isStarted = true
        // Without a backend nobody is signed in.
        guard let backend = confined.value.backend else { return }
        if let registration = state?.registration, !registration.isEnding {
            parts.post(.restored(SignedInUser(registration.person), nil))
            use(registration.push)
        }
        backend.restore(state, fresh: device)
    }

    /// Takes the backend of a changed configuration. Requests that are under way fail. The sign-in stays, and another
    /// backend does not get its tokens.
    func use(_ settings: Settings) {
        let (former, place) = (Place(confined.value.settings), Place(settings))
        confined.value.settings = settings
        guard place != former else { return }
        confined.value.backend?.close()
        client.withLock { $0.take() }?.close(waiting: .zero)
        connect(to: place)
        guard confined.value.isStarted else { return }
        parts.post(.signInFailed(.cancelled))
        parts.post(.organisationsFailed(.abandoned))
        parts.post(.switchFailed(.abandoned))
        if confined.value.backend != nil { start() } else { use(nil) }
    }

    func perform(_ effect: BackendEffect) {
        guard let backend = confined.value.backend else { return refuse(effect) }
        switch effect {
        case .signIn: backend.signIn()
        case .cancelSignIn: backend.cancelSignIn()
        case .signOut: backend.signOut()
        case .organisations: backend.listOrganisations()
        case .switchOrganisation(let id): backend.switchOrganisation(to: id.rawValue)
        case .worksFor(let id): backend.rolledBack(to: id.rawValue)
        case .credentialsKept(let id): backend.credentialsKept(of: id.rawValue)
        case .renewCredentials: backend.renewCredentials()
        case .callerInfoVoid(let reason): if parts.isBrokerOfBackend() { backend.reportVoidPush(reason) }
        }
    }

    /// Answers for a backend that the configuration no longer has.
    private func refuse(_ effect: BackendEffect) {
        switch effect {
        case .signIn: parts.post(.signInFailed(.network("no backend is configured")))
        case .signOut: parts.post(.signedOut)
        case .organisations: parts.post(.organisationsFailed(.network))
        case .switchOrganisation: parts.post(.switchFailed(.network))
        case .cancelSignIn, .worksFor, .credentialsKept, .renewCredentials, .callerInfoVoid: break
        }
    }

    /// Takes the backend's registration for caller info; nil: the phone has no registration.
    private func use(_ push: BackendPush?) {
        parts.useBroker(push.map { confined.value.settings.broker(of: $0, device: device) })
    }

    func networkStirred() { confined.value.backend?.networkStirred() }

    /// The name of the registration for caller info.
    var pushToken: String? { confined.value.backend?.state?.registration?.push?.token }

    /// Ends all requests.
    func close() {
        confined.value.backend?.close()
        confined.value.backend = nil
    }

    /// Waits for the thread of the requests, at most a second. From any thread, after `close`.
    func closeThread() { client.withLock { $0 }?.close() }

    private func keep(_ state: BackendState) {
        confined.value.state = state
        let bytes = unsafe state.secretText.withBytes { unsafe Array($0) }
        parts.vault.keep(Redacted(bytes), as: Self.record) { [log = parts.log] isKept in
            if !isKept { log.error("the vault did not keep the backend's record; after a restart, sign in again") }
        }
    }

    // MARK: Notices

    private func take(_ notice: BackendNotice) {
        switch notice {
        case .signInWaitsForTime: parts.post(.signInWaitsForTime)
        case .signInCode(let code): parts.post(.signInCode(SignInCode(code, now: MonotonicClock.now())))
        case .signedIn(let done): signedIn(done)
        case .signInFailed(let failure): parts.post(.signInFailed(SignInFailure(failure)))
        case .signInNeeded(let reason): parts.post(.signInNeeded(SignInNeed(reason)))
        case .signedOut(let isDeleted): signedOut(isDeleted)
        case .organisations(let list, let current):
            parts.post(.organisations(list.map { KnownOrganisation($0, isCurrent: $0.id == current.id) }))
        case .organisationsFailed(let failure): parts.post(.organisationsFailed(SwitchFailure(failure)))
        case .switched(let credentials, _):
            guard isUsable(credentials) else { return parts.post(.switchFailed(.parse)) }
            guard let context = context(credentials) else { return parts.post(.switchFailed(.credentialStore)) }
            parts.post(.switched(context))
        case .switchFailed(let failure, _):
            parts.log.warning("backend: the change of organization failed: \(failure.sentence)")
            parts.post(.switchFailed(SwitchFailure(failure)))
        case .credentialsRenewed(let credentials):
            guard isUsable(credentials), let context = context(credentials) else { return }
            parts.post(.credentialsRenewed(context))
        case .credentialsNotRenewed(let failure):
            parts.log.warning("backend: the credentials were not renewed: \(failure.sentence)")
        case .credentialsExpiring(let end, let failure):
            parts.log.warning("backend: the credentials end soon, and were not renewed: \(failure.sentence)")
            let now = RealTimeClock.now() / 1_000_000_000
            parts.post(.credentialsExpiring(days: end.map { Int(max(0, $0 - now) / 86_400) } ?? 0))
        case .pushRegistration(let push): use(push)
        case .pushNotRegistered(let failure):
            parts.log.warning("backend: there is no registration for caller info: \(failure.sentence)")
        }
    }

    private func signedIn(_ done: BackendSignIn) {
        let user = SignedInUser(done.person)
        use(done.push)
        guard let credentials = done.credentials, let account = Account(credentials) else {
            parts.log.warning("backend: it gave no account, so the sign-in brings no calls")
            return parts.post(.signedIn(user, nil))
        }
        parts.accounts.keepForSignIn(account) { [self] result in
            switch result {
            case .success(let id): parts.post(.signedIn(user, OrganisationContext(credentials, account: id)))
            case .failure(let refusal):
                parts.log.error("backend: the account of the sign-in cannot be used: \(refusal)")
                parts.post(.signInFailed(.credentialStore))
                confined.value.backend?.signOut()
            }
        }
    }

    private func signedOut(_ isDeleted: Bool) {
        if !isDeleted { parts.log.warning("backend: it did not confirm that it forgot this phone") }
        use(nil)
        parts.post(.signedOut)
    }

    /// Verto credentials are not valid at a SIP server, so they have to name another one.
    private func isUsable(_ credentials: BackendCredentials) -> Bool {
        let account = parts.accounts.accounts.first { $0.id == parts.accounts.accountOfSignIn }?.account
        // A backend that names no kind may mean the account's own.
        let isOther = credentials.kind != .sip && account.map { $0.kind.rawValue != credentials.kind.rawValue } == true
        guard isOther, AccountServer(credentials) == nil else { return true }
        parts.log.warning("backend: the credentials are of the kind \(credentials.kind.rawValue), but name no server")
        return false
    }

    private func context(_ credentials: BackendCredentials) -> OrganisationContext? {
        parts.accounts.accountOfSignIn.map { OrganisationContext(credentials, account: $0) }
    }
}

extension BackendLink.Memory {
    /// Reads the vault. If its record is unreadable, somebody has to sign the phone in again.
    init(_ file: borrowing VaultFile, _ log: Logger) {
        do throws(VaultError) {
            account = try file.accountOfSignIn()
            state =
                try file.record(BackendLink.record).map { bytes throws(VaultError) in
                    do throws(BackendParseFault) {
                        return try BackendState(secretText: SecretBytes(bytes.reveal()))
                    } catch {
                        log.error("the backend's record cannot be read: \(error.sentence)")
                        return nil
                    }
                } ?? nil
        } catch {
            log.error("the vault's sign-in cannot be read: \(error)")
        }
    }
}

/// Makes the QR code of a sign-in's address once, however often programs ask for it. Only one sign-in waits at a time,
/// so it keeps only the last code. From any thread.
package final class SignInPicture: Sendable {
    private let kept = Mutex<(address: String, rows: [String]?)?>(nil)
    private let encode: @Sendable (String) -> [String]?

    /// - Parameter encode: Makes the code; nil: it cannot be made.
    package init(encode: @escaping @Sendable (String) -> [String]? = SignInPicture.modules) { self.encode = encode }

    /// The rows of the code's modules; nil if it cannot be made. That is remembered, too: the library may be missing.
    package func rows(_ address: String) -> [String]? {
        kept.withLock { kept in
            if let kept, kept.address == address { return kept.rows }
            let rows = encode(address)
            kept = (address, rows)
            return rows
        }
    }

    /// `#` is dark, and a space is light. The lowest correction gives the smallest code, for a terminal with few lines.
    package static func modules(_ address: String) -> [String]? {
        guard let code = try? QRCode(address: address, correction: .low) else { return nil }
        return code.rows.map { row in String(row.map { $0 == "1" ? "#" : " " }) }
    }
}
