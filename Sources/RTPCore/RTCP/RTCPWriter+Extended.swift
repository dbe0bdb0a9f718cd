extension RTCPWriter {
    /// Appends an extended report. A report without blocks is not written.
    public mutating func appendExtendedReport(
        source: UInt32, _ report: ExtendedReport, to compound: inout MutableSpan<UInt8>
    ) {
        guard report.size > 0 else { return }
        appendHeader(type: RTCPPacket.Kind.extendedReport, items: 0, bodySize: 4 + report.size, to: &compound)
        append(source, to: &compound)
        if let time = report.referenceTime {
            appendBlockHeader(ExtendedBlock.Kind.referenceTime, size: ExtendedBlock.referenceTimeSize, to: &compound)
            append(time.rawValue, to: &compound)
        }
        if let delay = report.delay {
            appendBlockHeader(
                ExtendedBlock.Kind.delays, size: ExtendedBlock.headerSize + DLRRReport.size, to: &compound)
            delay.write(into: &compound, at: count)
            count += DLRRReport.size
        }
        if let summary = report.summary {
            summary.write(into: &compound, at: count)
            count += StatisticsSummary.size
        }
        if let voice = report.voice {
            voice.write(into: &compound, at: count)
            count += VoIPMetrics.size
        }
    }

    private mutating func appendBlockHeader(_ type: UInt8, size: Int, to compound: inout MutableSpan<UInt8>) {
        append(type, to: &compound)
        append(UInt8(0), to: &compound)
        append(UInt16(size / 4 - 1), to: &compound)
    }
}
