/** A seeded random number generator for [0, 1) (mulberry32). */
export function seeded(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A whole number from `least` to `most`. */
export const between = (random, least, most) => least + Math.floor(random() * (most - least + 1));
/** One member of a list. */
export const oneOf = (random, list) => list[Math.floor(random() * list.length)];
