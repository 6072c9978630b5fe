import { Envelope } from '../dsp/envelope.js';
import { sine } from '../dsp/oscillator.js';
import { addAt, fadePerSample, pitchToHertz, SAMPLE_RATE, toSamples } from '../dsp/pcm.js';
import type { Instrument } from '../score/song.js';

/** Ring in seconds, bark (distortion of hard strokes) and tine from 0 to 1, tremolo in hertz. */
export type KeysPatch = { ring: number; bark: number; tine: number; tremolo: number };

/** An electric piano by frequency modulation: a growling body, a short glassy tine, a stereo tremolo. */
export const electricPiano =
  (patch: KeysPatch): Instrument =>
  (track, { at, length, pitch, velocity }) => {
    const start = toSamples(at);
    const envelope = new Envelope({ attack: 0.002, decay: patch.ring * 2 ** ((60 - pitch) / 30), sustain: 0, release: 0.06 }, length);
    const end = Math.min(track.left.length, start + envelope.samples);
    const step = pitchToHertz(pitch) / SAMPLE_RATE;
    const bodyFade = fadePerSample(0.45);
    const tineFade = fadePerSample(0.09);
    const seat = (pitch - 60) / 60;
    let body = (0.05 + patch.bark * 0.3 * velocity * velocity) * 2 ** ((60 - pitch) / 24);
    let tine = patch.tine * 0.12 * velocity;
    let sway = seat;
    let phase = 0;
    for (let index = start; index < end; index++) {
      phase += step;
      const value = sine(phase + body * sine(phase) + tine * sine(phase * 14)) * envelope.next() * velocity * 0.46;
      if ((index & 63) === 0) sway = 0.3 * sine((index / SAMPLE_RATE) * patch.tremolo) + seat;
      addAt(track.left, index, value * (1 - sway));
      addAt(track.right, index, value * (1 + sway));
      body *= bodyFade;
      tine *= tineFade;
    }
  };
