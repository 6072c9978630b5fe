// How much of the audio thread's time the mixer takes: its core runs in Node, quantum by quantum, without a browser.
// Usage: node infra/bench/mixer.mjs [seconds of audio, 30]
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'vite';
import { noise } from './lib/player/signals.mjs';

const FRONTEND = fileURLToPath(new URL('../../frontend', import.meta.url));
const ENTRY = join(FRONTEND, 'src/features/player/engine/mixer/mixer.ts');
const RATE = 48_000;
const QUANTUM = 128;
const SETTINGS = [
  { tempo: 1, pitch: 1 },
  { tempo: 1, pitch: 1, isMetered: true },
  { tempo: 0.5, pitch: 1 },
  { tempo: 1, pitch: 1.2 },
  { tempo: 2, pitch: 2 },
  { tempo: 2, pitch: 0.05 },
  { tempo: 0.05, pitch: 2 },
];

async function loadMixer() {
  const folder = await mkdtemp(join(tmpdir(), 'mixer-'));
  const lib = { entry: ENTRY, formats: ['es'], fileName: 'mixer' };
  await build({ configFile: false, root: FRONTEND, publicDir: false, logLevel: 'warn', build: { outDir: folder, emptyOutDir: false, target: 'es2022', lib } });
  const { Mixer } = await import(pathToFileURL(join(folder, 'mixer.js')).href);
  await rm(folder, { recursive: true });
  return Mixer;
}

/** Plays a loop and switches once a second. */
function measure(Mixer, { tempo, pitch, isMetered = false }, seconds) {
  const mixer = new Mixer(RATE, () => undefined);
  for (const [at, trackId] of ['a', 'b'].entries()) mixer.handle({ type: 'addTrack', trackId, channels: [noise(20, at + 1), noise(20, at + 3)], gain: 1 });
  mixer.handle({ type: 'setTempoAndPitch', tempo, pitch });
  mixer.handle({ type: 'setMetering', isOn: isMetered });
  mixer.handle({ type: 'setLoop', loop: { start: 1, end: 2.2345678 } });
  mixer.handle({ type: 'start', trackId: 'a', at: 1 });
  const [left, right] = [new Float32Array(QUANTUM), new Float32Array(QUANTUM)];
  const times = [];
  const quantaPerSecond = Math.round(RATE / QUANTUM);
  for (let quantum = 0; quantum < seconds * quantaPerSecond; quantum += 1) {
    if (quantum % quantaPerSecond === 0) mixer.handle({ type: 'crossfade', trackId: (quantum / quantaPerSecond) % 2 === 0 ? 'a' : 'b' });
    const before = performance.now();
    mixer.process([], left, right, (quantum * QUANTUM) / RATE);
    times.push(performance.now() - before);
  }
  const settled = times.slice(2 * quantaPerSecond).toSorted((a, b) => a - b);
  const budget = (1_000 * QUANTUM) / RATE;
  const ofBudget = (time) => ((100 * time) / budget).toFixed(1);
  return {
    tempo,
    pitch,
    meter: isMetered,
    'mean %': ofBudget(settled.reduce((sum, time) => sum + time, 0) / settled.length),
    'median %': ofBudget(settled[Math.floor(settled.length / 2)]),
    'of 1000 the slowest %': ofBudget(settled[Math.floor(settled.length * 0.999)]),
    'slowest at first %': ofBudget(Math.max(...times.slice(0, 2 * quantaPerSecond))),
  };
}

const seconds = Number(process.argv[2] ?? 30);
const Mixer = await loadMixer();
console.table(SETTINGS.map((settings) => measure(Mixer, settings, seconds)));
console.log(
  `share of the ${((1_000 * QUANTUM) / RATE).toFixed(2)} ms that a quantum of ${QUANTUM} frames lasts at ${RATE} Hz; the first 2 s, in which the code is compiled, apart. Other programs on the machine show in the slowest.`,
);
