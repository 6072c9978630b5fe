/** The decoded audio of one track at the context's rate. A mono track has the same array twice. */
export interface TrackAudio {
  readonly id: string;
  readonly left: Float32Array;
  readonly right: Float32Array;
  readonly frames: number;
}

const EMPTY = new Float32Array();
const HALF_POWER = Math.SQRT1_2;

export function trackAudio(id: string, [left = EMPTY, right = left]: readonly Float32Array[]): TrackAudio {
  return { id, left, right, frames: Math.min(left.length, right.length) };
}

export const isMono = (audio: TrackAudio): boolean => audio.left === audio.right;

/**
 * At most two channels, by the mixing rules of Web Audio for speakers (https://www.w3.org/TR/webaudio/#UpMix-sub). Of other layouts it keeps the first two.
 * The mix is made in the first two arrays. Call it on the page, because a long file would block the audio thread.
 */
export function toStereo(channels: readonly Float32Array[]): readonly Float32Array[] {
  const [left, right, third, fourth, fifth, sixth] = channels;
  if (!left || !right || !third || !fourth) return channels.slice(0, 2);
  if (channels.length === 4) return [mix(left, 0.5, [[third, 0.5]]), mix(right, 0.5, [[fourth, 0.5]])];
  if (channels.length !== 6 || !fifth || !sixth) return [left, right];
  const centre = [third, HALF_POWER] as const;
  return [mix(left, 1, [centre, [fifth, HALF_POWER]]), mix(right, 1, [centre, [sixth, HALF_POWER]])];
}

function mix(into: Float32Array, gain: number, others: readonly (readonly [Float32Array, number])[]): Float32Array {
  for (let at = 0; at < into.length; at++) {
    let sum = gain * (into[at] ?? 0);
    for (const [other, weight] of others) sum += weight * (other[at] ?? 0);
    into[at] = sum;
  }
  return into;
}
