import { soften } from '../dsp/oscillator.js';
import { fadePerSample, fromDecibels, type StereoPcm, toSamples } from '../dsp/pcm.js';

const { abs, max, min } = Math;

const loudest = (pcm: StereoPcm, index: number): number => max(abs(pcm.left[index] ?? 0), abs(pcm.right[index] ?? 0));

const turn = (pcm: StereoPcm, index: number, gain: number): void => {
  pcm.left[index] = (pcm.left[index] ?? 0) * gain;
  pcm.right[index] = (pcm.right[index] ?? 0) * gain;
};

/** Compresses: levels above the threshold (full scale 1) rise more slowly by the ratio; both channels share one gain. */
export const squeeze = (pcm: StereoPcm, threshold: number, ratio: number): void => {
  const attack = 1 - fadePerSample(0.018);
  const release = 1 - fadePerSample(0.16);
  let heard = 0;
  let gain = 1;
  for (let index = 0; index < pcm.left.length; index++) {
    const now = loudest(pcm, index);
    heard += (now > heard ? attack : release) * (now - heard);
    if ((index & 15) === 0) gain = heard > threshold ? (heard / threshold) ** (1 / ratio - 1) : 1;
    turn(pcm, index, gain);
  }
};

/** Saturates peaks before the limiter; drive 0 changes nothing. */
export const warm = (pcm: StereoPcm, drive: number): void => {
  if (drive <= 0) return;
  const push = 0.4 + drive;
  for (const channel of [pcm.left, pcm.right])
    for (let index = 0; index < channel.length; index++) channel[index] = soften((channel[index] ?? 0) * push) / push;
};

const LOOK_AHEAD = toSamples(0.004);

/** Limits to a ceiling (decibels below full scale): the gain drops before a peak arrives and recovers slowly. */
export const limit = (pcm: StereoPcm, ceiling: number): void => {
  const top = fromDecibels(ceiling);
  const { length } = pcm.left;
  const needed = new Float32Array(length + LOOK_AHEAD).fill(1);
  const release = 1 - fadePerSample(0.07);
  lowestAhead(pcm, top, needed);
  let recovering = 1;
  for (let index = 0; index < needed.length; index++) {
    recovering = min(needed[index] ?? 1, recovering + release * (1 - recovering));
    needed[index] = recovering;
  }
  let sum = LOOK_AHEAD;
  for (let index = 0; index < length; index++) {
    sum += (needed[index] ?? 1) - (index >= LOOK_AHEAD ? (needed[index - LOOK_AHEAD] ?? 1) : 1);
    turn(pcm, index, min(sum / LOOK_AHEAD, top / max(top, loudest(pcm, index))));
  }
};

/** For each sample the smallest gain that the coming ones need, by a monotonic queue. */
const lowestAhead = (pcm: StereoPcm, top: number, needed: Float32Array): void => {
  const queue = new Int32Array(LOOK_AHEAD + 2);
  const gains = new Float64Array(LOOK_AHEAD + 2);
  const size = queue.length;
  let [head, tail] = [0, 0];
  for (let index = 0; index < pcm.left.length + LOOK_AHEAD; index++) {
    const gain = index < pcm.left.length ? top / max(top, loudest(pcm, index)) : 1;
    while (tail > head && (gains[(tail - 1) % size] ?? 0) >= gain) tail--;
    queue[tail % size] = index;
    gains[tail % size] = gain;
    tail++;
    const from = index - LOOK_AHEAD;
    while ((queue[head % size] ?? 0) < from) head++;
    if (from >= 0) needed[from] = gains[head % size] ?? 1;
  }
};
