// Just enough of FreeSWITCH's Verto for one incoming call at a time: the page's signalling with its server.
// Tests/Browser/verto.py gives it `vertoOffered`, which answers an offer, and `vertoLeft`.
const verto = {
    async open(url, login, passwd) {
        this.sessid = crypto.randomUUID();
        this.waiting = new Map();
        this.socket = new WebSocket(url);
        this.socket.onmessage = ({ data }) => this.take(JSON.parse(data));
        await new Promise((resolve, reject) => {
            this.socket.onopen = resolve;
            this.socket.onerror = () => reject(new Error(`no connection to ${url}`));
        });
        await this.ask("login", { login, passwd, loginParams: {} });
    },

    say(frame) { this.socket.send(JSON.stringify({ jsonrpc: "2.0", ...frame })); },

    ask(method, params) {
        const id = crypto.randomUUID();
        const answer = new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }));
        this.say({ id, method, params: { sessid: this.sessid, ...params } });
        return answer;
    },

    take(frame) {
        if (!frame.method) {
            const asked = this.waiting.get(frame.id);
            this.waiting.delete(frame.id);
            if (frame.error) asked?.reject(new Error(frame.error.message)); else asked?.resolve(frame.result);
            return;
        }
        this.say({ id: frame.id, result: { method: frame.method } });
        if (frame.method === "verto.invite") this.invited(frame.params);
        if (frame.method === "verto.bye") vertoLeft();
    },

    async invited({ callID, sdp }) {
        this.callID = callID;
        await this.ask("verto.answer", { sdp: await vertoOffered(sdp), dialogParams: { callID } });
    },

    hangUp() { return this.ask("verto.bye", { dialogParams: { callID: this.callID } }); },
};
