import type { Section } from './song.js';

/** The timing of beats: bars of equal length, with the second half of each beat delayed by swing (0.5 is straight, 0.66 triplets). */
export type Clock = { beatsPerBar: number; beatSeconds: number; swing: number };

export const secondsAt = (clock: Clock, beat: number): number => {
  const whole = Math.floor(beat);
  const part = beat - whole;
  const swung = part < 0.5 ? part * 2 * clock.swing : clock.swing + (part - 0.5) * 2 * (1 - clock.swing);
  return (whole + swung) * clock.beatSeconds;
};

export const barSeconds = (clock: Clock, bar: number): number => bar * clock.beatsPerBar * clock.beatSeconds;

/** Turns section names and their lengths in bars into times. */
export const layOut = (clock: Clock, plan: readonly (readonly [name: string, bars: number])[]): Section[] => {
  let bar = 0;
  return plan.map(([name, bars]) => {
    const start = barSeconds(clock, bar);
    bar += bars;
    return { name, start, end: barSeconds(clock, bar) };
  });
};
