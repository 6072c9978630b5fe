import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { CommentAddedAnswer } from '@roughmix/contracts/comments/comment.view.js';
import type { CommentEvents } from '@roughmix/contracts/comments/comment.events.js';
import { projectStream } from '@roughmix/contracts/projects/project.events.js';
import type { ListedProjectsAnswer, ProjectAnswer, ProjectsAnswer } from '@roughmix/contracts/projects/project.view.js';
import type { NewEvent } from '../kernel/event.js';
import { masterKeyFrom } from '../platform/auth/secrets.js';
import { EmbeddedEventStore } from '../platform/event-store/embedded-event-store.js';
import { DataKeys } from '../platform/personal-data/data-keys.js';
import { FieldSealer } from '../platform/personal-data/field-sealer.js';
import { EmbeddedVault } from '../platform/vault/embedded-vault.js';
import { slices } from '../slices.js';
import { type Person, startApp, type TestApp } from '../testing/app.js';
import { addVersion, analysed, aProjectWith, comment, region, reply, smallWav, todo, type CreatedProject, upload } from '../testing/project-over-http.js';
import { type Answer, keysOf } from '../testing/test-client.js';

const MINIMAL = { Prefer: 'return=minimal' };
const MASTER_KEY = 'minimal-answers-master-key-51c0e7';

let app: TestApp;
let ana: Person;
let bob: Person;
let people = 0;
let sharedProject: CreatedProject;
beforeAll(async () => {
  app = await startApp({ MASTER_KEY });
  [ana, bob] = await app.people('Ana', 'Bob');
  sharedProject = await aProjectWith(ana, { viewers: [`${bob.uid}-3`] });
});
afterAll(() => app.stop());

type Headers = Readonly<Record<string, string>>;
const summaryOf = ({ status, headers, body }: Answer): unknown => [status, keysOf(body as object), headers.get('preference-applied')];
const inProject = (rest: object): object => ({ projectId: sharedProject.projectId, ...rest });
const words = (content: string) => inProject({ submission: { content } });

/** Each command that returns the project, on items created for it. */
const commands: readonly (readonly [name: string, keys: readonly string[], send: (headers: Headers) => Promise<Answer>])[] = [
  ['a comment', ['newComment', 'oldComment'], (headers) => ana.post('/api/comments', words('Louder'), headers)],
  [
    'a reply',
    ['newComment', 'updatedParentComment'],
    async (headers) => ana.post(`/api/comments/${(await comment(ana, sharedProject.projectId))._id}/reply`, words('Yes'), headers),
  ],
  [
    'an edited comment',
    ['updatedContent'],
    async (headers) => ana.put(`/api/comments/${(await comment(ana, sharedProject.projectId))._id}`, words('Softer'), headers),
  ],
  [
    'a rating',
    ['updatedComment'],
    async (headers) => bob.put(`/api/comments/${(await comment(ana, sharedProject.projectId))._id}/rating`, { type: 'likes', on: true }, headers),
  ],
  [
    'a removed reply',
    ['updatedParentComment'],
    async (headers) => {
      const first = await comment(ana, sharedProject.projectId);
      return ana.post(`/api/comments/${(await reply(ana, sharedProject.projectId, first._id))._id}`, inProject({}), headers);
    },
  ],
  ['a todo', ['newTodo', 'oldTodo'], (headers) => ana.post('/api/todos', words('Louder'), headers)],
  [
    'a reply to a todo',
    ['newTodo', 'updatedParentTodo'],
    async (headers) => ana.post(`/api/todos/${(await todo(ana, sharedProject.projectId))._id}`, words('Yes'), headers),
  ],
  ['an edited todo', ['updatedTodo'], async (headers) => ana.put(`/api/todos/${(await todo(ana, sharedProject.projectId))._id}`, words('Softer'), headers)],
  [
    'a completed todo',
    ['completedTodos'],
    async (headers) => ana.put(`/api/todos/markComplete/${(await todo(ana, sharedProject.projectId))._id}`, {}, headers),
  ],
  ['a removed todo', ['updatedParentTodo'], async (headers) => ana.post(`/api/todos/${(await todo(ana, sharedProject.projectId))._id}/remove`, {}, headers)],
  [
    'a region',
    ['newRegion'],
    (headers) => ana.post('/api/regions', inProject({ submission: { versionId: sharedProject.versionId, start: 0, end: 1 } }), headers),
  ],
  [
    'an edited region',
    ['updatedRegion'],
    async (headers) => ana.put(`/api/regions/${(await region(ana, sharedProject))._id}`, { submission: { end: 1.5 } }, headers),
  ],
  [
    'a post tagged with a child region',
    ['newContent', 'newRegion', 'updatedRegion'],
    async (headers) => {
      const post = { postId: (await comment(ana, sharedProject.projectId))._id, type: 'comment' };
      return ana.put(`/api/taggedRegions/appendChildRegionTags/${(await region(ana, sharedProject))._id}`, { ...post, child: { end: 1.5 } }, headers);
    },
  ],
  ['a removed region', [], async (headers) => ana.post(`/api/regions/${(await region(ana, sharedProject))._id}`, inProject({}), headers)],
  ['an edited project', [], (headers) => ana.put(`/api/projects/${sharedProject.projectId}`, { submission: { description: randomUUID() } }, headers)],
  [
    'an invitation',
    [],
    async (headers) => {
      const { uid } = await app.person('Cleo', `Tester${(people += 1)}`);
      return ana.put(`/api/projects/${ana.uid}/inviteUsers/${sharedProject.projectId}`, { invitedUsers: [uid] }, headers);
    },
  ],
  [
    'changed permissions',
    [],
    (headers) =>
      ana.put(
        `/api/projects/${ana.uid}/editPermissions/${sharedProject.projectId}`,
        { permissionDiffs: [{ uid: bob.uid, permissions: { comment: true, download: true }, write: true }] },
        headers,
      ),
  ],
  [
    'a new version',
    ['currentVersion', 'version', 'versionId', 'versionUrl'],
    async (headers) => {
      const { uploadId } = await upload(ana, smallWav(), { projectId: sharedProject.projectId });
      return ana.post('/api/media', { submission: { projectId: sharedProject.projectId, uploadId, tinySummary: 'Louder' } }, headers);
    },
  ],
  [
    'a confirmed version',
    ['version'],
    (headers) => ana.put(`/api/projects/${sharedProject.projectId}/newVersion`, { versionId: sharedProject.versionId }, headers),
  ],
  ['a removed version', [], async (headers) => ana.post(`/api/media/${(await addVersion(ana, sharedProject.projectId))._id}`, inProject({}), headers)],
];

describe('a request that prefers a minimal response', () => {
  test.each(commands)('%s', async (_name, keys, send) => {
    const minimal = await send(MINIMAL);
    const whole = await send({});
    expect(summaryOf(minimal)).toEqual([whole.status, keys, 'return=minimal']);
    expect(summaryOf(whole)).toEqual([whole.status, [...keys, 'updatedProject'].toSorted(), null]);
  });

  test('gets it for a repeat too, regardless of how the command was sent before', async () => {
    const key = (name: string, headers: Headers): Headers => ({ 'Idempotency-Key': name, ...headers });
    const send = (headers: Headers) => ana.post<CommentAddedAnswer>('/api/comments', words('Again'), headers);
    const whole = await send(key('first-whole', {}));
    const minimal = await send(key('first-whole', MINIMAL));
    expect(summaryOf(minimal)).toEqual([201, ['newComment', 'oldComment'], 'return=minimal']);
    expect([minimal.body.newComment, minimal.headers.get('idempotent-replayed')]).toEqual([whole.body.newComment, 'true']);
    await send(key('first-minimal', MINIMAL));
    expect(summaryOf(await send(key('first-minimal', {})))).toEqual([201, ['newComment', 'oldComment', 'updatedProject'], null]);
  });

  test('gets a new version as the current one', async () => {
    const { uploadId } = await upload(ana, smallWav(), { projectId: sharedProject.projectId });
    const { body } = await ana.post<{ versionId: string; currentVersion: { _id: string } }>(
      '/api/media',
      { submission: { projectId: sharedProject.projectId, uploadId, tinySummary: 'Louder' } },
      MINIMAL,
    );
    expect(body.currentVersion._id).toBe(body.versionId);
  });

  test('gets complete answers to queries', async () => {
    const answer = await ana.get<ProjectAnswer>(`/api/projects/${ana.uid}/${sharedProject.projectId}`, MINIMAL);
    expect([answer.headers.get('preference-applied'), answer.body.project.versionIds.length > 0]).toEqual([null, true]);
  });
});

test('a minimal list of projects has counts of comments and todos, and no ids of items in the projects', async () => {
  const whole = await ana.get<ProjectsAnswer>(`/api/projects/${ana.uid}`);
  const minimal = await ana.get<ListedProjectsAnswer>(`/api/projects/${ana.uid}`, MINIMAL);
  expect([whole.headers.get('preference-applied'), minimal.headers.get('preference-applied')]).toEqual([null, 'return=minimal']);
  expect(minimal.body.projects).toEqual(
    whole.body.projects.map(({ regionIds: _regions, todoIds, completedTodos, commentIds, ...view }) => ({
      ...view,
      commentCount: commentIds.length,
      todoCount: todoIds.length,
      completedTodoCount: completedTodos.length,
    })),
  );
  expect(minimal.body.projects[0]?.commentCount).toBeGreaterThan(5);
});

/** Appends comments to the log directly, 500 per append. */
async function addToLog(folder: string, { projectId }: CreatedProject, revision: number, count: number): Promise<void> {
  const store = await EmbeddedEventStore.open({ file: join(folder, 'log.db') });
  const vault = await EmbeddedVault.open({ file: join(folder, 'vault.db') });
  const sealer = new FieldSealer(slices.fieldClasses, await DataKeys.open(vault, masterKeyFrom(MASTER_KEY)));
  const stream = projectStream(projectId);
  const added = (at: number): NewEvent<'CommentAdded', CommentEvents['CommentAdded']> => ({
    type: 'CommentAdded',
    data: {
      commentId: `comment_of_the_log_${at}`,
      kind: 'text',
      content: 'Louder',
      versionId: null,
      taggedUsers: [],
      marks: { taggedRegions: [], stamp: null },
    },
    id: randomUUID(),
    meta: { actorUid: ana.uid, at: 1_700_000_000_000 + at, commandId: `c${at}`, correlationId: 'c', causationId: null },
  });
  for (let from = 0; from < count; from += 500) {
    const events = Array.from({ length: 500 }, (_, at) => sealer.seal(stream, added(from + at)));
    await store.append(stream, revision + from, await Promise.all(events));
  }
  await store.close();
  await vault.close();
}

test('with 5,000 comments the minimal response to one more is below a kilobyte', async () => {
  const long = await aProjectWith(ana);
  await analysed(ana, long.versionId);
  // After ProjectCreated, VersionAdded and VersionAnalyzed.
  await app.restart(() => addToLog(app.folder, long, 2, 5_000));
  const again = await app.signIn('ana.tester@example.org', ana.username);
  const send = (headers: Headers) => again.post<CommentAddedAnswer>('/api/comments', { projectId: long.projectId, submission: { content: 'Louder' } }, headers);
  const bytes = ({ body }: Answer): number => Buffer.byteLength(JSON.stringify(body));
  const minimal = await send(MINIMAL);
  const whole = await send({});
  expect(whole.body.updatedProject.commentIds).toHaveLength(5_002);
  expect(bytes(minimal)).toBeLessThan(1_000);
  expect(bytes(whole)).toBeGreaterThan(100_000);
});
