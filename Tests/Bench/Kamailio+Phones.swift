extension Kamailio {
    /// A registered phone.
    /// - Parameters:
    /// - transport: `udp`, `tcp`, `tls`, `ws` or `wss`.
    /// - server: Nil: this one, under its name for that transport.
    /// - ice: The ICE policy of its calls.
    /// - prefix: Words before the phone's command.
    /// - change: Changes of its settings.
    public static func phone(
        _ name: String, _ user: String, _ transport: String, port: UInt16, in place: PhonePlace,
        password: String? = nil, server: String? = nil, ice: String = "answered", prefix: [String] = [],
        change: (inout PhoneFolder.Settings) -> Void = { _ in }
    ) throws -> RigPhone {
        var settings = PhoneFolder.Settings(port: port, firstMediaPort: port + 10)
        change(&settings)
        let folder = try place.phoneFolder(name, settings)
        let address = ["tls", "wss"].contains(transport) ? Kamailio.secureAddress : Kamailio.address
        let path = ["ws", "wss"].contains(transport) ? Kamailio.webSocketPath : ""
        let secret = folder.path + "/password"
        try TextFile.write(password ?? Kamailio.password(of: user), to: secret)
        try folder.addAccount(
            program: place.program, label: "desk", user: user,
            server: server ?? address + path,
            more: ["--register", "--transport", transport, "--password-file", secret, "--ice", ice])
        return try RigPhone(name: name, folder: folder, program: place.program, prefix: prefix)
    }
}
