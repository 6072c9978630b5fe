import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { StoredEvent } from '../../kernel/event.js';
import { projector, put, remove, update } from '../../kernel/projector.js';
import { slices } from '../../slices.js';
import { type TestStores, openTestStores } from '../../testing/test-stores.js';
import { aProject } from '../../testing/project-history.js';
import { documentsOf, firstGeneration, inBatchesOf, projectInto } from '../../testing/projected-documents.js';
import { storedEvent } from '../../testing/stored-event.js';
import { storedSamples } from '../../testing/stored-samples.js';
import { EventUnreadable, type Opened } from '../streams/opened-events.js';
import { applyBatch } from './projection-batch.js';
import type { Generation } from './projection-generations.js';

/** A project in which everything was done at least twice, behind the stored samples. */
const samples = storedSamples();
const busy = aProject('p2')
  .beginningAt(samples.length + 1)
  .ownedBy('ana')
  .withVersion('v1')
  .sharedWith('bob')
  .sharedWith('carl', { write: true })
  .analysed('v1')
  .withRegion('r1', { by: 'bob' })
  .withRegion('r2', { by: 'carl' })
  .withComment('c1', { by: 'bob', tags: ['r1'] })
  .withReply('c2', { by: 'ana', to: 'c1', tags: ['r1'] })
  .withReply('c3', { by: 'carl', to: 'c1', tags: ['r2'] })
  .rated('c1', { by: 'ana', to: 'likes' })
  .rated('c1', { by: 'carl', to: 'negs' })
  .rated('c1', { by: 'ana', from: 'likes', to: 'negs' })
  .withoutComment('c1', { by: 'bob', gone: [], tags: ['r1'] })
  .withoutComment('c2', { by: 'ana', gone: ['c2'], replyTo: 'c1', tags: ['r1'] })
  .withVersion('v2', { by: 'carl' })
  .rejected('v2')
  .replaced('v2', 'u9', { by: 'carl' })
  .analysed('v2', 'upload-v2')
  .withoutRegion('r1', { by: 'bob' })
  .without('bob')
  .made('public')
  .withoutVersion('v1');
const events: readonly StoredEvent[] = [...samples, ...busy.events];

let testStores: TestStores;

describe.each(slices.projectors.map((each) => [each.name, each] as const))('the projector of %s', (_name, subject) => {
  beforeAll(async () => {
    testStores = await openTestStores();
  });
  afterAll(() => testStores.close());

  test('builds the same documents in one batch, event by event, from events delivered twice, and after its checkpoint was set back', async () => {
    await projectInto(testStores.documents, subject, [events]);
    const once = await documentsOf(testStores.documents, subject, events);
    const ways: Readonly<Record<string, readonly (readonly StoredEvent[])[]>> = {
      'event by event': inBatchesOf(1, events),
      'each event twice': events.flatMap((event) => [[event], [event]]),
      'each batch twice': inBatchesOf(7, events).flatMap((batch) => [batch, batch]),
      'all of it twice': [events, events],
      'set back again and again': [events.slice(0, 20), events.slice(5, 30), ...inBatchesOf(4, events.slice(10)), ...inBatchesOf(3, events)],
    };
    for (const [name, batches] of Object.entries(ways)) {
      const other = await testStores.otherDocuments(`${name}.db`);
      await projectInto(other, subject, batches);
      expect({ name, documents: await documentsOf(other, subject, events) }).toEqual({ name, documents: once });
    }
  });
});

interface Note {
  readonly words: readonly string[];
}
let refusals = 0;
const notes = projector<{ Said: { id: string; word: string }; Copied: { id: string; to: string }; Dropped: { id: string } }>(
  { name: 'notes', version: 3, collections: [{ name: 'notes', indexes: [] }] },
  {
    Said: ({ data }) => {
      if (data.word === 'unspeakable') throw new Error('no');
      if (data.word === 'moody' && (refusals -= 1) >= 0) throw new Error('not now');
      if (data.word === 'start') return [put<Note>('notes', data.id, { words: ['start'] })];
      return [update<Note>('notes', data.id, ({ words }) => ({ words: [...words, data.word] }))];
    },
    Copied: ({ data }) => [
      update<Note>('notes', data.to, ({ words }) => ({ words: [...words, 'copied'] })),
      update<Note>('notes', data.id, () => {
        throw new Error('in the middle');
      }),
    ],
    Dropped: ({ data }) => [remove('notes', data.id)],
  },
);
const said = (position: number, id: string, word: string) => storedEvent({ type: 'Said', data: { id, word } }, { stream: `note-${id}`, revision: 0, position });
let generation: Generation;
const apply = (...batch: readonly (StoredEvent | EventUnreadable)[]) => {
  const opened = batch.map((each): Opened => (each instanceof EventUnreadable ? { failure: each } : { event: each }));
  return applyBatch({ generation, events: opened, documents: testStores.documents, log: testStores.log });
};
const note = (id: string) => testStores.documents.get('notes_v3_g1', id);
const open = async (): Promise<void> => {
  generation = firstGeneration(notes);
  testStores = await openTestStores();
  await testStores.documents.declare({ name: 'notes_v3_g1', indexes: [] });
};

describe('a batch', () => {
  beforeEach(open);
  afterEach(() => testStores.close());

  test('advances documents and checkpoint together, even when no event concerns it', async () => {
    await apply(said(1, 'a', 'start'), said(2, 'a', 'one'), said(3, 'a', 'two'));
    expect(await note('a')).toEqual({ words: ['start', 'one', 'two'] });
    expect(await testStores.documents.checkpoint('notes')).toBe(3);
    await apply(storedEvent({ type: 'Unheard', data: {} }, { stream: 'x', revision: 0, position: 4 }));
    expect(await testStores.documents.checkpoint('notes')).toBe(4);
  });

  test('ignores updates of missing documents, and changes nothing if it is empty', async () => {
    await apply(said(1, 'a', 'one'));
    await apply();
    expect(await note('a')).toBeNull();
    expect(await testStores.documents.checkpoint('notes')).toBe(1);
  });

  test('a late event does not bring back a removed document', async () => {
    const drop = storedEvent({ type: 'Dropped', data: { id: 'a' } }, { stream: 'note-a', revision: 1, position: 2 });
    await apply(said(1, 'a', 'start'), drop);
    await apply(said(1, 'a', 'start'));
    expect(await note('a')).toBeNull();
  });

  test('an event that fails parks its stream only, even after a restart', async () => {
    await apply(said(1, 'a', 'start'), said(2, 'b', 'start'), said(3, 'a', 'unspeakable'), said(4, 'a', 'late'), said(5, 'b', 'fine'));
    await apply(said(6, 'a', 'later'), said(7, 'b', 'too'));
    expect([await note('a'), await note('b')]).toEqual([{ words: ['start'] }, { words: ['start', 'fine', 'too'] }]);
    const parked = { stream: 'note-a', position: 3, type: 'Said', reason: 'projection' };
    expect([...generation.parked.values()]).toEqual([parked]);
    expect(await testStores.documents.fact('parked notes')).toBe(JSON.stringify([parked]));
    expect(testStores.logged).toMatchObject([
      { level: 'error', message: 'stream parked', facts: { projector: 'notes', stream: 'note-a', position: 3, type: 'Said', reason: 'projection' } },
    ]);
  });

  test('an event that fails half-way has no effect', async () => {
    const copied = storedEvent({ type: 'Copied', data: { id: 'a', to: 'b' } }, { stream: 'note-a', revision: 1, position: 3 });
    await apply(said(1, 'a', 'start'), said(2, 'b', 'start'), copied, said(4, 'b', 'fine'));
    expect([await note('a'), await note('b')]).toEqual([{ words: ['start'] }, { words: ['start', 'fine'] }]);
  });
});

describe('an event that fails', () => {
  beforeEach(open);
  afterEach(() => testStores.close());

  test('for a transient reason is retried and parks nothing', async () => {
    refusals = 2;
    await apply(said(1, 'a', 'start'), said(2, 'a', 'moody'), said(3, 'a', 'late'));
    expect(await note('a')).toEqual({ words: ['start', 'moody', 'late'] });
    expect([...generation.parked]).toEqual([]);
  });

  test('does not block earlier events that are delivered again after a kill between parking the stream and saving the batch', async () => {
    const batch = [said(1, 'a', 'start'), said(2, 'a', 'one'), said(3, 'a', 'unspeakable'), said(4, 'a', 'late')];
    generation.parked.set('note-a', { stream: 'note-a', position: 3, type: 'Said', reason: 'projection' });
    await apply(...batch);
    expect(await note('a')).toEqual({ words: ['start', 'one'] });
  });

  test('because it is unreadable parks its stream for the projectors that handle its type, or for all if its type is unknown', async () => {
    const unreadable = (position: number, type: string, reason: 'sealed' | 'unknown-type') =>
      new EventUnreadable(storedEvent({ type, data: {} }, { stream: `note-${position}`, revision: 0, position }), reason);
    await apply(unreadable(1, 'Said', 'sealed'), unreadable(2, 'Elsewhere', 'sealed'), unreadable(3, 'Unknown', 'unknown-type'), said(4, 'a', 'start'));
    expect([...generation.parked.values()].map(({ stream, reason }) => [stream, reason])).toEqual([
      ['note-1', 'sealed'],
      ['note-3', 'unknown-type'],
    ]);
    expect([await note('a'), await testStores.documents.checkpoint('notes')]).toEqual([{ words: ['start'] }, 4]);
  });
});
