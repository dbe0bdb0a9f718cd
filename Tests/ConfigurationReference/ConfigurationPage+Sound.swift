extension ConfigurationPage {
    /// The section `media`.
    static let media = ConfigurationPage(
        name: "media",
        title: "`media`: how voice is coded, protected and sent",
        summary: "Codecs, packet length, SRTP suites, ports, and when a silent call ends.",
        task: """
            Send 10 ms packets in Opus or G.722 only, from a small range of ports:
            """,
        example: """
            media:
              codecs: [opus, g722]
              packet: 10 ms
              first_port: 40000
              last_port: 40099
            """,
        commands: "",
        introduction: "",
        tables: [
            .init(
                "",
                [
                    .init(
                        "media.first_port", "`16384`",
                        "First UDP port for voice, 1024 to 65000. RTP takes even ports, RTCP the odd port above."),
                    .init("media.last_port", "`17383`", "Last UDP port for voice, more than 8 above the first."),
                    .init(
                        "media.codecs", "`[opus, g722, pcma, pcmu]`",
                        "The codecs, best first. An answer keeps the order of the far end's offer."),
                    .init(
                        "media.suites", "`[AES_CM_128_HMAC_SHA1_80]`",
                        "The SRTP suites that the phone offers with SDES, best first. See below."),
                    .init("media.packet", "`20 ms`", "Length of voice packets: `10 ms`, `20 ms`, `40 ms` or `60 ms`."),
                    .init(
                        "media.complexity", "`9`, below four processors `5`",
                        "Opus effort, from 0 (cheapest) to 10 (best sound)."),
                    .init(
                        "media.certificate", "`phone`",
                        """
                        Certificate for DTLS-SRTP. `phone`: always the same one, which far ends recognise. `call`: a \
                        new one for each call.
                        """),
                    .init(
                        "media.silence_timeout", "`30 s`",
                        "Ends a call after this long without RTP or RTCP: `6 s` to `1 h`. Exceptions below."),
                ])
        ],
        details: """
            ## Suites

            Six suites can be listed: `AES_CM_128_HMAC_SHA1_80`, `AES_256_CM_HMAC_SHA1_80`, `AEAD_AES_128_GCM`,
            `AEAD_AES_256_GCM`, and with short tags `AES_CM_128_HMAC_SHA1_32` and `AES_256_CM_HMAC_SHA1_32`. The
            phone takes the first suite of an offer that is one of these six. It takes a suite with short tags
            only if `media.suites` lists it. More than two suites make an INVITE too long for UDP.

            ## Complexity

            From complexity 5 on, libopus 1.5 (Debian 13) conceals lost packets with a neural model. A very slow
            machine has no time for that model; set a lower value there.

            ## Silence

            `silence_timeout` does not count while the call is on hold. It also does not count while the far end
            has said that it only listens, unless the phone answered that call automatically.
            """)

    /// The section `sound`.
    static let sound = ConfigurationPage(
        name: "sound",
        title: "`sound`: devices, tones, ringer",
        summary: "The sound card of each route, tones of the country, ringer, hold music, and the microphone test.",
        task: """
            Use a USB handset and a loudspeaker, with German tones:
            """,
        example: """
            sound:
              country: DE
              handset: {capture: "plughw:CARD=Headset", playback: "plughw:CARD=Headset"}
              speaker:
                capture: "plughw:USB=1-1.2"
                playback: "plughw:USB=1-1.2"
                mixer: {Speaker: 80, Mic: 60}
            """,
        commands: "",
        introduction: "",
        tables: [
            .init(
                "Tones and routes",
                [
                    .init("sound.country", "`US`", "The country whose tones and bell cadence are used."),
                    .init(
                        "sound.period", "`10 ms`",
                        "The interval at which the phone reads and writes the sound device: `5 ms` or `10 ms`."),
                    .init(
                        "sound.ROUTE", "`handset` or `speaker` is required",
                        "`handset`, `speaker`, `headset` or `bluetooth`: a mapping with the keys below."),
                    .init("sound.ROUTE.capture", "required there", "ALSA device of the microphone."),
                    .init("sound.ROUTE.playback", "required there", "ALSA device of the loudspeaker."),
                    .init(
                        "sound.ROUTE.mixer", "none",
                        """
                        Levels of the card's controls in percent, by the names that `alsamixer` shows. The controls \
                        are also switched on.
                        """),
                    .init(
                        "sound.ROUTE.echo", "`true` for the speaker, else `false`",
                        "Echo cancellation: removes the loudspeaker's sound from the microphone."),
                    .init(
                        "sound.ROUTE.noise", "`true` for the speaker, else `false`",
                        "Noise suppression: removes steady noise."),
                    .init(
                        "sound.ROUTE.gain", "`true` for the speaker, else `false`",
                        "Automatic gain control: brings speech to one loudness."),
                    .init(
                        "sound.ROUTE.tail", "`128 ms`",
                        """
                        The length of the room's echo, `32 ms` to `256 ms`. A longer tail costs more and adapts more \
                        slowly.
                        """),
                ]),
            .init(
                "Ringer and music",
                [
                    .init("sound.ringer", "none", "An ALSA device that rings in addition to the panel's bell."),
                    .init(
                        "sound.ring", "`generated`",
                        """
                        `generated`: two tones in the country's cadence. Or the path of a WAV file of up to 30 s, \
                        which repeats with its own pauses.
                        """),
                    .init(
                        "sound.rings", "none",
                        """
                        By a ring's name in `calls.rings`: the path of its WAV file, at most 8. Rings without a file \
                        are generated in their cadence.
                        """),
                    .init(
                        "sound.hold_music", "none",
                        """
                        The path of a WAV file of up to 3 minutes for far ends on hold. Without it they hear \
                        nothing.
                        """),
                ]),
            .init(
                "Test of microphone and loudspeaker",
                [
                    .init(
                        "sound.self_test.every", "required there",
                        """
                        How often the phone tests on its own, `1 min` to `30 d`. Without `sound.self_test` it tests \
                        on request only.
                        """),
                    .init(
                        "sound.self_test.from", "any time",
                        "The start of the part of the day for tests, such as `02:00`. Give both or neither."),
                    .init("sound.self_test.to", "any time", "The end of that part of the day, such as `05:00`."),
                    .init(
                        "sound.self_test.route", "`speaker`",
                        "The route to test: `speaker`, `headset` or `bluetooth`. It needs a device."),
                ]),
        ],
        details: """
            ## Countries

            ```
            US GB DE FR IT ES NL CH AT BE DK SE NO FI PL JP CN IN AU NZ BR ZA
            ```

            ## Device names

            `offhook audio list` prints the names of all cards. The best name is the card's id,
            `plughw:CARD=Headset`, or its USB port, `plughw:USB=1-1.2`. Only USB cards have a port; use the id
            for a card on I2S or PCI.

            A headset or Bluetooth device takes each call that begins without the handset and without the
            speaker key. If it appears during a call, it takes that call. Of two such devices the newer one
            takes the call.

            If at least one of echo cancellation, noise suppression and gain control is on, far ends hear this
            phone 30 ms later. With all three off, sound passes unchanged.

            ## Ringer

            The ringer's device is open as long as Offhook runs, so that ringing starts at once. One case is
            different: the device is also the `playback` of a route. Then it is not kept open, and the ring is
            mixed into the sound of that route only.

            ## Hold music

            The far end of a call on hold hears `sound.hold_music` until the call is resumed. The phone reads
            the file once at the start and mixes it down to one channel; it takes up to 17 MB of memory. If the
            file cannot be played, the phone logs the reason and the far end hears silence. All calls on hold
            hear the same part of the music at the same time. The microphone stays closed, and nothing else is
            mixed in.

            The phone offers `a=sendonly` with every hold (RFC 3264 §8.4), with music or without. A far end that
            answers `recvonly` hears the music. A far end that answers `inactive`, or that holds this phone too,
            gets nothing. Asterisk and FreeSWITCH play their own music when they see `sendonly`, and drop the
            phone's. With such a server leave `sound.hold_music` out; that saves the network traffic.

            ## Microphone test

            A kiosk with a cut loudspeaker or a covered microphone looks normal. The test plays two short, quiet
            notes and listens for both: 700 and 1,900 Hz, 0.25 s each, at -20 dBm0. It takes some two seconds,
            of which 0.6 s are audible. `offhook ctl test-sound` starts it by hand.

            | result | meaning |
            |---|---|
            | `ok` | Each note was at least 12 dB above the noise. |
            | `silent` | The notes did not stand out: microphone or loudspeaker is dead, covered or unplugged. |
            | `tooLoud` | The notes did not stand out, but a note's frequency was louder than -55 dBFS: no verdict. The phone repeats the test after ten minutes. |
            | `missing` | A device could not be opened, or stopped taking or giving sound. The log says which and why. |

            The result stays until the next test. Find it in the event `soundTested`, in `soundTest` of
            `getSnapshot`, in the log and in the metric `offhook_sound_test_result`. If something is wrong, the
            display says what, and the lamp `line` blinks slowly.

            Automatic tests begin ten minutes after the start. They wait until the phone has been at rest for a
            minute: no call, no page, handset replaced, nothing dialled, no other use of sound. Any activity
            ends a test at once and closes its devices; a call rings and is answered as usual. A handset in its
            cradle cannot hear itself, so it cannot be tested.
            """)
}
