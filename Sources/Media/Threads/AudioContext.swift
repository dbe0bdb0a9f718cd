import Platform

/// Values that the parts of the audio thread share.
struct AudioContext: Sendable {
    let reports: ThreadQueue<Report>
    let probe: ThreadProbe
    let counters: MediaCounters
    let volume: VolumeControl
    let tones: ToneTable
    /// Raised for each packet that is to be sent.
    let networkWake: WakeSignal
    /// Raised when a recording ends.
    let recorderWake: WakeSignal
    /// Raised when a played file ends.
    let playerWake: WakeSignal

    func tell(_ report: Report) {
        if !reports.send(report) { counters.messagesLost.count() }
    }
}
