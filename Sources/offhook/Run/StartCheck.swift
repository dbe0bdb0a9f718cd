import Control
import Cryptography
import Lines
import Panel
import SecureTransport
import Vault

/// Loads everything that a start of the phone loads, while the old phone still runs. Blocks for the disk.
///
/// Without this check, a restart after a mistake in a file would leave no phone at all.
enum StartCheck {
    /// - Throws: The error that would prevent the start, or that would disable a configured part.
    static func run(_ configuration: String) throws {
        let settings = try Settings(path: configuration)
        let board = try Board.load(path: settings.boardFile)
        let vault = try settings.openVault(access: .readOnly)
        let plan = try LinePlan(
            accounts: try vault.accounts(), settings: settings,
            identity: DTLSIdentity.make())
        _ = try settings.policy(plan, board: board.panel)
        let tls = settings.tls(pin: nil, isFirst: true)
        let trust = tls.authorities.map { TLSContext.Trust.authorities(file: $0) } ?? .system
        _ = try TLSContext(.client, trust: trust, files: tls.identity)
        if let files = settings.control.http?.identity { _ = try TLSContext(.server, trust: .anybody, files: files) }
    }
}
