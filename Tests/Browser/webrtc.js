// One end of a call in a browser: its connection, its microphone, and its received sound. Tests/Browser/webrtc.py
// drives it.
const RATE = 48000;
// Forwards its received sound, in pieces.
const EAR = `registerProcessor("ear", class extends AudioWorkletProcessor {
    process([[samples]]) {
        if (samples) this.port.postMessage(samples.slice());
        return true;
    }
})`;

const end = {
    async prepare(hasMicrophone) {
        // With the microphone a page learns the addresses of the machine; otherwise only mDNS names.
        if (hasMicrophone) this.microphone = await navigator.mediaDevices.getUserMedia({ audio: true });
        this.context = new AudioContext({ sampleRate: RATE });
        const ear = URL.createObjectURL(new Blob([EAR], { type: "text/javascript" }));
        await this.context.audioWorklet.addModule(ear);
        this.ear = new AudioWorkletNode(this.context, "ear");
        this.mouth = this.context.createMediaStreamDestination();
        this.ear.port.onmessage = ({ data }) => this.heard?.push(data);
        this.ear.connect(this.context.destination);
    },

    open() {
        this.connection?.close();
        this.connection = new RTCPeerConnection();
        this.connection.addTrack(this.mouth.stream.getAudioTracks()[0], this.mouth.stream);
        this.connection.ontrack = ({ track }) => {
            const stream = new MediaStream([track]);
            // Chromium gives an audio context no sound of a far end that no element plays.
            this.element = new Audio();
            this.element.muted = true;
            this.element.srcObject = stream;
            this.context.createMediaStreamSource(stream).connect(this.ear);
        };
    },

    async told() {
        const gathered = new Promise((resolve) => {
            const look = () => this.connection.iceGatheringState === "complete" && resolve();
            this.connection.onicegatheringstatechange = look;
            look();
        });
        await gathered;
        return this.connection.localDescription.sdp;
    },

    async offer() {
        this.open();
        await this.connection.setLocalDescription();
        return this.told();
    },

    accept(sdp) { return this.connection.setRemoteDescription({ type: "answer", sdp }); },

    // A later offer of the same far end belongs to the same call.
    async answer(sdp) {
        if (!this.connection || this.connection.connectionState === "closed") this.open();
        await this.connection.setRemoteDescription({ type: "offer", sdp });
        await this.connection.setLocalDescription();
        return this.told();
    },

    async play(wav) {
        const bytes = Uint8Array.from(atob(wav), (letter) => letter.charCodeAt(0));
        const source = this.context.createBufferSource();
        source.buffer = await this.context.decodeAudioData(bytes.buffer);
        source.connect(this.mouth);
        source.start();
    },

    record() { this.heard = []; },

    // Samples of 16 bits, least significant octet first.
    recorded() {
        const pieces = this.heard;
        this.heard = undefined;
        const bytes = new DataView(new ArrayBuffer(2 * pieces.reduce((sum, piece) => sum + piece.length, 0)));
        let place = 0;
        for (const piece of pieces) {
            for (const sample of piece) {
                bytes.setInt16(place, Math.max(-1, Math.min(1, sample)) * 32767, true);
                place += 2;
            }
        }
        let text = "";
        for (let start = 0; start < bytes.byteLength; start += 32768) {
            const length = Math.min(32768, bytes.byteLength - start);
            text += String.fromCharCode(...new Uint8Array(bytes.buffer, start, length));
        }
        return btoa(text);
    },

    async figures() {
        const all = [...(await this.connection.getStats()).values()];
        const transport = all.find((one) => one.type === "transport");
        const pair = all.find((one) => one.id === transport?.selectedCandidatePairId);
        return {
            connection: this.connection.connectionState, dtls: transport?.dtlsState, srtp: transport?.srtpCipher,
            local: all.find((one) => one.id === pair?.localCandidateId)?.candidateType,
            remote: all.find((one) => one.id === pair?.remoteCandidateId)?.candidateType,
        };
    },

    close() {
        this.connection?.close();
        this.connection = undefined;
    },
};
