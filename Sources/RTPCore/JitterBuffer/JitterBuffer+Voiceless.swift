extension JitterBuffer {
    /// A packet of the stream that holds no voice: a telephone event (RFC 4733), comfort noise (RFC 3389). It takes a
    /// number from the voice's, which would else be missing. What time it takes is the sender's silence.
    ///
    /// Hand over every one, its repetitions too, in order of arrival among the packets with voice. One of another
    /// source or far away changes nothing; where a packet with voice has the same number, the voice is heard.
    /// Cost: O(1), no allocation.
    public mutating func insertVoiceless(_ header: RTPHeader) {
        guard var stream, header.source == stream.source else { return }
        let sequence = ExtendedSequence.nearest(to: stream.highestSequence, wire: header.sequence)
        let ahead = sequence - stream.nextSequence
        // Of what is further behind nobody knows any more whether it was counted.
        guard ahead >= -64, ahead < Self.longestDropout, !slots.contains(sequence), voiceless.insert(sequence) else {
            return
        }
        guard stream.hasPlayed else { return }
        if ahead < 0 {
            excuse(behind: -ahead, in: stream)
        } else if slots.count == 0, ahead > Self.overtaken, voiceless.contains(sequence - 1) {
            // A key that is held for long: the voice stays behind with those numbers that packets may have overtaken.
            // Two in a row must say so, as wherever a packet leads far away.
            pass(&stream, to: sequence - Self.overtaken)
            self.stream = stream
        }
    }

    /// Packets with voice that are missing before `sequence`, as far as is known.
    func missing(_ stream: Stream, before sequence: Int64) -> Int64 {
        guard sequence > stream.nextSequence else { return 0 }
        return voiceless.unmarked(in: stream.nextSequence..<sequence)
    }

    /// Leaves numbers behind: those of voice are lost.
    mutating func pass(_ stream: inout Stream, to sequence: Int64) {
        let missing = missing(stream, before: sequence)
        if missing < sequence - stream.nextSequence { stream.hasPaused = true }
        countLost(missing)
        advance(&stream, to: sequence, played: false)
        stream.highestSequence = max(stream.highestSequence, stream.nextSequence - 1)
    }

    /// Leaves the next numbers behind, as far as they are none of the voice's.
    mutating func passVoiceless(_ stream: inout Stream, before sequence: Int64) {
        while stream.nextSequence < sequence, voiceless.contains(stream.nextSequence) {
            stream.hasPaused = true
            advance(&stream, to: stream.nextSequence + 1, played: false)
        }
    }

    /// It was overtaken by voice, and counted as lost when that was played.
    private mutating func excuse(behind: Int64, in stream: Stream) {
        guard stream.played >> UInt64(behind - 1) & 1 == 0 else { return }
        if counters.lost > 0 { counters.lost -= 1 }
        pattern.excuse()
        pace.excuseLoss()
    }
}
