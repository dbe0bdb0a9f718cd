extension ConfigurationPage {
    static let callerInfo = ConfigurationPage(
        name: "caller-info",
        title: "Caller info",
        summary: "The broker from which a backend's names and pictures of callers come.",
        task: "Show the caller's name and organisation from a backend that publishes them by MQTT:",
        example: """
            caller_info:
              server: mqtt.example.com
              device: desk-1
              user: desk-1
              password_file: mqtt-password
            """,
        commands: """
            offhook doctor
            """,
        introduction: """
            The phone needs Debian's `libmosquitto1` for it. It uses TLS, and MQTT 5 or 3.1.1. A call rings
            without caller info, too: the phone never waits for the broker.
            """,
        tables: [
            .init(
                "",
                [
                    .init("caller_info.server", "required", "The broker's name or address, as in its certificate."),
                    .init("caller_info.port", "`8883`", "The broker's port for MQTT over TLS."),
                    .init(
                        "caller_info.device", "required",
                        "The phone's name at the broker. No other phone may have it."),
                    .init(
                        "caller_info.topic", "`offhook/{device}/caller-info`",
                        """
                        Where the backend publishes messages for this phone. `{device}` is replaced; wildcards are \
                        not allowed.
                        """),
                    .init(
                        "caller_info.presence", "`offhook/{device}/presence`",
                        "The retained topic on which the phone publishes `online` and `offline`; `none`: no topic."),
                    .init("caller_info.user", "none", "The phone's user at the broker."),
                    .init(
                        "caller_info.password_file", "none",
                        "A file with the user's password in its first line. Mode 600, or 640 with the phone's group."),
                    .init(
                        "caller_info.authorities", "`sip.tls.authorities`",
                        "A PEM file with the authorities that may sign the broker's certificate."),
                    .init(
                        "caller_info.pin", "none",
                        "SHA-256 of the only certificate that the broker may show, whatever authority signed it."),
                    .init(
                        "caller_info.certificate", "none",
                        "A PEM file: the phone's own certificate, for brokers that ask."),
                    .init(
                        "caller_info.key", "none",
                        "A PEM file: its key. Mode 600, or 640 with the phone's group."),
                ])
        ],
        details: """
            ## Messages

            A message is a JSON object of at most 64 KiB:

            ```
            {"type": "incoming_call", "call_id": "c1", "caller_number": "+4930123456", "caller_name": "Ada Example",
             "organization_id": 7, "organization_name": "Example", "timestamp": 1764313000}
            ```

            | key | meaning |
            |---|---|
            | `type` | `incoming_call`; or `call_ended`, when the call was answered or ended elsewhere |
            | `call_id`, `call_session_id`, `call_control_id` | the call's identifiers; at least one, if `caller_number` is missing |
            | `caller_number` | the caller's full number, such as `+4930123456`; `incoming_call` needs it |
            | `caller_name`, `caller_avatar` | the name to show, and the address of a picture |
            | `channel_number` | which of your numbers was called |
            | `organization_id`, `organization_name`, `organization_slug` | the organisation that was called; the id is text or a number |
            | `timestamp` | when the message was sent, in seconds since 1970, as text or a number; required |

            Other keys are ignored. A message with a wrong type, older than 30 s, or more than 60 s ahead of the
            phone's clock is dropped. After 40 messages at once, the phone takes 20 in a second. The metric
            `offhook_caller_info_messages_total` counts each reason.

            The phone acknowledges a message after it has announced, merged or refused the call, so the broker
            sends the message again after a crash. The broker keeps the phone's session for a week.

            ## Access at the broker

            Give each phone its own user, and only its own topics. For mosquitto:

            ```
            pattern read offhook/%u/caller-info
            pattern write offhook/%u/presence
            ```

            A program that may publish on the topic can make the phone ring and show any name.
            """)
}
