import { addAt, fadePerSample, panGains, SAMPLE_RATE, toSamples } from '../dsp/pcm.js';
import { noiseAt, noiseOffset } from '../dsp/random.js';
import { StateFilter } from '../dsp/state-filter.js';
import type { Instrument } from '../score/song.js';

/** Decay in seconds, cut in hertz, metal from 0 (hiss) to 1 (bell-like partials), ping is the stick's attack. */
export type CymbalPatch = { decay: number; cut: number; metal: number; ping: number };

const { floor } = Math;
const partials = Float64Array.of(317, 423.5, 540, 731, 1047.2, 1493);
const beat = Float64Array.from(partials, (hertz) => (hertz * 2.13) / SAMPLE_RATE);

/** Inharmonic squares through a high pass, as in drum machines of the eighties, blended with noise; different noise per side makes it wide. */
export const cymbal =
  (patch: CymbalPatch): Instrument =>
  (track, note) => {
    const start = toSamples(note.at);
    const end = Math.min(track.left.length, start + toSamples(patch.decay * 5));
    const noise = noiseOffset(note.at, note.pitch);
    const left = new StateFilter().tune(patch.cut * (0.8 + 0.2 * note.velocity), 0.8);
    const right = new StateFilter().tune(patch.cut * (0.8 + 0.2 * note.velocity), 0.8);
    const fade = fadePerSample(patch.decay * (0.7 + 0.3 * note.velocity));
    const pingFade = fadePerSample(0.03);
    const [leftGain, rightGain] = panGains(note.pan);
    let level = note.velocity * 0.5;
    let ping = patch.ping;
    for (let index = start; index < end; index++) {
      const since = index - start;
      const metal = struck(since) * patch.metal * (0.3 + ping);
      const hiss = 1 - patch.metal * 0.6 + ping;
      left.step(metal + noiseAt(noise + since) * hiss);
      right.step(metal + noiseAt(noise + since + 40_000) * hiss);
      addAt(track.left, index, left.high * level * leftGain);
      addAt(track.right, index, right.high * level * rightGain);
      level *= fade;
      ping *= pingFade;
    }
  };

const struck = (since: number): number => {
  let sum = 0;
  for (let index = 0; index < 6; index++) {
    const phase = since * (beat[index] ?? 0);
    sum += phase - floor(phase) < 0.5 ? 0.3 : -0.3;
  }
  return sum;
};

/** Noise that opens up over the whole note: the riser before a chorus. */
export const rise: Instrument = (track, { at, length, pitch, velocity }) => {
  const start = toSamples(at);
  const samples = toSamples(length);
  const end = Math.min(track.left.length, start + samples);
  const noise = noiseOffset(at, pitch);
  const left = new StateFilter();
  const right = new StateFilter();
  for (let index = start; index < end; index++) {
    const since = index - start;
    const done = since / samples;
    if ((since & 31) === 0) {
      left.tune(300 * 22 ** done, 1.8);
      right.tune(340 * 22 ** done, 1.8);
    }
    left.step(noiseAt(noise + since));
    right.step(noiseAt(noise + since + 50_000));
    const level = velocity * done * done * 0.5;
    addAt(track.left, index, left.band * level);
    addAt(track.right, index, right.band * level);
  }
};
