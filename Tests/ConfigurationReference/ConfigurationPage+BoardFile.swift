extension ConfigurationPage {
    /// The board file.
    static let boardFile = ConfigurationPage(
        name: "board-file",
        title: "The board file: lines of hook, keys and lamps",
        summary: "The other file: which GPIO line each part of the telephone is on, displays and rotary dials.",
        task: """
            Describe a telephone with a hook, one key, a lamp and a door relay, and let the phone check the file
            with `offhook board check FILE`:
            """,
        example: """
            name: My telephone
            panel:
              backend: gpiod
              chip: [pinctrl-rp1, pinctrl-bcm2711, pinctrl-bcm2835]
              hook: {line: GPIO17, polarity: active-low, bias: pull-up, debounce: 20 ms}
              buttons:
                speed-1: {line: GPIO5, polarity: active-low, bias: pull-up}
              lamps:
                line: {line: GPIO23}
              relays:
                - {line: GPIO24}
            """,
        commands: "",
        introduction: """
            `board` in the configuration names the board file. Below, `LINE` stands for any part that has a
            line, such as `panel.hook`. Ready files are in `/usr/share/offhook/board`, with
            [drawings](../../boards.md); [hardware](../hardware.md) shows how to make your own and how to try
            it. The comments in those files explain their wiring.

            The phone logs lines that it cannot take, and lines of a chip that disappears. It takes such lines
            within five seconds after they become available. It then sets the outputs among them to their
            current state.
            """,
        tables: [
            .init(
                "The board",
                [
                    .init("name", "required", "The board's name for people, up to 64 characters."),
                    .init(
                        "panel.backend", "required",
                        """
                        `gpiod`: the kernel's GPIO lines. `simulated`: a panel without hardware, operated by \
                        `offhook ctl lift`, `replace`, `press` and `line`.
                        """),
                    .init(
                        "panel.chip", "required",
                        """
                        Label or path of the chip for all lines that name none. Of a list of 2 to 8, the first that \
                        exists counts.
                        """),
                ]),
            .init(
                "Parts",
                [
                    .init("panel.hook", "none", "The cradle's switch."),
                    .init("panel.keypad", "none", "A matrix of keys, below."),
                    .init("panel.dial", "none", "A rotary dial, below."),
                    .init("panel.encoder", "none", "A knob for the volume, below."),
                    .init("panel.buttons.NAME", "none", "A key with its own line. The names are below."),
                    .init(
                        "panel.inputs.NAME", "none",
                        "Up to 16 contacts that are no keys, with your own names: 1 to 32 of `a-z`, `0-9` and `-`."),
                    .init("panel.lamps.NAME", "none", "A lamp. The names are below."),
                    .init(
                        "panel.ringer", "none", "The line of the bell, active while it sounds; or an H-bridge, below."),
                    .init(
                        "panel.relays", "none",
                        "A list of up to 8 lines; the first is relay 1. All are off when Offhook ends."),
                    .init("panel.display", "none", "A display on an I2C bus, below."),
                ]),
            .init(
                "A line",
                [
                    .init(
                        "LINE.line", "required",
                        """
                        The line's name in the kernel, `GPIO17`, or its number on the chip, `17`. `offhook board \
                        list` shows both.
                        """),
                    .init("LINE.chip", "the panel's", "The chip, where the line is on another one."),
                    .init(
                        "LINE.polarity", "`active-high`, for a matrix `active-low`",
                        "The level that means lifted, pressed, lit or on. `active-low` for a contact to ground."),
                    .init(
                        "LINE.bias", "`as-is`, for the columns of a matrix `pull-up`",
                        "The chip's resistor: `pull-up`, `pull-down`, `none` or `as-is`. See below."),
                    .init(
                        "LINE.drive", "`push-pull`",
                        "Only lamps, bell and relays: `push-pull`, `open-drain` or `open-source`. See below."),
                    .init(
                        "panel.hook.debounce", "`30 ms`",
                        "How long the contact must be stable before the phone accepts its level, up to `1 s`."),
                    .init("panel.buttons.NAME.debounce", "`10 ms`", "The same for a key."),
                    .init("panel.inputs.NAME.debounce", "`30 ms`", "The same for an input."),
                    .init(
                        "panel.lamps.NAME.brightness", "`100`",
                        """
                        Percent, 1 to 100. Below 100 the phone switches the lamp a hundred times a second while it \
                        is on.
                        """),
                ]),
            .init(
                "A matrix of keys",
                [
                    .init(
                        "panel.keypad.rows", "required there",
                        "1 to 8 lines that the phone drives, by name or number."),
                    .init("panel.keypad.columns", "required there", "1 to 8 lines that the phone reads."),
                    .init(
                        "panel.keypad.keys", "required there",
                        "For each row a list of keys, one for each column; `-` marks a gap."),
                    .init("panel.keypad.chip", "the panel's", "The chip of all rows and columns."),
                    .init("panel.keypad.polarity", "`active-low`", "The polarity of all rows and columns."),
                    .init("panel.keypad.bias", "`pull-up`", "The bias of all columns."),
                    .init("panel.keypad.scan", "`5 ms`", "Time between scans while a key is down, `1 ms` to `50 ms`."),
                    .init("panel.keypad.press", "`10 ms`", "How long a key must be down to count, up to `1 s`."),
                    .init("panel.keypad.release", "`20 ms`", "How long a key must be up to count, up to `1 s`."),
                    .init(
                        "panel.keypad.settle", "`50 us`",
                        "Time from driving a row to reading the columns, up to `1 ms`."),
                ]),
            .init(
                "A rotary dial",
                [
                    .init("panel.dial.pulse", "required there", "The pulse contact, active while it is broken."),
                    .init(
                        "panel.dial.off_normal", "none",
                        """
                        The contact that is active while the dial is away from rest. Without it, `silence` ends a \
                        digit.
                        """),
                    .init(
                        "panel.dial.debounce", "`8 ms`",
                        "How long a contact must be stable before the phone accepts its level, `1 ms` to `20 ms`."),
                    .init("panel.dial.silence", "`200 ms`", "The pause that ends a digit, `100 ms` to `1 s`."),
                    .init(
                        "panel.dial.period", "`150 ms`",
                        """
                        Longest time between two pulses, `50 ms` to `400 ms`, at most `silence`. After a longer time \
                        the turn gives no digit.
                        """),
                    .init(
                        "panel.dial.map", "`standard`",
                        """
                        `standard` (10 pulses are 0), `sweden`, `new-zealand`, or ten digits in quotes, beginning with \
                        the digit for one pulse.
                        """),
                ]),
            .init(
                "A volume knob",
                [
                    .init("panel.encoder.a", "required there", "The contact that moves first clockwise."),
                    .init("panel.encoder.b", "required there", "The other contact."),
                    .init(
                        "panel.encoder.changes", "`4`",
                        "Changes of the contacts from one rest position to the next: 4, 2 or 1."),
                ]),
            .init(
                "A bell on an H-bridge",
                [
                    .init("panel.ringer.forward", "none", "The bridge's first input. The two inputs take turns."),
                    .init("panel.ringer.backward", "required beside `forward`", "The bridge's second input."),
                    .init("panel.ringer.frequency", "`25`", "Hz, 15 to 30."),
                ]),
            .init(
                "A display",
                [
                    .init(
                        "panel.display.controller", "required there",
                        "`hd44780`: characters, behind a PCF8574 expander. `ssd1306`: a small OLED."),
                    .init("panel.display.bus", "required there", "The I2C bus, such as `/dev/i2c-1`."),
                    .init(
                        "panel.display.address", "`0x27`, for an OLED `0x3c`",
                        "`0x08` to `0x77`. Expanders with an A in their name are at `0x3f`."),
                    .init(
                        "panel.display.size", "`16x2`, for an OLED `128x64`",
                        "`16x2`, `16x4`, `20x2` or `20x4`; for an OLED `128x64` or `128x32`."),
                ]),
        ],
        details: """
            ## Names

            The keys of a telephone are `0` to `9`, `*`, `#` and `A` to `D`. Others are `hold`, `mute`,
            `speaker`, `headset`, `redial`, `volume-up`, `volume-down`, `flash`, `transfer`, `conference`,
            `do-not-disturb` and `voicemail`. Numbered keys are `line-1` to `line-8`, `speed-1` to `speed-16`
            and `page-1` to `page-16`.

            The lamps are `line`, `ringing`, `message`, `mute`, `hold`, `speaker`, `do-not-disturb`, `line-1` to
            `line-8`, and `speed-1` to `speed-16`.

            Events report each change of an input. At the start they report the inputs that are active.
            [`alarms`](alarms.md) lets an input call somebody.

            ## Lamps

            While an account cannot register and no call uses it, its lamp `line-N` blinks slowly. For an
            account without a line key, the lamp `line` blinks slowly while there is no call. The lamp `line`
            also blinks slowly in a call whose voice cannot be sent. A dimmed lamp wakes the phone a hundred
            times a second.

            ## Lines

            Hook, buttons, inputs, lamps, relays and the ringer are mappings with the keys of a line. So are the
            dial's `pulse` and `off_normal`, the knob's `a` and `b`, and the ringer's `forward` and `backward`.
            A matrix lists its lines in `rows` and `columns`, and has `chip`, `polarity` and `bias` once for all
            of them. A line serves one part: the phone rejects a file that uses a line twice, even once by name
            and once by number.

            `bias` sets the level of a line while nothing else drives it. Use `pull-up` for a contact to ground,
            `pull-down` for a contact to 3.3 V, and `none` where the board has a resistor. `as-is` keeps the
            former setting. A chip without such resistors ignores `bias`.

            `drive` says which levels the chip drives: `push-pull` both, `open-drain` only low, `open-source`
            only high. At the other level the chip releases the line, and the connected circuit decides the
            level. Use this for a driver with its own resistor and supply, or for a line that other parts drive,
            too. The supply must not exceed what the chip can bear. The rows of a matrix are driven only while
            they are active, so that two keys at once never connect two outputs.

            ## Rotary dials

            With `map: sweden` 1 pulse is 0 and 2 pulses are 1. With `map: new-zealand` 9 pulses are 1 and 1
            pulse is 9.

            ## Displays

            A display shows the caller or callee, the state and length of the call, and digits as they are
            dialled. It also shows missed calls, messages and faults. Its language is `panel.language`. Programs
            get the same texts from `getDisplay` and `displayChanged`, with or without a display.
            `i2cdetect -y 1` (Debian's `i2c-tools`) lists the addresses on a bus.
            """)
}
