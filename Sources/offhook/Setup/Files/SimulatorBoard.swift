/// The board file of the simulated panel, which setup offers even if no board files are installed.
package enum SimulatorBoard {
    package static let text = """
        # A telephone without hardware, with every part that Offhook supports. `liftHook`, `pressKey` and similar methods of the
        # control socket operate it. Contacts bounce as real ones do.

        name: Simulator
        panel:
          backend: simulated
          # Any name: Offhook looks for no chip.
          chip: simulator

          hook: { line: HOOK, debounce: 30 ms }

          keypad:
            rows: [ROW1, ROW2, ROW3, ROW4]
            columns: [COLUMN1, COLUMN2, COLUMN3, COLUMN4]
            keys:
              - ["1", "2", "3", "A"]
              - ["4", "5", "6", "B"]
              - ["7", "8", "9", "C"]
              - ["*", "0", "#", "D"]

          dial:
            pulse: { line: DIAL-PULSE }
            off_normal: { line: DIAL-OFF-NORMAL }

          buttons:
            hold: { line: HOLD }
            mute: { line: MUTE }
            speaker: { line: SPEAKER }
            headset: { line: HEADSET }
            redial: { line: REDIAL }
            volume-up: { line: LOUDER }
            volume-down: { line: SOFTER }
            flash: { line: FLASH }
            transfer: { line: TRANSFER }
            conference: { line: CONFERENCE }
            do-not-disturb: { line: DO-NOT-DISTURB }
            voicemail: { line: VOICEMAIL }
            line-1: { line: LINE1 }
            line-2: { line: LINE2 }
            speed-1: { line: SPEED1 }
            speed-2: { line: SPEED2 }

          inputs:
            tamper: { line: TAMPER }
            door-open: { line: DOOR }

          lamps:
            line: { line: LAMP-LINE }
            ringing: { line: LAMP-RINGING }
            message: { line: LAMP-MESSAGE }
            mute: { line: LAMP-MUTE }
            hold: { line: LAMP-HOLD }
            speaker: { line: LAMP-SPEAKER }
            do-not-disturb: { line: LAMP-DO-NOT-DISTURB }
            line-1: { line: LAMP-LINE1 }
            line-2: { line: LAMP-LINE2 }

          ringer: { line: RINGER }

          relays:
            - { line: RELAY1 }
            - { line: RELAY2 }

        """
}
