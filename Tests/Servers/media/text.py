"""Session descriptions as text: other servers' variants, and single lines of them."""
from __future__ import annotations

import ipaddress


def lines(description: str) -> list[str]:
    return description.replace("\r\n", "\n").rstrip("\n").split("\n")


def joined(parts: list[str], end: str = "\r\n") -> str:
    return end.join(parts) + end


def attribute(description: str, name: str) -> str | None:
    """The value of the first attribute of that name."""
    prefix = f"a={name}:"
    return next((line[len(prefix) :].strip() for line in lines(description) if line.startswith(prefix)), None)


def candidates(description: str) -> list[str]:
    """`candidate:…`, as sent alone."""
    return [line[2:] for line in lines(description) if line.startswith("a=candidate:")]


def places(description: str) -> set[str]:
    """The address and port of each candidate."""
    return {" ".join(one.split()[4:6]) for one in candidates(description)}


def is_literal(candidate: str) -> bool:
    """Whether it has an address and no name: .local names are queried by multicast, beyond this machine."""
    words = candidate.split()
    try:
        ipaddress.ip_address(words[4])
    except (IndexError, ValueError):
        return False
    return True


def with_literal_candidates(description: str) -> str:
    return joined([line for line in lines(description) if not line.startswith("a=candidate:") or is_literal(line)])


def without_candidates(description: str) -> str:
    """The part that is sent at once with trickle ICE."""
    kept = [line for line in lines(description) if not line.startswith(("a=candidate:", "a=end-of-candidates"))]
    place = next((index for index, line in enumerate(kept) if line.startswith("m=")), len(kept))
    return joined(kept[:place] + ["a=ice-options:trickle"] + kept[place:])


def with_wrong_fingerprint(description: str) -> str:
    """As if an attacker were between the two ends."""
    made = []
    for line in lines(description):
        if line.startswith("a=fingerprint:"):
            line = line[:-1] + ("0" if line[-1] != "0" else "1")
        made.append(line)
    return joined(made)


def like_freeswitch(description: str, end: str = "\r\n") -> str:
    """Media servers of the telephone world write the older profile, no BUNDLE, and one fingerprint, by SHA-256."""
    made = []
    for line in lines(description):
        if line.startswith("o=- "):
            line = "o=FreeSWITCH " + line[4:]
        elif line == "s=-":
            line = "s=FreeSWITCH"
        elif line.startswith("m=audio"):
            line = line.replace("UDP/TLS/RTP/SAVPF", "RTP/SAVPF")
        if line.startswith(("a=group:BUNDLE", "a=fingerprint:sha-384", "a=fingerprint:sha-512")):
            continue
        made.append(line)
    return joined(made, end)


def restarted(description: str, username: str, password: str, new_candidates: list[str], setup: str) -> str:
    """The same description with other ICE credentials and candidates."""
    made: list[str] = []
    for line in lines(description):
        if line.startswith(("a=candidate:", "a=end-of-candidates", "a=ice-ufrag:", "a=ice-pwd:", "a=setup:")):
            continue
        made.append(line)
    made += [f"a=candidate:{one}" for one in new_candidates]
    made += ["a=end-of-candidates", f"a=ice-ufrag:{username}", f"a=ice-pwd:{password}", f"a=setup:{setup}"]
    return joined(made)
