import BackendCore
import Base
import CallerInfo
import HTTPClient
import Platform
import Synchronization

/// Checks whether the phone can reach its backend: the library, the files, and the identity provider's description.
package struct BackendCheck {
    let settings: Settings
    let isOffline: Bool

    func findings() -> [DoctorFinding] {
        guard let backend = settings.backend else { return [] }
        let library = Self.libraryFinding(HTTPClient.libraryFault())
        guard library.state == .ok, !isOffline else { return [library] }
        switch ask(backend.discoveryAddress) {
        case .success(let response) where response.status == 200:
            return [.ok("backend", "\(backend.base.authority) answers")]
        case .success(let response):
            let why = "\(backend.discoveryAddress) answers \(response.status)"
            return [.fail("backend", why, "correct backend.url or backend.issuer")]
        case .failure(let failure):
            return [.warn("backend", failure.description, "correct backend.url, or ask whoever runs the backend")]
        }
    }

    /// - Parameter fault: Why libcurl cannot be used; nil: it can.
    package static func libraryFinding(_ fault: String?) -> DoctorFinding {
        guard let fault else { return .ok("backend", "libcurl can be used") }
        return .fail("backend", fault, "apt install \(CurlLibrary.package)")
    }

    /// Waits for the answer, at most ten seconds.
    private func ask(_ address: String) -> Result<HTTPResponse, HTTPFailure> {
        let client = HTTPClient(settings: settings.backendClient)
        defer { client.close() }
        let answer = Mutex<Result<HTTPResponse, HTTPFailure>?>(nil)
        let wake = WakeSignal.atStart()
        let end = MonotonicClock.now() + .seconds(10)
        client.send(HTTPRequest(.get, address, timeout: .seconds(8))) { result in
            answer.withLock { $0 = result }
            wake.raise()
        }
        while MonotonicClock.now() < end {
            if let result = answer.withLock({ $0 }) { return result }
            wake.wait(until: end)
        }
        return .failure(.timeout)
    }
}

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
