// Init script: whatever is connected to the destination of an AudioContext also goes to a recorder in the same context, which numbers every sample by the
// context's clock. Needs a browser context that bypasses the page's content policy (`bypassCSP`), because the recorder's code is a blob.
{
  const code = `registerProcessor('recorder', class extends AudioWorkletProcessor {
    frames = 0;
    left = new Float32Array(4096);
    right = new Float32Array(4096);
    constructor() {
      super();
      this.port.onmessage = () => globalThis.gc?.();
    }
    process([input]) {
      const [left, right = left] = input;
      if (currentFrame !== this.first + this.frames) this.send();
      if (this.frames === 0) this.first = currentFrame;
      if (left) { this.left.set(left, this.frames); this.right.set(right, this.frames); }
      else { this.left.fill(0, this.frames, this.frames + 128); this.right.fill(0, this.frames, this.frames + 128); }
      const isSilent = !left || left.every((sample) => sample === 0);
      if (isSilent !== this.isSilent) this.port.postMessage({ isSilent, at: currentFrame / sampleRate });
      this.isSilent = isSilent;
      this.frames += 128;
      if (this.frames === this.left.length) this.send();
      return true;
    }
    send() {
      const { first: frame, frames } = this;
      if (frames > 0) this.port.postMessage({ frame, left: this.left.slice(0, frames), right: this.right.slice(0, frames) });
      this.frames = 0;
    }
  });`;
  const { connect } = AudioNode.prototype;
  const taps = new WeakMap();
  const state = { isOn: false, context: null, pieces: [], from: 0, collect: () => undefined };

  const silence = { isSilent: true, heard: null, resolve: () => undefined };
  /** The page's time of a change between sound and silence, from the audio rendered since. */
  const noteSilence = (context, { isSilent, at }) => {
    silence.isSilent = isSilent;
    if (!isSilent) silence.resolve(performance.now() - 1_000 * Math.max(0, context.currentTime - at));
  };

  /** A piece may have started before the recording. */
  const keep = ({ frame, left, right }) => {
    const cut = Math.max(0, state.from - frame);
    if (cut < left.length) state.pieces.push({ frame: frame + cut, left: left.subarray(cut), right: right.subarray(cut) });
  };

  const listen = async (context, tap) => {
    await context.audioWorklet.addModule(URL.createObjectURL(new Blob([code], { type: 'text/javascript' })));
    const node = new AudioWorkletNode(context, 'recorder', { channelCount: 2, channelCountMode: 'explicit' });
    node.port.addEventListener('message', ({ data }) => {
      if (data.isSilent !== undefined) noteSilence(context, data);
      else if (state.isOn && state.context === context) keep(data);
    });
    node.port.start();
    state.collect = () => node.port.postMessage('collect');
    const muted = new GainNode(context, { gain: 0 });
    connect.call(tap, node);
    connect.call(connect.call(node, muted), context.destination);
  };

  /** While another worklet is being added, Chromium skips some quanta of this one: the recording is silent there, the output is not. */
  const joined = (name) => {
    const { pieces } = state;
    const [first, last] = [pieces[0], pieces.at(-1)];
    if (!first || !last) return new Float32Array(0);
    const whole = new Float32Array(last.frame + last.left.length - first.frame);
    for (const piece of pieces) whole.set(piece[name], piece.frame - first.frame);
    return whole;
  };

  /** Also keeps what the player's own worklet reports: its last state, when it switched versions and moved to decoded audio, and all its meter readings. */
  const reports = { state: null, meters: [], switches: [], handovers: [] };
  window.AudioWorkletNode = new Proxy(AudioWorkletNode, {
    construct(Node, options) {
      const node = new Node(...options);
      node.port.addEventListener('message', ({ data }) => {
        if (data?.type === 'state') {
          if (reports.state?.isPlaying && data.isPlaying && data.trackId !== reports.state.trackId) reports.switches.push(data.contextTime);
          if (reports.state?.source === 'stream' && data.source === 'buffer') reports.handovers.push(data.contextTime);
          reports.state = data;
        }
        if (data?.type === 'meter') reports.meters.push({ ...data, state: reports.state });
      });
      return node;
    },
  });

  window.AudioContext = new Proxy(AudioContext, {
    construct(Context, options) {
      const context = new Context(...options);
      const tap = new GainNode(context);
      taps.set(context, tap);
      state.context = context;
      state.ready = listen(context, tap);
      return context;
    },
  });
  AudioNode.prototype.connect = function connectRecorded(to, ...rest) {
    const tap = taps.get(this.context);
    if (to instanceof AudioDestinationNode && tap !== undefined) connect.call(this, tap);
    return connect.call(this, to, ...rest);
  };

  window.recorder = {
    /** Samples as base64, the fastest way out of a page. */
    base64: (samples) =>
      new Promise((resolve) => {
        const reader = new FileReader();
        reader.addEventListener('load', () => resolve(reader.result.slice(reader.result.indexOf(',') + 1)));
        reader.readAsDataURL(new Blob([samples]));
      }),
    /** Starts a new recording. */
    start: () => {
      const { currentTime = 0, sampleRate = 0 } = state.context ?? {};
      Object.assign(state, { isOn: true, pieces: [], from: Math.round(currentTime * sampleRate) });
    },
    /** Collects garbage of the audio thread, in a browser with `--expose-gc`. */
    collect: () => state.collect(),
    isReady: () => state.ready,
    context: () => state.context,
    isSilent: () => silence.isSilent,
    /** From now on, `sound` resolves with the time of the next sound after silence. */
    awaitSound: () => {
      silence.heard = new Promise((resolve) => (silence.resolve = resolve));
    },
    sound: () => silence.heard,
    mixerState: () => reports.state,
    handovers: () => reports.handovers,
    switches: () => reports.switches,
    meters: () => reports.meters,
    /** Returns what was recorded since the start or the last call. */
    take: async () => {
      const [frame, left, right] = [state.pieces[0]?.frame ?? 0, joined('left'), joined('right')];
      state.pieces = [];
      const { base64 } = window.recorder;
      return { rate: state.context?.sampleRate ?? 0, frame, left: await base64(left), right: await base64(right) };
    },
  };
}
