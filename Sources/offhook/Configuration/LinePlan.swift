import LineCore
import Lines
import PhoneCore
import SDPCore
import SIPCore
import Vault

/// Which lines the phone has, from its accounts and its configuration.
///
/// The direct line, which belongs to no server, exists when peers are listed or when there is no account. The first line
/// has the configured ports, the others take one from the kernel.
struct LinePlan {
    let settings: [AccountID: LineSettings]
    let accounts: AccountLabels

    init(accounts: [StoredAccount], settings: Settings) throws {
        let configuration = settings.configuration
        let sip = configuration.sip
        let labels = AccountLabels(accounts.map { ($0.id, $0.account.label) })
        var pins: [AccountID: Fingerprint] = [:]
        for pin in sip.tls.pins { pins[try labels.account(pin.label, key: "sip.tls.pins")] = pin.fingerprint }
        var lines: [(AccountID, LineConfiguration)] = []
        if !sip.peers.isEmpty || accounts.isEmpty {
            lines.append(
                (
                    .direct,
                    LineConfiguration(
                        user: "offhook", accepts: .listed(sip.peers),
                        media: Self.media(.mandatory, configuration.media))
                ))
        }
        for stored in accounts {
            lines.append((stored.id, try Self.line(stored, configuration)))
        }
        var all: [AccountID: LineSettings] = [:]
        for (place, line) in lines.enumerated() {
            var line = line
            line.1.followsRedirections = configuration.calls.followTransfers
            line.1.withholdsNumber = sip.withholdsNumber
            line.1.withholdingPrefix = sip.withholdingPrefix
            all[line.0] = LineSettings(
                configuration: line.1, addresses: sip.addresses, port: place == 0 ? sip.port : 0,
                tls: settings.tls(pin: pins[line.0], isFirst: place == 0), nameServers: sip.nameServers)
        }
        (self.settings, self.accounts) = (all, labels)
    }

    /// The lines as the policy wants them: each asks its server of the numbers that the phone's keys show.
    func settings(watching numbers: Set<WatchedNumber>) -> [AccountID: LineSettings] {
        var watching = settings
        for number in numbers.sorted(by: { $0.number < $1.number }) {
            watching[number.account]?.configuration.watches.append(.number(number.number))
        }
        return watching
    }

    private static func line(
        _ stored: StoredAccount, _ configuration: Configuration
    ) throws(LinePlanError) -> LineConfiguration {
        let account = stored.account
        for host in [account.server, account.domain ?? account.server] where !HostAndPort.isHost(host) {
            throw .noHost(host, label: account.label)
        }
        let transport: Flow.Transport? =
            switch account.transport {
            case .udp: .udp
            case .tcp: .tcp
            case .tls: .tls
            case .auto: nil
            }
        return LineConfiguration(
            user: account.user, displayName: account.displayName,
            account: LineConfiguration.Account(
                domain: account.domain ?? account.server,
                server: Hop(host: account.server, port: account.port, transport: transport),
                authUser: account.authUser, password: account.password, registers: account.registers,
                instance: DeviceInstance.urn(stored.device), asksForGRUU: configuration.sip.gruu),
            accepts: .ownServerOnly, transport: transport ?? .udp,
            media: Self.media(account.protection, configuration.media))
    }

    private static func media(_ protection: Account.Protection, _ media: MediaSection) -> MediaCapabilities {
        let policy: ProtectionPolicy =
            switch protection {
            case .mandatory: .mandatory
            case .offered: .offered
            case .off: .off
            }
        return MediaCapabilities(packetMilliseconds: media.packetMilliseconds, protection: policy)
    }
}

/// Why the vault's accounts make no lines.
enum LinePlanError: Error, CustomStringConvertible {
    /// The vault holds a server or a domain that cannot be written in a message.
    case noHost(String, label: String)

    var description: String {
        switch self {
        case .noHost(let host, let label):
            "account \"\(label)\": \"\(host)\" is no name and no address of a host; remove and add it again"
        }
    }
}
