import Monitoring
import Testing

/// The text format of Prometheus.
@Suite struct MetricPageTests {
    @Test func metricHasHelpKindAndSamples() {
        var page = MetricPage()
        page.add(.calls, 3, "incoming", "answered")
        page.add(.eventsLost, 0)
        page.add(.watchdogAge, 0.25)
        #expect(
            page.text == """
                # HELP offhook_events_lost_total \(Metric.eventsLost.reference.help)
                # TYPE offhook_events_lost_total counter
                offhook_events_lost_total 0
                # HELP offhook_calls_total \(Metric.calls.reference.help)
                # TYPE offhook_calls_total counter
                offhook_calls_total{direction="incoming",result="answered"} 3
                # HELP offhook_watchdog_age_seconds \(Metric.watchdogAge.reference.help)
                # TYPE offhook_watchdog_age_seconds gauge
                offhook_watchdog_age_seconds 0.25

                """)
    }

    @Test func histogramCountsUpToEachBound() {
        var histogram = Histogram([1, 2.5])
        for value in [0.5, 1, 2, 3, .nan, .infinity] { histogram.observe(value) }
        var page = MetricPage()
        page.add(.opinionScore, histogram)
        let samples = page.text.split(separator: "\n").filter { !$0.hasPrefix("#") }
        #expect(
            samples == [
                #"offhook_voice_mos_bucket{le="1"} 2"#, #"offhook_voice_mos_bucket{le="2.5"} 3"#,
                #"offhook_voice_mos_bucket{le="+Inf"} 4"#, "offhook_voice_mos_sum 6.5", "offhook_voice_mos_count 4",
            ])
    }

    /// A label is a person's text, and may try to break the page, or a terminal that shows it.
    @Test func maliciousLabelStaysOneLabel() {
        var page = MetricPage()
        page.add(.registrationFailures, 1, "a\"} 7\nevil_total{x=\"\\\u{1B}[2J\u{202E}")
        let samples = page.text.split(separator: "\n").filter { !$0.hasPrefix("#") }
        #expect(
            samples == [
                #"offhook_registration_failures_total{account="a\"} 7\nevil_total{x=\"\\?[2J?"} 1"#
            ])
    }

    /// Otherwise Prometheus rejects the whole page.
    @Test func noSeriesHasTwoValues() {
        var page = MetricPage()
        page.add(.lineUnsent, 1, "desk")
        page.add(.lineUnsent, 2, "desk")
        #expect(page.text.split(separator: "\n").filter { !$0.hasPrefix("#") }.count == 1)
    }

    @Test func metricNamesFollowPrometheusRules() {
        for metric in Metric.allCases {
            let (name, reference) = (metric.reference.name, metric.reference)
            #expect(name.hasPrefix("offhook_") || name.hasPrefix("process_"), "\(name)")
            #expect(name.hasSuffix("_total") == (reference.kind == .counter), "\(name)")
            #expect(!reference.help.isEmpty && reference.help.hasSuffix("."), "\(name)")
            #expect(!reference.help.contains("\n") && !reference.help.contains("\\"), "\(name)")
        }
    }
}
