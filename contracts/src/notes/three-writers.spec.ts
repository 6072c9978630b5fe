import { expect, test } from '@jest/globals';
import { rebaseSplice } from './note-merge.js';
import { applySplice, type Change, changeOf, fitsText, type Splice } from './note-splice.js';

/** A generator of numbers from 0 up to 1, the same for a seed on every run (xorshift). */
function seeded(seed: number): () => number {
  let state = (seed * 2_654_435_761) | 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

/** What was saved, in order. Every writer receives these and applies them to a copy of their own. */
interface Saved {
  readonly texts: string[];
  readonly splices: Splice[];
}
/** A writer's copy, as of so many saves. */
interface Writer {
  copy: string;
  seen: number;
}

/** What must be true of the result: which characters were saved, which of them a saved splice removed, and what conflicted. */
class Tally {
  readonly inserted = new Set<string>();
  readonly removed = new Set<string>();
  conflicts = 0;
  rebased = 0;
}

function play(seed: number, rounds: number): { readonly saved: Saved; readonly writers: readonly Writer[]; readonly tally: Tally } {
  const random = seeded(seed);
  const below = (limit: number): number => Math.floor(random() * limit);
  const saved: Saved = { texts: [''], splices: [] };
  const writers = Array.from({ length: 3 }, (): Writer => ({ copy: '', seen: 0 }));
  const tally = new Tally();
  let made = 0;
  // Every second character is a surrogate pair.
  const distinct = (count: number): string =>
    Array.from({ length: count }, () => String.fromCodePoint(((made += 1) % 2 === 0 ? 0x4e00 : 0x20000) + made)).join('');

  /** A random splice of a copy, at boundaries of whole characters. */
  const someSplice = (copy: string): Splice => {
    const characters = Array.from(copy);
    const start = below(characters.length + 1);
    const removed = random() < 0.4 ? below(Math.min(4, characters.length - start + 1)) : 0;
    return {
      at: characters.slice(0, start).join('').length,
      removed: characters.slice(start, start + removed).join('').length,
      inserted: distinct(removed === 0 ? 1 + below(3) : below(3)),
    };
  };
  const receive = (writer: Writer, until: number): void => {
    for (const splice of saved.splices.slice(writer.seen, until)) writer.copy = applySplice(writer.copy, splice);
    writer.seen = Math.max(writer.seen, until);
  };

  for (let round = 0; round < rounds; round += 1) {
    const writer = writers[below(writers.length)];
    if (writer === undefined) throw new Error('no writer');
    // Messages arrive late: a writer has seen any number of the newest saves.
    if (random() < 0.6) receive(writer, writer.seen + below(saved.splices.length - writer.seen + 1));
    const splice = someSplice(writer.copy);
    expect(fitsText(writer.copy, splice)).toBe(true);
    const later: readonly Change[] = saved.splices.slice(writer.seen).map(changeOf);
    const rebased = rebaseSplice(splice, later);
    if (rebased === null) {
      tally.conflicts += 1;
      receive(writer, saved.splices.length);
      continue;
    }
    if (later.length > 0) tally.rebased += 1;
    const current = saved.texts.at(-1) ?? '';
    expect(fitsText(current, rebased)).toBe(true);
    expect(current.slice(rebased.at, rebased.at + rebased.removed)).toBe(writer.copy.slice(splice.at, splice.at + splice.removed));
    for (const character of splice.inserted) tally.inserted.add(character);
    for (const character of writer.copy.slice(splice.at, splice.at + splice.removed)) tally.removed.add(character);
    saved.splices.push(rebased);
    saved.texts.push(applySplice(current, rebased));
  }
  for (const writer of writers) receive(writer, saved.splices.length);
  return { saved, writers, tally };
}

test.each(Array.from({ length: 40 }, (_, at) => at + 1))(
  'three writers with random splices and delays (seed %i): every character that no saved splice removed is there once, and all copies are equal',
  (seed) => {
    const { saved, writers, tally } = play(seed, 200);
    const text = saved.texts.at(-1) ?? '';
    expect(writers.map(({ copy }) => copy)).toEqual([text, text, text]);
    const expected = [...tally.inserted].filter((character) => !tally.removed.has(character));
    expect([new Set(text), Array.from(text).length]).toEqual([new Set(expected), expected.length]);
    // Both paths were exercised: changes were merged, and some conflicted.
    expect(Math.min(tally.rebased, tally.conflicts)).toBeGreaterThan(0);
  },
);
