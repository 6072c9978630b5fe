import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Person, startApp, type TestApp } from '../testing/app.js';
import { aProjectWith, analysed, smallWav, upload } from '../testing/project-over-http.js';
import { type Answer, expectRefused, statusAndCode } from '../testing/test-client.js';

let app: TestApp;
let ana: Person;
let bob: Person;

beforeAll(async () => {
  app = await startApp();
  [ana, bob] = await app.people('Ana', 'Bob');
});
afterAll(() => app.stop());

/** A project of this user with uploads that are ready for use. @returns what uses each of them */
async function usesOf(who: Person, count: number): Promise<readonly (() => Promise<Answer>)[]> {
  const { projectId, versionId } = await aProjectWith(who);
  await analysed(who, versionId);
  const ready = [];
  for (let at = 0; at < count; at += 1) ready.push(await upload(who, smallWav(), { projectId }));
  return ready.map(
    ({ uploadId }) =>
      () =>
        who.post('/api/media', { submission: { projectId, uploadId, tinySummary: 'x' } }),
  );
}

test('a person with eight waiting uploads gets 503 for the ninth, which can be used later; nothing waiting is copied, and others do not wait', async () => {
  const uses = await usesOf(ana, 9);
  const [another] = await usesOf(bob, 1);
  await app.reactorsIdle();
  const before = await app.blobs();
  let endTurn = (): void => undefined;
  const turn = app.inside.audio.turns.probe.run(ana.uid, () => new Promise<void>((resolve) => (endTurn = resolve)));
  const answers = uses.map((use) => use());
  const first = await Promise.race(answers.map(async (answer, at) => ({ at, answer: await answer })));
  expectRefused(first.answer, 'upload.busy');
  expect([first.answer.status, first.answer.headers.get('Retry-After')]).toEqual([503, '5']);
  expect(await app.blobs()).toEqual(before);
  expect((await another?.())?.status).toBe(201);
  endTurn();
  await turn;
  expect((await Promise.all(answers)).map(statusAndCode).toSorted()).toEqual([...Array.from({ length: 8 }, () => '201'), '503 upload.busy']);
  expect((await uses[first.at]?.())?.status).toBe(201);
});
