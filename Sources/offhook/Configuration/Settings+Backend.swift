import BackendCore
import CallerInfo
import HTTPClient
import Lines
import SecureTransport

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
