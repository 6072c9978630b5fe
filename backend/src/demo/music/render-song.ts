import { addEcho } from './effects/echo.js';
import { limit, squeeze, warm } from './effects/dynamics.js';
import { shapeMaster } from './effects/equaliser.js';
import { levelTo } from './effects/loudness.js';
import { addRoom } from './effects/room.js';
import { fadePerSample, fromDecibels, silence, type StereoPcm, toSamples } from './dsp/pcm.js';
import type { Mix, MixName, Part, Strip } from './score/song.js';
import { songs, type SongName } from './songs/songs.js';

const { max, min } = Math;

/** The buses of a mix. The sends hold every second sample, because echo and room are dull anyway. */
type Buses = { master: StereoPcm; room: Float32Array; echo: Float32Array; ducking: Float32Array };

/** Renders one version of a song at 44.1 kHz: identical samples on every run, peaks at least 2 dB below full scale. `until` (seconds) renders only the beginning. */
export const renderSong = (song: SongName, mixName: MixName, until = Number.POSITIVE_INFINITY): StereoPcm => {
  const { duration, parts, mixes } = songs[song];
  const mix = mixes[mixName];
  if (!mix) throw new RangeError(`${song} has no mix ${mixName}`);
  const played = parts(mixName);
  const samples = toSamples(min(duration, until));
  const track = silence(samples);
  const buses: Buses = {
    master: silence(samples),
    room: new Float32Array((samples >> 1) + 1),
    echo: new Float32Array((samples >> 1) + 1),
    ducking: duckingOf(played, samples),
  };
  for (const name of new Set(played.map((part) => part.name))) {
    const strip = mix.strips[name];
    const players = played.filter((part) => part.name === name && part.notes.length > 0);
    if (strip && players.length > 0) playStrip(players, strip, track, buses);
  }
  addEcho(buses.echo, buses.master, buses.room, mix.echo);
  addRoom(buses.room, buses.master, mix.room);
  finish(buses.master, mix);
  return buses.master;
};

const playStrip = (players: readonly Part[], strip: Strip, track: StereoPcm, buses: Buses): void => {
  track.left.fill(0);
  track.right.fill(0);
  for (const { instrument, notes } of players) for (const note of notes) instrument(track, note);
  mixInto(track, strip, buses);
  if (strip.room) send(track, strip, strip.room, buses.room);
  if (strip.echo) send(track, strip, strip.echo, buses.echo);
};

/** Ducks and pans a track where it sounds, and adds it to the master. */
const mixInto = (track: StereoPcm, { level, pan = 0, duck = 0 }: Strip, { master, ducking }: Buses): void => {
  const leftGain = fromDecibels(level) * Math.cos(((pan + 1) * Math.PI) / 4) * Math.SQRT2;
  const rightGain = fromDecibels(level) * Math.sin(((pan + 1) * Math.PI) / 4) * Math.SQRT2;
  const { left, right } = track;
  const { left: masterLeft, right: masterRight } = master;
  for (let index = 0; index < left.length; index++) {
    const heardLeft = left[index] ?? 0;
    const heardRight = right[index] ?? 0;
    if (heardLeft === 0 && heardRight === 0) continue;
    const under = 1 - duck * (ducking[index] ?? 0);
    masterLeft[index] = (masterLeft[index] ?? 0) + heardLeft * leftGain * under;
    masterRight[index] = (masterRight[index] ?? 0) + heardRight * rightGain * under;
  }
};

const send = ({ left, right }: StereoPcm, { level }: Strip, share: number, into: Float32Array): void => {
  const gain = 0.5 * share * fromDecibels(level);
  for (let index = 0; index < left.length; index += 2) {
    const heard = (left[index] ?? 0) + (right[index] ?? 0);
    if (heard !== 0) into[index >> 1] = (into[index >> 1] ?? 0) + heard * gain;
  }
};

/** How far other parts are ducked by the kick: 1 at each stroke, back to 0 within a beat. */
const duckingOf = (parts: readonly Part[], samples: number): Float32Array => {
  const ducking = new Float32Array(samples);
  const fade = fadePerSample(0.085);
  for (const { at, velocity } of parts.find(({ name }) => name === 'kick')?.notes ?? []) {
    const start = max(0, toSamples(at) - 90);
    const end = min(samples, start + toSamples(0.4));
    let depth = velocity;
    for (let index = start; index < end; index++) {
      ducking[index] = max(ducking[index] ?? 0, depth * min(1, (index - start) / 90));
      depth *= fade;
    }
  }
  return ducking;
};

/** In decibels; 2 dB below full scale leave headroom for peaks between the samples. */
const CEILING = -2;

/** The mastering chain: tone, compression at a known level, loudness, and the limiter last. */
const finish = (master: StereoPcm, { master: settings }: Mix): void => {
  shapeMaster(master, settings);
  levelTo(master, -18);
  squeeze(master, 0.18, settings.squeeze);
  levelTo(master, settings.loudness);
  warm(master, settings.drive);
  limit(master, CEILING);
};
