import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { EventMeta, StoredEvent } from './kernel/event.js';
import { EmbeddedEventStore } from './platform/event-store/embedded-event-store.js';
import { type Person, startApp, type TestApp } from './testing/app.js';
import { aProjectWith, smallWav, type CreatedProject, upload } from './testing/project-over-http.js';
import { bodyOf } from './testing/test-client.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const TRACEPARENT = `00-${TRACE}-00f067aa0ba902b7-01`;

let app: TestApp;
let ana: Person;
let project: CreatedProject;

beforeAll(async () => {
  app = await startApp();
  ana = await app.person('Ana');
  project = await aProjectWith(ana);
});
afterAll(() => app.stop());

/** Every event in the log, read between two runs of the program. */
async function storedEvents(): Promise<readonly StoredEvent[]> {
  let events: readonly StoredEvent[] = [];
  await app.reactorsIdle();
  await app.restart(async () => {
    const store = await EmbeddedEventStore.open({ file: join(app.folder, 'log.db') });
    events = await store.readAll({ after: 0 });
    await store.close();
  });
  return events;
}

const metaOf = (event: StoredEvent | undefined): Pick<EventMeta, 'correlationId' | 'causationId' | 'traceparent'> => {
  const { correlationId = '', causationId = null, traceparent } = event?.meta ?? {};
  return { correlationId, causationId, ...(traceparent === undefined ? {} : { traceparent }) };
};

test('a trace continues from the request to its events and to the events of reactors', async () => {
  const { projectId } = project;
  const { uploadId } = await upload(ana, smallWav(330), { projectId });
  const submission = { projectId, uploadId, tinySummary: 'Louder', updateType: 'minor' };
  bodyOf(await ana.post('/api/media', { submission }, { traceparent: TRACEPARENT, tracestate: 'vendor=1' }));
  const plain = await ana.post('/api/comments', { projectId, submission: { content: 'without a trace' } }, { traceparent: 'x' });
  expect(plain.status).toBe(201);
  const events = await storedEvents();
  const [added, analysed, commented] = ['VersionAdded', 'VersionAnalyzed', 'CommentAdded'].map((type) => events.findLast((event) => event.type === type));
  expect(metaOf(added)).toEqual({ correlationId: TRACE, causationId: null, traceparent: TRACEPARENT });
  expect(metaOf(analysed)).toEqual({ correlationId: TRACE, causationId: added?.id, traceparent: TRACEPARENT });
  // Without a trace the request's id, which is also in the response and in its log lines, is the correlation id.
  expect(metaOf(commented)).toEqual({ correlationId: plain.headers.get('x-request-id'), causationId: null });
});
