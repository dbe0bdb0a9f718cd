/// The questions of `offhook setup`. The raw values are the keys of an answers file.
package enum SetupKey: String, CaseIterable, Hashable, Sendable {
    /// Whether to choose sound devices now. `panel` and `account` have the same kind of question.
    case sound
    case country = "sound.country"
    case handset = "sound.handset"
    case speaker = "sound.speaker"
    case headset = "sound.headset"
    case ringer = "sound.ringer"
    case panel
    case board
    case vault = "vault.key"
    case account
    case label = "account.label"
    case kind = "account.kind"
    /// Password or token. In an answers file, the key of the secret decides.
    case login = "account.login"
    case user = "account.user"
    case authUser = "account.auth_user"
    case displayName = "account.display_name"
    case server = "account.server"
    case domain = "account.domain"
    case transport = "account.transport"
    case protection = "account.protection"
    case ice = "account.ice"
    case stun = "account.stun"
    case turn = "account.turn"
    case turnPassword = "account.turn_password_file"
    case authorities = "account.authorities"
    case pin = "account.pin"
    case password = "account.password_file"
    case token = "account.token_file"
    /// The remedy after a failed trial. No answers file has it.
    case remedy
    case testCall = "test_call"

    /// The questions about an account. They are asked again after its trial has failed.
    static let ofAccount: [SetupKey] = [
        .label, .kind, .login, .user, .authUser, .server, .transport, .protection, .ice, .stun, .turn, .turnPassword,
        .password, .token,
    ]
    static let secrets: Set<SetupKey> = [.password, .token, .turnPassword]
    static let devices: [SetupKey] = [.handset, .speaker, .headset, .ringer]
}
