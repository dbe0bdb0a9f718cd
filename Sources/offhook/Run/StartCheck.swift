import Control
import Cryptography
import Lines
import Panel
import SecureTransport
import Vault

/// Loads what a start of the phone loads, beside a phone that runs. Blocks for the disk.
///
/// A phone that ended before it looked would not come back: whoever restarts it after a slip in a file would have none.
enum StartCheck {
    /// - Throws: The error with which the phone would not start, or would start with less than it was configured for.
    static func run(_ configuration: String) throws {
        let settings = try Settings(path: configuration)
        let board = try Board.load(path: settings.boardFile)
        let accounts = try settings.openVault(access: .readOnly).accounts()
        let plan = try LinePlan(accounts: accounts, settings: settings, identity: DTLSIdentity.make())
        _ = try settings.policy(accounts: plan.accounts, board: board.panel)
        let tls = settings.tls(pin: nil, isFirst: true)
        let trust = tls.authorities.map { TLSContext.Trust.authorities(file: $0) } ?? .system
        _ = try TLSContext(.client, trust: trust, files: tls.identity)
        if let files = settings.control.http?.identity { _ = try TLSContext(.server, trust: .anybody, files: files) }
    }
}
