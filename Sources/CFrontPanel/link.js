// The connection to the phone: JSON-RPC requests, and its events as they come. Only this file has the token, in memory.

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

export class Link {
  #token = null;
  #requests = 0;
  #lastEvent = null;
  #stream = null;
  #wake = () => {};
  #pause = 0;
  /// Whether the phone has accepted the token.
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

  get hasToken() { return this.#token !== null; }

  signIn(token) {
    [this.#token, this.#isKnown] = [token, false];
    this.#follow(token);
  }

  /// - signal: ends the wait, and the phone's work for it if that takes long.
  async ask(method, params, { time = answerTime, signal } = {}) {
    const id = ++this.#requests;
    const limit = AbortSignal.timeout(time);
    const answer = await fetch("rpc", {
      method: "POST", headers: { ...this.#headers(), "Content-Type": "application/json" }, cache: "no-store",
      body: JSON.stringify({ jsonrpc: "2.0", id, method, params }), signal: signal ? AbortSignal.any([limit, signal]) : limit,
    });
    if (answer.status === 401) this.#signOut();
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

  #headers() { return { Authorization: `Bearer ${this.#token}` }; }

  /// - wait: In seconds; 0: the token is wrong.
  #signOut(wait = 0) {
    this.#token = null;
    this.#stream?.abort();
    this.unauthorized(wait);
  }

  /// Reads events as long as the token stays the same. When they end, it connects again with growing pauses.
  async #follow(token) {
    while (this.#token === token) {
      this.state("connecting");
      try {
        await this.#read();
      } catch (fault) {
        console.info("events:", fault.message);
      }
      if (this.#token !== token) return;
      this.state("offline");
      this.#pause = Math.min(10_000, this.#pause * 2 || 400);
      await new Promise((resolve) => {
        this.#wake = resolve;
        setTimeout(resolve, this.#pause * (0.75 + Math.random() / 2));
      });
    }
  }

  async #read() {
    const stream = new AbortController();
    this.#stream = stream;
    let alarm = setTimeout(() => stream.abort(), answerTime);
    try {
      const headers = this.#headers();
      if (this.#lastEvent) headers["Last-Event-ID"] = this.#lastEvent;
      const answer = await fetch("events", { headers, signal: stream.signal, cache: "no-store" });
      if (answer.status === 401) return this.#signOut();
      // A token that was accepted before only has to wait.
      if (answer.status === 429 && !this.#isKnown) return this.#signOut(Number(answer.headers.get("Retry-After")) || 1);
      if (!answer.ok) throw new Error(`HTTP ${answer.status}`);
      this.#isKnown = true;
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
