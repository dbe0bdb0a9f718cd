import Base
import PhoneCore
import YAML

/// When the phone tests automatically whether its microphone hears its loudspeaker. Without this section it never does.
struct SelfTestSection: YAMLReadable {
    let policy: SoundTestPolicy

    init(from section: inout YAMLSection) throws(YAMLError) {
        let route = try section.optional("route", .choice(), usual: SoundTestPolicy.usualRoute)
        guard route != .handset else {
            throw section.error(
                "route", "a handset in its cradle cannot hear its own earpiece; use speaker, headset or bluetooth")
        }
        let every = try section.required("every", .duration(in: .seconds(60) ... .seconds(30 * 86_400)))
        let from = try section.optional("from", .minuteOfDay())
        let to = try section.optional("to", .minuteOfDay())
        guard (from == nil) == (to == nil) else {
            throw section.error(from == nil ? "to" : "from", "from and to must be given together")
        }
        var policy = SoundTestPolicy(route: route, every: every)
        if let from, let to { policy.hours = .init(from: from, to: to) }
        self.policy = policy
    }
}
