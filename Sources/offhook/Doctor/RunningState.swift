import Control
import JSON

/// The phone that runs with this configuration, if one does.
struct RunningState {
    private(set) var snapshot: JSONValue?
    private let socket: String
    /// A phone that runs but does not answer.
    private var fault: String?

    init(_ settings: Settings) {
        socket = settings.socket
        do throws(ControlClientError) {
            snapshot = try ControlClient(path: socket).snapshot()
        } catch .unreachable {
            // No phone runs, which is no fault.
            fault = nil
        } catch {
            fault = "\(error)"
        }
    }

    var isRunning: Bool { snapshot != nil || fault != nil }

    var finding: DoctorFinding {
        if let fault { return .fail("phone", fault, "systemctl restart offhook") }
        guard snapshot != nil else { return .ok("phone", "does not run") }
        return .ok("phone", "runs, and answers at \(socket)")
    }

    /// What the running phone lacks, although it can have calls.
    var faults: [DoctorFinding] {
        (snapshot?["faults"]?.array ?? []).map {
            .warn("phone", $0.string ?? "", "mend it; the phone tries again every few seconds")
        }
    }

    /// The state of an account's line, and its message; nil: no phone runs, or it has no such line.
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
