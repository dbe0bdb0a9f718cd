import Base
import Media
import PhoneCore
import SoundCore

extension Settings {
    /// What the machine is told of the configuration.
    func policy(lines: LinePlan) throws -> PhonePolicy {
        var policy = PhonePolicy()
        policy.defaultAccount = lines.standard
        policy.maximumCalls = configuration.calls.maximum
        policy.ringingInTime = configuration.calls.ringTimeout
        policy.ringingOutTime = configuration.calls.ringTimeout
        policy.shortNumbers.formUnion(configuration.calls.shortNumbers)
        policy.ringCadence = PhoneCore.RingCadence(
            configuration.sound.country.plan.ring.milliseconds.map { .milliseconds($0) })
        if configuration.sound.devices[.handset] == nil { policy.defaultRoute = .speaker }
        return policy
    }

    /// What Media is told of it.
    var media: MediaSettings {
        var settings = MediaSettings(
            devices: configuration.sound.devices.mapValues {
                MediaSettings.Device(capture: $0.capture, playback: $0.playback)
            })
        settings.periodMilliseconds = Int(configuration.sound.period.milliseconds)
        settings.country = configuration.sound.country
        settings.ports = configuration.media.firstPort...configuration.media.lastPort
        settings.bindAddress = configuration.sip.address
        settings.opusComplexity = configuration.media.complexity
        return settings
    }
}
