import Base
import PhoneCore
import RTPCore
import SoundCore
import Telephony

/// Sends a call's digits one after the other, as telephone events (RFC 4733). It sends them in-band if the far end
/// accepts no events or the digit requests it. For the audio thread: allocates nothing.
struct DigitSender: Sendable {
    /// The contents of the frame that is due.
    enum Action {
        case sound
        /// The frame's own samples were overwritten with the digit's tone.
        case tone
        case event(TelephoneEventPayload, timestamp: UInt32, marker: Bool)
    }

    private static let gapSamples = Int(DTMFTiming.gap.milliseconds) * SoundFormat.samplesPerMillisecond
    private static let pauseSamples = Int(DTMFTiming.pause.milliseconds) * SoundFormat.samplesPerMillisecond

    private var events: TelephoneEventSender?
    private var clockRate = 0
    private var tone = ToneGenerator()
    /// Samples of silence left after a tone or in a pause.
    private var rest = 0
    /// The digit that is being sent.
    private var current: Digit?

    /// Sets how to send digits from now on. If that changes, the current digit is cut short.
    mutating func use(_ agreed: PreparedMedia.Events?) {
        let rate = agreed?.clockRate ?? 0
        guard rate != clockRate else { return }
        clockRate = rate
        events = agreed.map { TelephoneEventSender(clockRate: $0.clockRate) }
        tone = ToneGenerator()
        rest = 0
    }

    /// Decides about one frame.
    /// - Returns: The action, and whether a sequence has ended: its last element and the gap after it have been sent.
    mutating func next(
        _ frame: inout MutableSpan<Int16>, timestamp: UInt32, from digits: borrowing SPSCRing<Digit>,
        tones: borrowing ToneTable
    ) -> (action: Action, hasEnded: Bool) {
        var hasEnded = false
        if isIdle {
            hasEnded = current?.isLast ?? false
            current = digits.pop()
            if let current { begin(current, tones: tones) }
        }
        guard let current else { return (.sound, hasEnded) }
        if sings(current) { return (sing(into: &frame), hasEnded) }
        return (tick(frame.count, timestamp: timestamp), hasEnded)
    }

    private var isIdle: Bool { events?.isIdle ?? true && !tone.isActive && rest == 0 }

    private func sings(_ digit: Digit) -> Bool { digit.isInBand || events == nil }

    private mutating func begin(_ digit: Digit, tones: borrowing ToneTable) {
        switch digit.element {
        case .pause:
            if sings(digit) { rest = Self.pauseSamples } else { _ = events?.enqueue(.pause) }
        case .symbol(let code):
            if sings(digit) {
                tone.start(tones.digit(code))
                rest = Self.gapSamples
            } else if let event = TelephoneEvent(rawValue: code) {
                _ = events?.enqueue(.event(event, DTMFTiming.event))
            }
        }
    }

    private mutating func sing(into frame: inout MutableSpan<Int16>) -> Action {
        if tone.isActive {
            tone.render(into: &frame)
            return .tone
        }
        rest = max(0, rest - frame.count)
        return .sound
    }

    private mutating func tick(_ samples: Int, timestamp: UInt32) -> Action {
        let ticks = max(1, samples * clockRate / SoundFormat.sampleRate)
        switch events?.tick(timestamp: timestamp, frameTicks: ticks) {
        case .event(let payload, let timestamp, let marker):
            return .event(payload, timestamp: timestamp, marker: marker)
        case .sound, nil:
            return .sound
        }
    }
}

/// One element of a digit sequence on its way to the audio thread.
struct Digit: BitwiseCopyable, Sendable {
    enum Element: BitwiseCopyable, Sendable {
        /// The event code of RFC 4733 §3.2.
        case symbol(UInt8)
        case pause
    }

    let element: Element
    /// The digit is sent in-band, even if the far end accepts events.
    let isInBand: Bool
    let isLast: Bool

    /// Fills the free slots of a ring.
    static let none = Digit(.pause, isInBand: false, isLast: false)

    init(_ element: DTMFElement, isInBand: Bool, isLast: Bool) {
        switch element {
        case .symbol(let symbol): self.element = .symbol(symbol.rawValue)
        case .pause: self.element = .pause
        }
        (self.isInBand, self.isLast) = (isInBand, isLast)
    }
}
