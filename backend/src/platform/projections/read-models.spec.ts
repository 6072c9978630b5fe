import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Refused } from '../../kernel/refusal.js';
import { type TestStores, openTestStores } from '../../testing/test-stores.js';
import { ReadModels } from './read-models.js';
import { ReadProgress } from './read-progress.js';
import { recordWrite } from './read-scope.js';

let testStores: TestStores;
let reads: ReadModels;
const write = async (physical: string, text: string): Promise<void> => {
  await testStores.documents.declare({ name: physical, indexes: [] });
  await testStores.documents.save({ projector: physical, checkpoint: 1, writes: [{ collection: physical, id: 'a', body: { text }, position: 1 }] });
};

beforeEach(async () => {
  testStores = await openTestStores();
  reads = new ReadModels(testStores.documents);
  await write('notes_v1_g1', 'first');
  await write('notes_v1_g2', 'second');
  reads.serve([['notes', 'notes_v1_g1']]);
});
afterEach(() => testStores.close());

test('a collection that is not served yet is refused for now; an unknown one is an error', async () => {
  reads.withdraw(['notes']);
  await expect(reads.get('notes', 'a')).rejects.toThrow(new Refused('store.away'));
  await expect(reads.get('others', 'a')).rejects.toThrow('no projector fills others');
});

describe('where another process may replace what is read', () => {
  /** What another process serves now, and how often that was polled. */
  const elsewhere = (physical: string, isFresh: boolean): { polls: number } => {
    const seen = { polls: 0 };
    const poll = (): Promise<void> => {
      seen.polls += 1;
      reads.serve([['notes', physical]]);
      return Promise.resolve();
    };
    reads.pollWith({ isFresh: () => isFresh, poll });
    return seen;
  };

  test('an answer from documents dropped in the meantime is discarded and read again from the served ones', async () => {
    const seen = elsewhere('notes_v1_g2', false);
    await testStores.documents.drop('notes_v1_g1');
    expect([await reads.get('notes', 'a'), seen.polls]).toEqual([{ text: 'second' }, 1]);
  });

  test('an answer from a generation polled too long ago is read again from the served one', async () => {
    const seen = elsewhere('notes_v1_g2', false);
    expect([await reads.getMany('notes', ['a']), seen.polls]).toEqual([[{ text: 'second' }], 1]);
  });

  test('an answer from the served generation is returned', async () => {
    const old = elsewhere('notes_v1_g1', false);
    expect([await reads.get('notes', 'a'), old.polls]).toEqual([{ text: 'first' }, 1]);
    const fresh = elsewhere('notes_v1_g2', true);
    expect([await reads.get('notes', 'a'), fresh.polls]).toEqual([{ text: 'first' }, 0]);
  });
});

describe('reads as of a position', () => {
  const LONG_MS = 60_000;
  let progress: ReadProgress;
  const serve = (maxWaitMs: number): void => {
    progress = new ReadProgress(undefined, maxWaitMs);
    reads.serve([
      ['notes', 'notes_v1_g1', progress],
      ['others', 'notes_v1_g2', new ReadProgress(undefined, maxWaitMs)],
    ]);
  };
  const read = () => reads.get<{ text: string }>('notes', 'a');

  test('wait for the collection that they read, and for no other', async () => {
    serve(LONG_MS);
    let hasRead = false;
    const reading = reads.asOf(7, read).then((found) => {
      hasRead = true;
      return found;
    });
    progress.saved.reach(6);
    await reads.asOf(6, read);
    expect(hasRead).toBe(false);
    progress.saved.reach(7);
    expect(await reading).toEqual({ text: 'first' });
  });

  test('are refused if that takes too long; plain reads and reads of a reached position are not', async () => {
    serve(1);
    await expect(reads.asOf(1, read)).rejects.toThrow(new Refused('store.away'));
    expect(await read()).toEqual({ text: 'first' });
    expect(await reads.asOf(0, read)).toEqual({ text: 'first' });
  });

  test('continue with older documents after a timeout if the position is not required', async () => {
    serve(LONG_MS);
    expect(await reads.asOfWithin(7, 1, async () => [await read(), await read()])).toEqual([{ text: 'first' }, { text: 'first' }]);
  });

  test('wait for the writes of the work itself', async () => {
    serve(1);
    const work = async (): Promise<void> => {
      await read();
      recordWrite('note-a', 5);
      await expect(reads.asOf(2, read)).rejects.toThrow(new Refused('store.away'));
      progress.saved.reach(5);
      expect(await read()).toEqual({ text: 'first' });
    };
    await reads.asOf(0, work);
  });

  test('never reuse an answer that is older than their position', async () => {
    serve(LONG_MS);
    const { seen } = await reads.recordReads(read);
    const isSame = (position: number) => reads.asOf(position, () => reads.areUnchanged(seen ?? []));
    expect([isSame(0), isSame(7)]).toEqual([true, false]);
    progress.saved.reach(7);
    expect(isSame(7)).toBe(true);
  });

  test('tell a position that they contain: what was reached before, or what they wait for', () => {
    serve(LONG_MS);
    progress.saved.reach(6);
    expect([reads.readTo('notes'), reads.asOf(7, () => reads.readTo('notes')), reads.asOf(5, () => reads.readTo('notes'))]).toEqual([6, 7, 6]);
  });

  test('can wait for the newest position that any collection has shown', async () => {
    serve(1);
    progress.saved.reach(9);
    await expect(reads.caughtUp(() => reads.get('others', 'a'))).rejects.toThrow(new Refused('store.away'));
    expect(await reads.caughtUp(read)).toEqual({ text: 'first' });
  });
});

describe('a stream that a projector has parked', () => {
  const served = (parked: ReadonlySet<string>): void => {
    const progress = new ReadProgress(undefined, 1);
    progress.parked = parked;
    reads.serve([['notes', 'notes_v1_g1', progress]]);
  };
  const afterWriting = (stream: string, id: string) =>
    reads.asOf(0, () => {
      recordWrite(stream, 0);
      return reads.getMany('notes', [id]);
    });

  test('makes commands on it fail if their answer reads that collection; commands on other streams are answered', async () => {
    served(new Set(['note-a']));
    await expect(afterWriting('note-a', 'a')).rejects.toThrow(new Refused('stream.unreadable'));
    expect(await afterWriting('note-b', 'a')).toEqual([{ text: 'first' }]);
    expect(await afterWriting('note-b', 'missing')).toEqual([]);
    expect([await reads.isParked('notes', 'note-a'), await reads.isParked('notes', 'note-b')]).toEqual([true, false]);
  });

  test('is found by a new poll in a process that does not build, before a missing document counts as removed', async () => {
    served(new Set());
    const poll = (): Promise<void> => Promise.resolve(served(new Set(['note-a'])));
    reads.pollWith({ isFresh: () => true, poll });
    expect(await afterWriting('note-a', 'a')).toEqual([{ text: 'first' }]);
    await expect(afterWriting('note-a', 'missing')).rejects.toThrow(new Refused('stream.unreadable'));
  });
});
