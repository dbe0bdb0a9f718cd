import CallerInfo

/// Checks whether the phone can receive caller info: the library and the files that it needs.
struct BrokerCheck {
    let settings: Settings

    func findings() -> [DoctorFinding] {
        guard let broker = settings.broker else { return [] }
        do throws(CallerInfoFault) {
            try broker.examine()
        } catch {
            switch error {
            case .library(let why):
                return [.fail("caller info", why, "apt install \(CallerInfoFault.package)")]
            case .file(let why):
                return [.fail("caller info", why, "correct caller_info in the configuration, or the file")]
            }
        }
        return [.ok("caller info", "its library and files can be used")]
    }
}
