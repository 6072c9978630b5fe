import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ProjectView } from '@roughmix/contracts/projects/project.view.js';
import { sha256 } from '@roughmix/contracts/shared/sha256.js';
import { type Person, startApp, type TestApp } from '../testing/app.js';
import { analysed, aProjectWith, type CreatedProject } from '../testing/project-over-http.js';
import type { Answer } from '../testing/test-client.js';
import { channelsAndTypes, receivedDuring, TestSockets } from '../testing/test-sockets.js';
import { isAside, type TestSocket } from '../testing/test-socket.js';

const listening = new TestSockets();
let app: TestApp;
let ana: Person;
let bob: Person;
let sharedProject: CreatedProject;
let owner: TestSocket;
let others: readonly TestSocket[];

beforeAll(async () => {
  app = await startApp();
  const [one, two, uma] = await app.people('Ana', 'Bob', 'Uma');
  [ana, bob] = [one, two];
  sharedProject = await aProjectWith(ana, { collaborators: [bob], isPublic: true });
  await analysed(ana, sharedProject.versionId);
  owner = await listening.socket(ana, sharedProject.projectId);
  others = [await listening.socket(bob, sharedProject.projectId), await listening.socket(uma, sharedProject.projectId)];
});
afterAll(() => listening.stop(app));

const save = (who: Person, notes: object): Promise<Answer> => who.put(`/api/projects/${sharedProject.projectId}`, { submission: { owner: { notes } } });
const during = (call?: () => Promise<Answer>) => receivedDuring(ana, sharedProject.projectId, [owner, ...others], call);

test('the public note is pushed to members and visitors, with the actor and the command', async () => {
  const { received, answer } = await during(() => save(bob, { public: 'Tune the snare' }));
  const notes = { public: 'Tune the snare', hash: { public: sha256('Tune the snare') } };
  const facts = { type: 'ProjectNotes', projectId: sharedProject.projectId, actorUid: bob.uid, commandId: answer?.headers.get('x-command-id') };
  expect(received.map(channelsAndTypes)).toEqual([['projects ProjectNotes'], ['projects ProjectNotes'], ['projects ProjectNotes']]);
  for (const [push] of received) expect(push?.body).toMatchObject(facts);
  for (const [push] of received) expect(push?.body.view).toMatchObject({ position: push?.body.position });
  expect(received.map(([push]) => (push?.body.view as ProjectView | undefined)?.owner.notes)).toEqual([notes, notes, notes]);
});

test("the private note is pushed to its owner's own room only, under the same command as the public one", async () => {
  const { received, answer } = await during(() => save(ana, { public: 'Tune the toms', private: 'Ask Bob' }));
  const [toOwner = [], ...toOthers] = received;
  expect(toOthers.map(channelsAndTypes)).toEqual([['projects ProjectNotes'], ['projects ProjectNotes']]);
  expect(JSON.stringify(toOthers)).not.toMatch(/private"|Ask Bob/);
  expect(channelsAndTypes(toOwner)).toEqual(['projects ProjectNotes', 'projects ProjectNotes']);
  expect(toOwner.map(({ body }) => body.commandId)).toEqual(Array.from({ length: 2 }, () => answer?.headers.get('x-command-id')));
  expect(toOwner[1]?.body.view).toMatchObject({
    owner: { notes: { public: 'Tune the toms', private: 'Ask Bob', hash: { public: sha256('Tune the toms'), private: sha256('Ask Bob') } } },
    position: toOwner[1]?.body.position,
  });
});

test('an owner who returns gets the private note they missed in their own room, and nobody else gets it', async () => {
  const seats = await Promise.all(
    [ana, bob].map(async (who) => {
      const left = await listening.socket(who);
      const answer = await left.ask('login');
      left.close();
      return { who, after: answer.ok ? answer.position : -1 };
    }),
  );
  await save(ana, { private: 'Ask Carl' });
  await during();
  const returned = await Promise.all(
    seats.map(async ({ who, after }) => {
      const again = await listening.socket(who);
      await again.ask('login', { after });
      return again.received.filter((each) => !isAside(each));
    }),
  );
  expect(returned.map(channelsAndTypes)).toEqual([['projects ProjectNotes'], []]);
  expect(returned[0]?.[0]?.body.view).toMatchObject({ owner: { notes: { private: 'Ask Carl' } } });
});

test('a member who returns to the project gets the public note they missed, and nothing of the private one', async () => {
  const left = await listening.socket(bob);
  const joined = await left.join(sharedProject.projectId);
  left.close();
  await save(ana, { public: 'Tune everything', private: 'Ask Dora' });
  await during();
  const again = await listening.socket(bob);
  await again.ask('in-project', { projectId: sharedProject.projectId, after: joined.ok ? joined.position : -1 });
  const received = again.received.filter(({ channel, body }) => channel === 'projects' && body.type !== 'ProjectName');
  expect(channelsAndTypes(received)).toEqual(['projects ProjectNotes']);
  expect(JSON.stringify(again.received)).not.toMatch(/private"|Ask Dora/);
});
