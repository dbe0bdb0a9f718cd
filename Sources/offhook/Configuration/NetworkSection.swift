import PhoneCore
import YAML

/// How long calls outlive the network.
struct NetworkSection: YAMLReadable {
    /// Without any network.
    var timeout = PhonePolicy().networkTime
    /// From the moment the path broke until the call stands on another one.
    var reconnectTimeout = PhonePolicy().reconnectTime

    init() {}

    init(from section: inout YAMLSection) throws(YAMLError) {
        let times = YAMLShape.duration(in: .seconds(5) ... .seconds(600))
        timeout = try section.optional("timeout", times) ?? timeout
        reconnectTimeout = try section.optional("reconnect_timeout", times) ?? reconnectTimeout
    }
}
