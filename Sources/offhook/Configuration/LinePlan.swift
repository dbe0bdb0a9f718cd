import Base
import Cryptography
import LineCore
import Lines
import Media
import PhoneCore
import SDPCore
import SIPCore
import Vault
import VertoCore

/// Derives the phone's lines from its accounts and its configuration.
///
/// The direct line, which has no server, exists when peers are listed or when there is no account. One line uses the
/// configured ports: the first at the start, and the same one as long as it exists. The others get ports from the
/// kernel.
package struct LinePlan: Sendable {
    package let settings: [AccountID: LineSettings]
    /// The line with the configured ports. Nil: it was removed since the start, and no other line is to be disturbed.
    let portHolder: AccountID?
    let accounts: AccountLabels
    /// The ICE settings of each line.
    let ice: [AccountID: ICESettings]

    /// - Parameters:
    ///   - identity: This phone's certificate for handshakes.
    ///   - former: The plan that is in effect. Nil at the start.
    package init(
        accounts: [StoredAccount], settings: Settings, identity: DTLSIdentity, after former: LinePlan? = nil
    ) throws {
        let certificate = CertificateFingerprint(digest: identity.certificate.fingerprint)
        let configuration = settings.configuration
        let sip = configuration.sip
        let labels = AccountLabels(accounts.map { ($0.id, $0.account.label) })
        var pins: [AccountID: Fingerprint] = [:]
        for pin in sip.tls.pins { pins[try labels.account(pin.label, key: "sip.tls.pins")] = pin.fingerprint }
        var lines: [LineConfiguration] = []
        if !sip.peers.isEmpty || accounts.isEmpty {
            var direct = LineConfiguration(
                user: "offhook", accepts: .listed(sip.peers),
                media: Self.media(sip.protection, configuration.media, certificate))
            direct.media.answersICE = sip.ice.policy != .off
            lines.append(direct)
        }
        let identities = try Self.identities(sip, labels)
        let asking = Set(try sip.asksForMessages.map { try labels.account($0, key: "sip.ask_for_messages") })
        let trusting = Set(try sip.trustsFrom.map { try labels.account($0, key: "sip.trust_from") })
        let hiding = Set(try sip.hidesFrom.map { try labels.account($0, key: "sip.server_withholds") })
        for stored in accounts {
            var line = try Self.line(stored, configuration, certificate)
            line.preferredIdentity = try identities[stored.id].map { try Self.identity($0, stored.account) }
            line.watches = asking.contains(stored.id) ? [.messages] : []
            line.account?.vouchesForFrom = trusting.contains(stored.id)
            line.account?.hidesFrom = hiding.contains(stored.id)
            line.media.answersICE = stored.account.ice.policy != .off
            lines.append(line)
        }
        let paths = Dictionary(uniqueKeysWithValues: accounts.map { ($0.id, $0.account.path) })
        let holder = Self.portHolder(of: lines.map(\.id), after: former)
        var all: [AccountID: LineSettings] = [:]
        for line in lines {
            var line = line
            line.media.families = Set(sip.addresses.compactMap { IPAddress($0)?.family })
            line.followsRedirections = configuration.calls.followTransfers
            line.tracesDigits = settings.showsDigits
            line.withholdsNumber = sip.withholdsNumber
            line.withholdingPrefix = sip.withholdingPrefix
            line.sessionExpires = UInt32(sip.sessionTime.components.seconds)
            line.minimumSessionExpires = UInt32(sip.shortestSessionTime.components.seconds)
            all[line.id] = LineSettings(
                configuration: line, addresses: sip.addresses,
                port: line.id == holder && settings.keepsPorts ? sip.port : 0,
                tls: settings.tls(pin: pins[line.id], isFirst: line.id == holder), nameServers: sip.nameServers)
            if let path = paths[line.id] { all[line.id]?.webSocketPath = path }
        }
        (self.settings, self.accounts, portHolder) = (all, labels, holder)
        ice = accounts.reduce(into: [.direct: sip.ice]) {
            $0[$1.id] = ICESettings(
                $1.account.ice, authorities: sip.tls.authorities,
                trickles: $1.account.kind.dialect?.canTrickle ?? false)
        }
    }

    /// A line that replaces the holder takes its ports. A line that registers with other ports keeps them.
    private static func portHolder(of lines: [AccountID], after former: LinePlan?) -> AccountID? {
        guard let former else { return lines.first }
        if let holder = former.portHolder, lines.contains(holder) { return holder }
        return lines.first { former.settings[$0] == nil }
    }

    /// What the line of the organisation's account uses in place of its settings' credentials.
    static func credentials(of context: OrganisationContext?) -> [AccountID: AccountCredentials] {
        context.map { [$0.account: $0.credentials] } ?? [:]
    }

    /// The server of the organisation's account, if the backend named one.
    static func servers(of context: OrganisationContext?) -> [AccountID: AccountServer] {
        context.flatMap { context in context.credentials.server.map { [context.account: $0] } } ?? [:]
    }

    /// The accounts that exist, the direct line included.
    var all: Set<AccountID> { Set(settings.keys) }

    /// The lines' settings with subscriptions. Each line asks its server for the states of the numbers that the phone's
    /// keys show.
    func settings(watching numbers: Set<WatchedNumber>) -> [AccountID: LineSettings] {
        var watching = settings
        for number in numbers.sorted(by: { $0.number < $1.number }) {
            watching[number.account]?.configuration.watches.append(.number(number.number))
        }
        return watching
    }

    /// The accounts whose servers cannot transfer calls.
    var withoutTransfer: Set<AccountID> {
        Set(settings.filter { $0.value.configuration.account?.verto?.canTransfer == false }.keys)
    }

    /// For each account, a change that could help if a far end shares no media with it. Empty if no change would help.
    var mediaHints: [AccountID: String] {
        settings.reduce(into: [:]) { hints, line in
            guard line.key != .direct else { return }
            let offersICE = [.always, .relayed].contains(ice[line.key]?.policy)
            hints[line.key] = line.value.configuration.media.protection.hint(offersICE: offersICE)
        }
    }

    private static func line(
        _ stored: StoredAccount, _ configuration: Configuration, _ certificate: CertificateFingerprint
    ) throws(LinePlanError) -> LineConfiguration {
        let account = stored.account
        let server = account.transport.isWebSocket ? account.host : account.server
        for host in [server, account.domain ?? server] where !HostAndPort.isHost(host) {
            throw .noHost(host, label: account.label)
        }
        guard LineSettings.isWebSocketPath(account.path) else { throw .noHost(account.server, label: account.label) }
        let transport: Flow.Transport? =
            switch account.transport {
            case .udp: .udp
            case .tcp: .tcp
            case .tls: .tls
            case .ws: .ws
            case .wss: .wss
            case .auto: nil
            }
        var home = LineConfiguration.Account(
            domain: account.domain ?? server,
            server: NextHop(host: server, port: account.port, transport: transport),
            authUser: account.authUser, password: account.password, registers: account.registers,
            instance: DeviceInstance.urn(stored.device), asksForGRUU: configuration.sip.gruu)
        home.trust = account.trust
        home.verto = account.kind.dialect
        home.token = account.token
        home.allowsClearPassword = account.allowsClearPassword
        return LineConfiguration(
            stored.id, user: account.user, displayName: account.displayName, account: home,
            accepts: .ownServerOnly, transport: transport ?? .udp,
            media: Self.media(
                account.protection.policy, configuration.media, certificate, requiresICE: account.ice.policy == .relayed
            ))
    }

    private static func identities(
        _ sip: SIPSection, _ labels: AccountLabels
    ) throws(UnknownAccount) -> [AccountID: String] {
        var identities: [AccountID: String] = [:]
        for (label, identity) in sip.identities {
            identities[try labels.account(label, key: "sip.identities")] = identity
        }
        return identities
    }

    /// A number belongs to the account's domain. A SIP address is complete.
    private static func identity(_ text: String, _ account: Account) throws(LinePlanError) -> URI {
        guard text.lowercased().hasPrefix("sip") else {
            let number = text.filter { "0123456789*#+".contains($0) }
            return .sip(SIPURI(user: number, host: account.domain ?? account.host))
        }
        do throws(SIPParseError) { return try URI(text) } catch { throw .noAddress(text, label: account.label) }
    }

    private static func media(
        _ policy: ProtectionPolicy, _ media: MediaSection, _ certificate: CertificateFingerprint,
        requiresICE: Bool = false
    ) -> MediaCapabilities {
        MediaCapabilities(
            codecs: media.codecs, packetMilliseconds: media.packetMilliseconds, protection: policy,
            suites: media.suites, fingerprint: certificate, requiresICE: requiresICE)
    }
}

extension ProtectionPolicy {
    /// A change that could help if a far end shares no media with the account. Nil: no change would help.
    package func hint(offersICE: Bool) -> String? {
        switch self {
        case .mandatory: "`--protection offered` would also allow calls without encryption"
        case .dtls where !offersICE: "a browser needs ICE, which `--ice always` offers"
        case .dtls: "`--protection mandatory` would offer keys without DTLS"
        case .off: "`--protection offered` would encrypt for a far end that demands it"
        case .offered: nil
        }
    }
}

extension ICESettings {
    fileprivate init(_ ice: Account.ICE, authorities: String?, trickles: Bool) {
        let policy: Policy =
            switch ice.policy {
            case .off: .off
            case .answered: .answered
            case .always: .always
            case .relayed: .relayed
            }
        let servers = ice.servers.map { server in
            let transport: Relay.Transport =
                switch server.transport {
                case .udp: .udp
                case .tcp: .tcp
                case .tls: .tls
                }
            let relay = server.user.map {
                Relay(over: transport, user: $0, password: server.password ?? Redacted(""))
            }
            return Server(host: server.host, port: server.port, relay: relay)
        }
        self.init(policy, servers: servers, authorities: authorities, trickles: trickles)
    }
}

extension AccountServer.Kind {
    fileprivate var dialect: VertoDialect? {
        switch self {
        case .sip: nil
        case .verto: .freeSWITCH
        case .telnyx: .telnyx
        }
    }
}

extension Account.Protection {
    fileprivate var policy: ProtectionPolicy {
        switch self {
        case .mandatory: .mandatory
        case .dtls: .dtls
        case .offered: .offered
        case .off: .off
        }
    }
}

/// Why the vault's accounts give no lines.
enum LinePlanError: Error, CustomStringConvertible {
    /// The vault has a server or domain that cannot appear in a message.
    case noHost(String, label: String)
    /// The identity to show for the account is no SIP address.
    case noAddress(String, label: String)

    var description: String {
        switch self {
        case .noHost(let host, let label):
            "account \"\(label)\": \"\(host)\" is neither a host name nor an address; "
                + "remove the account and add it again"
        case .noAddress(let text, let label): "sip.identities.\(label): \"\(text)\" is no SIP address"
        }
    }
}

/// Maps labels to the vault's accounts. A configuration names accounts only by label.
package struct AccountLabels: Sendable {
    /// The accounts in the vault's order.
    let accounts: [(id: AccountID, label: String)]

    package init(_ accounts: [(id: AccountID, label: String)]) { self.accounts = accounts }

    /// The account that a key of the configuration names.
    func account(_ label: String, key: String) throws(UnknownAccount) -> AccountID {
        guard let account = accounts.first(where: { $0.label == label }) else {
            throw UnknownAccount(key: key, label: label, known: accounts.map(\.label))
        }
        return account.id
    }

    /// The labels for the control interface.
    var labels: [AccountID: String] { Dictionary(uniqueKeysWithValues: accounts.map { ($0.id, $0.label) }) }
}

extension [AccountID: String] {
    /// The name of a line, for people: its account's label.
    func name(of account: AccountID) -> String {
        account == .direct ? "direct line" : self[account] ?? "account \(account.rawValue)"
    }
}

/// The configuration names an account that the vault does not have.
package struct UnknownAccount: Error, CustomStringConvertible {
    let key: String
    let label: String
    let known: [String]

    package var description: String {
        let list = known.isEmpty ? "none, add one with `offhook account add`" : known.joined(separator: ", ")
        return "\(key): there is no account \"\(label)\"; known accounts: \(list)"
    }
}
