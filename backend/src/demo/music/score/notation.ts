const steps: Record<string, number> = { C: 0, D: 2, E: 4, F: 5, G: 7, A: 9, B: 11 };
const accidentals: Record<string, number> = { '#': 1, b: -1 };

/** Reads a note name such as 'Bb3' as a MIDI number. Throws a RangeError for anything else. */
export const pitchOf = (name: string): number => {
  const [, letter = '', accidental = '', octave = ''] = /^([A-G])([#b]?)(\d)$/.exec(name) ?? [];
  const step = steps[letter];
  if (step === undefined) throw new RangeError(`Not a note: ${name}`);
  return 12 * (Number(octave) + 1) + step + (accidentals[accidental] ?? 0);
};

export type Token = { beat: number; length: number; name: string };

/** Reads 'A4/2 -/1 C5/3 | D5/6' as names with their beats; '-' is a rest, '|' is ignored. */
export const tokensOf = (text: string): Token[] => {
  const tokens: Token[] = [];
  let beat = 0;
  for (const word of text.split(/[\s|]+/).filter(Boolean)) {
    const [name = '', beats = '1'] = word.split('/');
    const length = Number(beats);
    if (name !== '-') tokens.push({ beat, length, name });
    beat += length;
  }
  return tokens;
};

const velocities: Record<string, number> = { X: 1, x: 0.74, o: 0.42, '.': 0 };

/** Reads 'X.o.' as velocities, one per step: X an accent, x a stroke, o a ghost note. */
export const hitsOf = (pattern: string): number[] => pattern.split('').map((step) => velocities[step] ?? 0);
