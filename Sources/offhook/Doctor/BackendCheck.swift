import Base
import BackendCore
import HTTPClient
import Platform
import Synchronization

/// Checks whether the phone can reach its backend: the library, the files, and the identity provider's description.
struct BackendCheck {
    let settings: Settings
    let isOffline: Bool

    func findings() -> [DoctorFinding] {
        guard let backend = settings.backend else { return [] }
        if let why = HTTPClient.libraryFault() {
            return [.fail("backend", why, "apt install libcurl4, and restart the phone")]
        }
        guard !isOffline else { return [.ok("backend", "its library can be used")] }
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
