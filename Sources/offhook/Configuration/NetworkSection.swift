import PhoneCore
import YAML

/// How long calls survive without the network.
struct NetworkSection: YAMLReadable {
    /// How long a call waits without any network before it ends.
    var timeout = PhonePolicy().networkTime
    /// How long a call may take to continue on another path, from the moment at which its own path broke.
    var reconnectTimeout = PhonePolicy().reconnectTime

    init() {}

    init(from section: inout YAMLSection) throws(YAMLError) {
        let times = YAMLShape.duration(in: .seconds(5) ... .seconds(600))
        timeout = try section.optional("timeout", times) ?? timeout
        reconnectTimeout = try section.optional("reconnect_timeout", times) ?? reconnectTimeout
    }
}
