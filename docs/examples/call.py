#!/usr/bin/env python3
"""call.py SOCKET NUMBER [SECONDS]: calls a number, tells what becomes of the call, and hangs up after that many seconds."""
import json, socket, sys, time

path, number, seconds = sys.argv[1], sys.argv[2], float(sys.argv[3]) if len(sys.argv) > 3 else 10
phone = socket.socket(socket.AF_UNIX)
phone.connect(path)
lines = phone.makefile("rw", encoding="utf-8")

def send(number, method, **params):
    print(json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}), file=lines, flush=True)


send(1, "subscribe")
send(2, "dial", target=number)
call = None
for line in lines:
    message = json.loads(line)
    if "error" in message:
        sys.exit(message["error"]["message"])
    event = message.get("params", {})
    call = call or (event.get("call") if event.get("name") == "callStarted" else None)
    if call is None or event.get("call") != call or event["name"] == "callDurationUpdated":
        continue
    print(event["name"], event.get("message", ""), flush=True)
    if event["name"] == "callAnswered":
        time.sleep(seconds)
        send(3, "hangup", call=call)
    if event["name"] in ("callEnded", "callFailed"):
        sys.exit(event["name"] == "callFailed")
