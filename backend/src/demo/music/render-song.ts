import { addEcho } from './effects/echo.js';
import { limit, squeeze, warm } from './effects/dynamics.js';
import { cutBand, shapeMaster } from './effects/equaliser.js';
import { levelTo } from './effects/loudness.js';
import { addRoom } from './effects/room.js';
import { addAt, fadePerSample, fromDecibels, silence, type StereoPcm, toSamples } from './dsp/pcm.js';
import type { Mix, MixName, Part, Strip } from './score/song.js';
import { songs, type SongName } from './songs/songs.js';

type Desk = { master: StereoPcm; room: Float32Array; echo: Float32Array; ducking: Float32Array };

/** Renders one version of a song at 44.1 kHz: the same samples on every run, peaks under -1 dB of full scale. */
export const renderSong = (song: SongName, mixName: MixName): StereoPcm => {
  const { duration, parts, mixes } = songs[song];
  const mix = mixes[mixName];
  const played = parts(mixName);
  const samples = toSamples(duration);
  const track = silence(samples);
  const desk: Desk = {
    master: silence(samples),
    room: new Float32Array(samples),
    echo: new Float32Array(samples),
    ducking: duckingOf(played, samples),
  };
  for (const part of played) {
    const strip = mix.strips[part.name];
    if (strip && part.notes.length > 0) playPart(part, strip, track, desk);
  }
  addEcho(desk.echo, desk.master, desk.room, mix.echo);
  addRoom(desk.room, desk.master, mix.room);
  finish(desk.master, mix);
  return desk.master;
};

const playPart = (part: Part, strip: Strip, track: StereoPcm, desk: Desk): void => {
  track.left.fill(0);
  track.right.fill(0);
  for (const note of part.notes) part.instrument(track, note);
  cutBand(track, strip.lowCut, strip.highCut);
  const { level, pan = 0, room = 0, echo = 0, duck = 0 } = strip;
  const leftGain = fromDecibels(level) * Math.cos(((pan + 1) * Math.PI) / 4) * Math.SQRT2;
  const rightGain = fromDecibels(level) * Math.sin(((pan + 1) * Math.PI) / 4) * Math.SQRT2;
  for (let index = 0; index < track.left.length; index++) {
    const under = 1 - duck * (desk.ducking[index] ?? 0);
    const left = (track.left[index] ?? 0) * leftGain * under;
    const right = (track.right[index] ?? 0) * rightGain * under;
    addAt(desk.master.left, index, left);
    addAt(desk.master.right, index, right);
    addAt(desk.room, index, (left + right) * 0.5 * room);
    addAt(desk.echo, index, (left + right) * 0.5 * echo);
  }
};

/** How far other parts step back for the kick: 1 at each stroke, gone within a beat. */
const duckingOf = (parts: readonly Part[], samples: number): Float32Array => {
  const ducking = new Float32Array(samples);
  const fade = fadePerSample(0.085);
  for (const { at, velocity } of parts.find(({ name }) => name === 'kick')?.notes ?? []) {
    const start = Math.max(0, toSamples(at) - 90);
    const end = Math.min(samples, start + toSamples(0.4));
    let depth = velocity;
    for (let index = start; index < end; index++) {
      ducking[index] = Math.max(ducking[index] ?? 0, depth * Math.min(1, (index - start) / 90));
      depth *= fade;
    }
  }
  return ducking;
};

const CEILING = -1;

/** Tone first, then glue at a known level, then loudness, and the limiter last. */
const finish = (master: StereoPcm, { master: settings }: Mix): void => {
  shapeMaster(master, settings);
  levelTo(master, -18);
  squeeze(master, 0.18, settings.squeeze);
  levelTo(master, settings.loudness);
  warm(master, settings.drive);
  limit(master, CEILING);
};
