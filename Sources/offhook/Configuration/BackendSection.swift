import BackendCore
import CallerInfo
import HTTPClient
import Lines
import SecureTransport
import YAML

/// The backend that the phone signs in to. File paths stay as written.
struct BackendSection: YAMLReadable {
    let url: BackendURL
    /// Nil: the same as `url`.
    let issuer: BackendURL?
    let client: String
    let scopes: String
    /// The phone's name for people at the backend. Nil: it has none.
    let name: String?
    /// Whether the phone gets its broker of caller info from the backend.
    let usesCallerInfo: Bool
    /// Nil: the authorities of `sip.tls`.
    let authorities: String?
    let pin: Fingerprint?
    let proxy: HTTPClientSettings.Proxy?
    let paths: BackendPaths

    init(from section: inout YAMLSection) throws(YAMLError) {
        url = try section.required("url", .backendURL())
        issuer = try section.optional("issuer", .backendURL())
        client = try section.optional(
            "client", .text("the phone's client identifier", length: 1...128), usual: "offhook")
        scopes = try section.optional(
            "scopes", .text("scopes, with a space between two", length: 1...256),
            usual: "openid profile email offline_access")
        name = try section.optional("name", .text("a name", length: 1...64))
        usesCallerInfo = try section.optional("caller_info", .bool(), usual: true)
        authorities = try section.optional("authorities", .text("a path"))
        pin = try section.optional("pin", .fingerprint())
        proxy = try section.optional("proxy", .proxy())
        paths = try section.optional("paths", .section(BackendPathsSection.self))?.paths ?? BackendPaths()
        if !scopes.split(separator: " ").contains("openid") {
            throw section.error("scopes", "`openid` is missing, without which there is no ID token")
        }
    }

    var settings: BackendSettings {
        var settings = BackendSettings(base: url, issuer: issuer, clientID: client)
        (settings.scopes, settings.paths) = (scopes, paths)
        (settings.deviceName, settings.usesPush) = (name, usesCallerInfo)
        return settings
    }
}

/// The paths of a backend's API. Each has its usual value.
struct BackendPathsSection: YAMLReadable {
    var paths = BackendPaths()

    init(from section: inout YAMLSection) throws(YAMLError) {
        let usual = BackendPaths()
        paths.deviceTokens = try section.optional("device_tokens", .path(), usual: usual.deviceTokens)
        paths.token = try section.optional("token", .path(), usual: usual.token)
        paths.organisations = try section.optional("organizations", .path(), usual: usual.organisations)
        paths.switchOrganisation = try section.optional("switch", .path(), usual: usual.switchOrganisation)
        paths.credentials = try section.optional("credentials", .path(), usual: usual.credentials)
        paths.pushRegistrations = try section.optional("push_registrations", .path(), usual: usual.pushRegistrations)
    }
}

extension YAMLShape where Value == BackendURL {
    fileprivate static func backendURL() -> YAMLShape {
        .scalar(
            "an address such as https://phones.example.com; http:// for this machine only",
            example: "https://phones.example.com"
        ) { text in
            try? BackendURL(text)
        }
    }
}

extension YAMLShape where Value == String {
    fileprivate static func path() -> YAMLShape {
        .scalar("a path such as /api/token", example: "/api/token") { BackendPaths.isValid($0) ? $0 : nil }
    }
}

extension YAMLShape where Value == HTTPClientSettings.Proxy {
    /// `HOST:PORT`, where an IPv6 address has brackets.
    fileprivate static func proxy() -> YAMLShape {
        .scalar("an HTTP proxy such as proxy.example.com:3128", example: "proxy.example.com:3128") { text in
            guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]), port > 0
            else { return nil }
            var host = text[..<colon]
            if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
            let isHost = host.utf8.allSatisfy { (0x21...0x7E).contains($0) && !#"/@[]?#"#.utf8.contains($0) }
            return (1...253).contains(host.utf8.count) && isHost ? .init(host: String(host), port: port) : nil
        }
    }
}

extension Settings {
    /// The backend; nil: none. A trial phone has none, because a sign-in belongs to the phone and not to a trial.
    var backend: BackendSettings? {
        trialFolder == nil ? configuration.backend?.settings : nil
    }

    /// How the phone connects to its backend.
    var backendClient: HTTPClientSettings {
        let section = configuration.backend
        return HTTPClientSettings(
            proxy: section?.proxy,
            authorities: (section?.authorities ?? configuration.sip.tls.authorities).map(absolute),
            pin: section?.pin?.bytes)
    }

    /// The broker of caller info; nil: none. A trial phone has none, because the broker would disconnect the real one,
    /// which has the same name.
    var broker: BrokerSettings? {
        guard trialFolder == nil, let section = configuration.callerInfo else { return nil }
        var broker = BrokerSettings(
            host: section.server, port: section.port, device: section.device, topic: section.topic)
        broker.presence = section.presence
        broker.user = section.user
        broker.password = section.passwordFile.map { .file(absolute($0)) }
        broker.authorities = (section.authorities ?? configuration.sip.tls.authorities).map(absolute)
        broker.pin = section.pin?.bytes
        if let certificate = section.certificate, let key = section.key {
            broker.identity = .init(certificateFile: absolute(certificate), keyFile: absolute(key))
        }
        return broker
    }

    /// The broker of a registration that the backend gave. It is trusted as the backend is, but without the pin, which
    /// belongs to the backend's certificate.
    /// - Parameter device: The phone's name at the broker, if the registration has none.
    func broker(of push: BackendPush, device: String) -> BrokerSettings {
        var broker = BrokerSettings(
            host: push.host, port: push.port, device: push.clientID ?? device, topic: push.topic)
        broker.presence = push.presenceTopic
        broker.user = push.user
        broker.password = push.password.map { .text($0) }
        broker.authorities = backendClient.authorities
        return broker
    }
}
