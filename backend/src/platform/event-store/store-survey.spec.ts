import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import type { StoredEvent } from '../../kernel/event.js';
import { type StoreSurvey, surveyStore } from './store-survey.js';

const meta = { actorUid: 'ana', at: 1_700_000_000_000, commandId: 'c', correlationId: 'c', causationId: null };
const whole = (): StoredEvent[] =>
  Array.from({ length: 1_200 }, (_, at) => ({
    id: randomUUID(),
    type: 'Tried',
    data: { at },
    meta,
    stream: `s-${at % 3}`,
    revision: Math.floor(at / 3),
    position: 100 + at * 40,
  }));

/** Surveys a log of these events. */
const surveyOf = (events: readonly StoredEvent[]): Promise<StoreSurvey> => {
  const readAll = async ({ after, limit = 500 }: { readonly after: number; readonly limit?: number }): Promise<readonly StoredEvent[]> => {
    const from = after === 0 ? 0 : events.findIndex(({ position }) => position === after) + 1;
    return events.slice(from, from + limit);
  };
  return surveyStore({ readAll }, new AbortController().signal);
};

/** The problems found in a log after changing one event. */
async function wrongWith(at: number, change: Partial<StoredEvent>): Promise<readonly string[]> {
  return (await surveyOf(whole().map((event, index) => (index === at ? { ...event, ...change } : event)))).wrong;
}

test('the events and streams of an intact log are counted', async () => {
  const { events, streams, head, wrong, more } = await surveyOf(whole());
  expect({ events, streams, head, wrong, more }).toEqual({ events: 1_200, streams: 3, head: 100 + 1_199 * 40, wrong: [], more: 0 });
});

test('a missing event, a repeated id, a falling position and a malformed event are reported with their location', async () => {
  const events = whole();
  const lost = await surveyOf(events.filter((_, at) => at !== 600));
  expect(lost.wrong).toEqual(['position 24220, s-0 at revision 201: expected revision 200']);
  const id = events[2]?.id ?? '';
  const twice = await surveyOf(events.map((event, at) => (at === 9 ? { ...event, id } : event)));
  expect(twice.wrong).toEqual([`position 460, s-0 at revision 3: the id ${id} occurs twice`]);
  expect(await wrongWith(5, { position: 250 })).toEqual(['position 250, s-2 at revision 1: its position is not after 260']);
  expect(await wrongWith(5, { id: 'x' })).toEqual(['position 300, s-2 at revision 1: its id is not a UUID: x']);
  expect(await wrongWith(5, { type: '' })).toEqual(['position 300, s-2 at revision 1: it has no type']);
  expect(await wrongWith(5, { data: new Uint8Array(2) })).toEqual(['position 300, s-2 at revision 1: its data is not a JSON object']);
  expect(await wrongWith(5, { meta: { ...meta, commandId: '' } })).toEqual(['position 300, s-2 at revision 1: its metadata is incomplete']);
});

test('the first 20 problems are listed, and the others counted', async () => {
  const { wrong, more } = await surveyOf(whole().map((event) => ({ ...event, type: '' })));
  expect({ reported: wrong.length, more }).toEqual({ reported: 20, more: 1_180 });
});
