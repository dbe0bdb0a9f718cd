// The connection to the phone: JSON-RPC requests, and its events as they come. Only this file has the token, in memory,
// and the proof of the session, which the tab keeps when the page is loaded again.

export class Refusal extends Error {
  /// - scope: What a token needs for the request, if its scope is too small.
  constructor(code, message, scope = "") {
    super(message);
    [this.code, this.scope] = [code, scope];
  }
}

const answerTime = 12_000;
// The phone sends a comment every 15 s; a longer silence than this means that the stream is dead.
const silenceTime = 40_000;

const proofHeader = "Offhook-Page";
// Phones behind one proxy differ in their paths.
const proofKey = `offhook ${location.pathname}`;

/// The proof of this tab's session; null without a session, or if the browser stores nothing.
function storedProof() {
  try {
    return sessionStorage.getItem(proofKey);
  } catch {
    return null;
  }
}

/// - proof: null forgets it.
function storeProof(proof) {
  try {
    if (proof) sessionStorage.setItem(proofKey, proof);
    else sessionStorage.removeItem(proofKey);
  } catch (fault) {
    console.info("session:", fault.message);
  }
}

export class Link {
  /// The headers that open the phone: with the token, or with the proof of a session; null: nobody is signed in.
  #access = null;
  #requests = 0;
  #lastEvent = null;
  #stream = null;
  #wake = () => {};
  #pause = 0;
  /// Whether the phone has accepted them.
  #isKnown = false;

  /// - connected: called at each (new) connection, before events that follow it; the page then asks for a snapshot.
  /// - event: called with each event's name and fields.
  /// - state: called with "online", "connecting" or "offline".
  /// - unauthorized: the token is wrong. With seconds: the phone accepts no token from here for so long, after too many
  ///   wrong ones.
  constructor({ connected, event, state, unauthorized }) {
    Object.assign(this, { connected, event, state, unauthorized });
    addEventListener("online", () => this.retry());
    addEventListener("offline", () => this.#stream?.abort());
  }

  get isSignedIn() { return this.#access !== null; }

  signIn(token) { this.#open({ Authorization: `Bearer ${token}` }); }

  /// Continues the session that this tab had before the page was loaded again.
  /// Returns whether there is one.
  resume() {
    const proof = storedProof();
    if (proof) this.#open({ [proofHeader]: proof });
    return proof !== null;
  }

  #open(access) {
    [this.#access, this.#isKnown] = [access, false];
    this.#stream?.abort();
    this.#follow(access);
  }

  /// - signal: ends the wait, and the phone's work for it if that takes long.
  async ask(method, params, { time = answerTime, signal } = {}) {
    const id = ++this.#requests;
    const [limit, access] = [AbortSignal.timeout(time), this.#access];
    const answer = await fetch("rpc", {
      method: "POST", headers: { ...access, "Content-Type": "application/json" }, cache: "no-store",
      body: JSON.stringify({ jsonrpc: "2.0", id, method, params }), signal: signal ? AbortSignal.any([limit, signal]) : limit,
    });
    if (answer.status === 401 && this.#access === access) this.#signOut();
    if (!answer.ok) throw new Refusal(`http${answer.status}`, `HTTP ${answer.status}`);
    const { result, error } = await answer.json();
    if (error) throw new Refusal(error.data?.code ?? String(error.code), String(error.message), error.data?.scope);
    return result;
  }

  /// Tries again at once.
  retry() {
    this.#pause = 0;
    this.#wake();
  }

  /// - wait: In seconds; 0: the token is wrong, or the session has ended.
  #signOut(wait = 0) {
    this.#access = null;
    storeProof(null);
    this.#stream?.abort();
    this.unauthorized(wait);
  }

  /// Begins a session, so that the page can be loaded again without the token. The phone keeps a session that it knows.
  async #beginSession(access) {
    const proof = storedProof();
    try {
      const answer = await fetch("session", {
        method: "POST", headers: { ...access, ...(proof && { [proofHeader]: proof }) }, cache: "no-store",
        signal: AbortSignal.timeout(answerTime),
      });
      if (answer.status === 200 && this.#access === access) storeProof((await answer.json()).proof);
    } catch (fault) {
      console.info("session:", fault.message);
    }
  }

  /// Reads events as long as nobody signs out or in. When they end, it connects again with growing pauses.
  async #follow(access) {
    while (this.#access === access) {
      this.state("connecting");
      try {
        await this.#read(access);
      } catch (fault) {
        console.info("events:", fault.message);
      }
      if (this.#access !== access) return;
      this.state("offline");
      this.#pause = Math.min(10_000, this.#pause * 2 || 400);
      await new Promise((resolve) => {
        this.#wake = resolve;
        setTimeout(resolve, this.#pause * (0.75 + Math.random() / 2));
      });
    }
  }

  async #read(access) {
    const stream = new AbortController();
    this.#stream = stream;
    let alarm = setTimeout(() => stream.abort(), answerTime);
    try {
      const headers = { ...access };
      if (this.#lastEvent) headers["Last-Event-ID"] = this.#lastEvent;
      const answer = await fetch("events", { headers, signal: stream.signal, cache: "no-store" });
      if (answer.status === 401) return this.#signOut();
      // Only a token that was never accepted is refused by this status; all others have to wait.
      if (answer.status === 429 && access.Authorization && !this.#isKnown) return this.#signOut(Number(answer.headers.get("Retry-After")) || 1);
      if (!answer.ok) throw new Error(`HTTP ${answer.status}`);
      this.#isKnown = true;
      if (access.Authorization) this.#beginSession(access);
      this.#pause = 0;
      this.state("online");
      this.connected();
      const parser = new EventParser();
      const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
      for (;;) {
        clearTimeout(alarm);
        alarm = setTimeout(() => stream.abort(), silenceTime);
        const { done, value } = await reader.read();
        if (done) return;
        for (const message of parser.take(value)) this.#deliver(message);
      }
    } finally {
      clearTimeout(alarm);
    }
  }

  #deliver({ id, name, data }) {
    if (id) this.#lastEvent = id;
    if (name === "reset") return this.connected();
    if (data) this.event(name, JSON.parse(data));
  }
}

/// Parses a stream of server-sent events.
class EventParser {
  #rest = "";
  #message = { data: "" };

  take(text) {
    const lines = (this.#rest + text).split(/\r?\n/);
    this.#rest = lines.pop();
    return lines.flatMap((line) => this.#line(line));
  }

  #line(line) {
    if (line === "") {
      const message = this.#message;
      this.#message = { data: "" };
      return message.name || message.data ? [message] : [];
    }
    const colon = line.indexOf(":");
    const value = line.slice(colon + 1).replace(/^ /, "");
    switch (line.slice(0, colon)) {
      case "id": this.#message.id = value; break;
      case "event": this.#message.name = value; break;
      case "data": this.#message.data += value; break;
    }
    return [];
  }
}
