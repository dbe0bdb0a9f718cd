"""The cost of a call on a slow processor: on a board whose clock counts instructions, one per nanosecond.

A Cortex-A53 of 1 to 1.4 GHz, as in a Raspberry Pi 3 or Zero 2 W, executes some 1 instruction of such code per nanosecond. The
emulation may be slower without effect: while the board computes, its second is a thousand million instructions."""
import sound
from scenario import UNDERSTOOD

#: One processor. Time passes with instructions, and in real time while the board is idle.
SLOW = ["-cpu", "cortex-a53", "-accel", "tcg,thread=single", "-icount", "shift=0,sleep=on", "-smp", "1"]
#: In the board's seconds.
SECONDS = 30
#: Two phones on one machine, each with its own port, and their microphones and earpieces on the loopback card.
PHONES = {"offhook": (5060, 1, 0), "offhook@far": (5070, 3, 2)}

#: From the call to the figures, all on the board, whose seconds are longer than real ones.
CALL = """set -eu
ctl() { setpriv --reuid=offhook --regid=offhook --init-groups offhook ctl "$@"; }
until_told() {
    for _ in $(seq 100); do
        told=$(ctl status --config /etc/offhook/$1.yaml)
        case $told in *$2*) return ;; esac
        sleep 0.1
    done
    echo "$1 is not $2: $told"; exit 1
}
card=plughw:CARD=Loopback,DEV=1,SUBDEV
ctl dial sip:phone@10.9.0.3:5070 --config /etc/offhook/offhook.yaml
until_told offhook@far ringing
ctl answer --config /etc/offhook/offhook@far.yaml
until_told offhook active
for microphone in 1 3; do
    (while :; do aplay -q -D $card=$microphone /root/speech.wav; done) &
    speaking="${speaking:-} $!"
done
sleep 5
used() { sed -n 's/^usage_usec //p' /sys/fs/cgroup/system.slice/offhook.service/cpu.stat; }
before=$(used); sleep SECONDS; after=$(used)
kill $speaking; pkill -x aplay || true
sleep 3
for earpiece in 0 2; do
    arecord -q -D $card=$earpiece -f S16_LE -r 48000 -c 1 -d 9 /root/heard-$earpiece.wav &
    heard="${heard:-} $!"
done
sleep 1
for microphone in 1 3; do aplay -q -D $card=$microphone /root/speech.wav & heard="$heard $!"; done
wait $heard
echo $((after - before))
"""


def processor_time(board, speech, folder):
    """The figures of one call in which both ends speak, and how well each heard the other."""
    try:
        board.power_on()
        board.wait_until_up(600)
        board.store(speech, "/root/speech.wav", 600)
        for unit, settings in PHONES.items():
            set_up(board, unit, *settings)
        used = int(board.sh(CALL.replace("SECONDS", str(SECONDS)), 1_800).splitlines()[-1])
        scores = []
        for _, _, earpiece in PHONES.values():
            path = f"{folder}/heard-{earpiece}.wav"
            board.fetch(f"/root/heard-{earpiece}.wav", path, 600)
            scores.append(sound.score(speech, path)[0])
    finally:
        board.power_off()
    share = used / SECONDS / 1e6
    assert min(scores) > UNDERSTOOD, scores
    return {
        "processor time of a second of call, of a Cortex-A53 that computes 1 instruction in a nanosecond":
            f"{share * 1_000:.0f} ms, all threads and the kernel; PESQ {', '.join(f'{score:.2f}' for score in scores)}",
    }


def set_up(board, unit, port, microphone, earpiece):
    devices = " | ".join(f"plughw:CARD=Loopback,DEV=0,SUBDEV={number}" for number in (microphone, earpiece))
    board.sh(f"""cat >/root/answers <<'END'
board: simulator
sound: {{country: DE, handset: "{devices}", try: false}}
vault: {{key: file}}
END
offhook setup --config /etc/offhook/{unit}.yaml --answers /root/answers --yes
cat >>/etc/offhook/{unit}.yaml <<'END'
sip: {{address: 10.9.0.3, port: {port}, peers: [10.9.0.3]}}
END
systemctl start {unit}""", 600)
