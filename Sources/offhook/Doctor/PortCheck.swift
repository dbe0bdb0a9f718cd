import ICECore

/// Checks whether the first line can bind its configured port.
struct PortCheck {
    let settings: Settings
    let phone: RunningState

    func findings() -> [DoctorFinding] {
        let sip = settings.configuration.sip
        // A running phone uses the port, and with port 0 the kernel chooses one.
        guard !phone.isRunning, sip.port != 0 else { return [] }
        let faults = sip.addresses.filter { IPAddress($0)?.isVersion6 == false }.compactMap { host in
            UDPPort.fault(host, sip.port).map { "UDP port \(sip.port) at \(host): \($0)" }
        }
        guard !faults.isEmpty else { return [.ok("port", "UDP port \(sip.port) is free")] }
        return faults.map { .fail("port", $0, "end the program that uses it (`ss -ulpn`), or set sip.port") }
    }
}
