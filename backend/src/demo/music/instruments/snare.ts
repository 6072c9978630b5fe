import { sine } from '../dsp/oscillator.js';
import { addAt, fadePerSample, panGains, SAMPLE_RATE, toSamples } from '../dsp/pcm.js';
import { noiseAt, noiseOffset } from '../dsp/random.js';
import { StateFilter } from '../dsp/state-filter.js';
import type { Instrument } from '../score/song.js';

/** Tone and colour (of the wires) in hertz, ring and wires in seconds, body from 0 (wires only) to 1 (skin only). */
export type SnarePatch = { tone: number; colour: number; ring: number; wires: number; body: number };

/** Two drum modes and filtered noise; a soft stroke is darker and shorter. With body 1 it is a cross stick or a tom. */
export const snare =
  (patch: SnarePatch): Instrument =>
  (track, { at, pitch, velocity, pan }) => {
    const start = toSamples(at);
    const end = Math.min(track.left.length, start + toSamples(Math.max(patch.ring, patch.wires) * 6));
    const noise = noiseOffset(at, pitch);
    const filter = new StateFilter().tune(patch.colour * (0.6 + 0.4 * velocity), 0.6);
    const tune = patch.tone * 2 ** ((pitch - 60) / 12);
    const ringFade = fadePerSample(patch.ring);
    const wiresFade = fadePerSample(patch.wires * (0.6 + 0.4 * velocity));
    const bendFade = fadePerSample(0.02);
    let ring = velocity * patch.body;
    let wires = velocity * (1 - patch.body);
    let bend = 0.35 * velocity;
    let phase = 0;
    const [leftGain, rightGain] = panGains(pan);
    for (let index = start; index < end; index++) {
      phase += (tune * (1 + bend)) / SAMPLE_RATE;
      filter.step(noiseAt(noise + index - start));
      const skin = (sine(phase) + 0.45 * sine(phase * 1.63) + 0.2 * sine(phase * 2.31)) * ring;
      const value = skin + (filter.band * 1.2 + filter.high * 0.5) * wires;
      addAt(track.left, index, value * leftGain);
      addAt(track.right, index, value * rightGain);
      ring *= ringFade;
      wires *= wiresFade;
      bend *= bendFade;
    }
  };

/** Three slightly offset bursts of noise, like a drum machine's clap. */
export const clap =
  (colour: number): Instrument =>
  (track, { at, pitch, velocity }) => {
    const start = toSamples(at);
    const end = Math.min(track.left.length, start + toSamples(0.4));
    const noise = noiseOffset(at, pitch);
    const filter = new StateFilter().tune(colour, 1.6);
    const burst = fadePerSample(0.006);
    const tail = fadePerSample(0.075);
    const gap = toSamples(0.0115);
    let level = velocity;
    for (let index = start; index < end; index++) {
      const since = index - start;
      if (since === gap || since === 2 * gap || since === 3 * gap) level = velocity;
      level *= since < 3 * gap ? burst : tail;
      filter.step(noiseAt(noise + since));
      const value = filter.band * level * 1.6;
      addAt(track.left, index, value + filter.high * level * 0.2);
      addAt(track.right, index, value + noiseAt(noise + since + 7000) * level * 0.08);
    }
  };
