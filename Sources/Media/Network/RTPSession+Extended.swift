import Base
import PhoneCore
import RTPCore
import SoundCore
import Synchronization

extension RTPSession {
    /// The extended report that the far end asked for, with an answer to its reference time if it sent one (RFC 3611
    /// §4.5).
    mutating func extendedReport(_ call: CallMedia, at now: Instant) -> ExtendedReport {
        var report = ExtendedReport()
        report.delay = exchange.answer(at: now)
        guard let requested = negotiated.reports else { return report }
        if requested.roundTrip { report.referenceTime = NTPTime(now) }
        if requested.loss || requested.duplicates || requested.jitter {
            report.summary = reception.summary()
            if !requested.loss { report.summary?.lost = nil }
            if !requested.duplicates { report.summary?.duplicates = nil }
            if !requested.jitter { report.summary?.jitter = nil }
        }
        if requested.voice, let heard = statistics?.source {
            report.voice = VoIPMetrics(
                source: heard, call.gauges.pattern.load(), packet: Self.time(of: packetSamples),
                codec: heardCodec.robustness, delay: delay(call), longestBuffer: longestBuffer)
        }
        return report
    }

    /// The mouth-to-ear delay at this moment.
    func delay(_ call: CallMedia) -> MouthToEarDelay {
        let gauges = call.gauges
        return MouthToEarDelay(
            roundTrip: meter.roundTrip,
            capture: capturePeriod + Self.time(of: negotiated.packetSamples),
            buffer: .microseconds(max(0, gauges.bufferMicroseconds.load(ordering: .relaxed))),
            playback: .microseconds(gauges.playbackMicroseconds.load(ordering: .relaxed)))
    }

    private static func time(of samples: Int) -> Duration {
        .microseconds(samples * 1_000 / SoundFormat.samplesPerMillisecond)
    }
}
