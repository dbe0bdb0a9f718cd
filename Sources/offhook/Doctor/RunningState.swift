import Control
import JSON

/// The running phone of this configuration, if any.
struct RunningState {
    private(set) var snapshot: JSONValue?
    private let socket: String
    /// Why a running phone does not answer.
    private var fault: String?

    init(_ settings: Settings) {
        socket = settings.socket
        do throws(ControlClientError) {
            snapshot = try ControlClient(path: socket).snapshot()
        } catch .unreachable {
            // No phone runs, which is no error.
            fault = nil
        } catch {
            fault = "\(error)"
        }
    }

    var isRunning: Bool { snapshot != nil || fault != nil }

    var finding: DoctorFinding {
        if let fault { return .fail("phone", fault, "systemctl restart offhook") }
        guard snapshot != nil else { return .ok("phone", "not running") }
        return .ok("phone", "running, and answers at \(socket)")
    }

    /// Faults that the running phone reports, although it can have calls.
    var faults: [DoctorFinding] {
        (snapshot?["faults"]?.array ?? []).map {
            .warn("phone", $0.string ?? "", "remove the cause; the phone retries every few seconds")
        }
    }

    /// The state of an account's line, and its message. Nil: no phone runs, or it does not have the line.
    func registration(of label: String) -> (state: String, message: String?)? {
        guard let line = snapshot?["registrations"]?.array?.first(where: { $0["label"]?.string == label }),
            let state = line["state"]?.string
        else { return nil }
        return (state, line["message"]?.string)
    }

    func hasLost(_ route: String) -> Bool {
        snapshot?["lostDevices"]?.array?.contains { $0.string == route } ?? false
    }
}
