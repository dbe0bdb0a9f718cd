import Media
import PhoneCore

/// Checks whether the configured sound devices can be opened.
struct SoundCheck {
    let settings: Settings
    let phone: RunningState

    func findings() -> [DoctorFinding] {
        let media = settings.media
        var findings = Route.allCases.filter { media.devices[$0] != nil }.map { finding($0, media) }
        if media.ringer != nil, !phone.isRunning {
            findings.append(Self.finding("ringer") { () throws(MediaError) in try SoundTrial.ringer(media) })
        }
        return findings
    }

    private func finding(_ route: Route, _ media: MediaSettings) -> DoctorFinding {
        let name = route.rawValue
        // A device has one user, and the phone reports lost devices itself.
        guard !phone.isRunning else {
            return phone.hasLost(name)
                ? .fail(name, "the running phone has lost its device", Self.advice)
                : .ok(name, "the running phone has its device")
        }
        return Self.finding(name) { () throws(MediaError) in try SoundTrial(media, route: route).sizes }
    }

    private static let advice = "compare it with `offhook audio list`, or run `offhook setup`"

    private static func finding(_ check: String, _ open: () throws(MediaError) -> String) -> DoctorFinding {
        do throws(MediaError) {
            return .ok(check, try open())
        } catch {
            return .fail(check, "\(error)", advice)
        }
    }
}
