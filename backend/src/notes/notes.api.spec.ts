import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { ProjectPageAnswer } from '@roughmix/contracts/comments/comment.view.js';
import type { NotesView } from '@roughmix/contracts/notes/note.view.js';
import type { ProjectAnswer, ProjectsAnswer, ProjectView, UpdatedProjectAnswer } from '@roughmix/contracts/projects/project.view.js';
import { sha256 } from '@roughmix/contracts/shared/sha256.js';
import { type Person, startApp, type TestApp } from '../testing/app.js';
import { analysed, aProjectWith } from '../testing/project-over-http.js';
import { type Answer, bodyOf, expectRefused } from '../testing/test-client.js';

let app: TestApp;
let ana: Person;
let bob: Person;
let carl: Person;
let zoe: Person;
let projectId: string;

beforeAll(async () => {
  app = await startApp();
  [ana, bob, carl, zoe] = (await app.people('Ana', 'Bob', 'Carl', 'Zoe')) as [Person, Person, Person, Person];
});
afterAll(() => app.stop());

beforeEach(async () => {
  const created = await aProjectWith(ana, { collaborators: [bob], viewers: [`${carl.uid}-1`], isPublic: true });
  projectId = created.projectId;
  await analysed(ana, created.versionId);
});

const put = (who: Person, submission: object, headers: Readonly<Record<string, string>> = {}): Promise<Answer<UpdatedProjectAnswer>> =>
  who.put<UpdatedProjectAnswer>(`/api/projects/${projectId}`, { submission }, headers);
const save = (who: Person, notes: object, headers?: Readonly<Record<string, string>>): Promise<Answer<UpdatedProjectAnswer>> =>
  put(who, { owner: { notes } }, headers);
const key = (name: string) => ({ 'Idempotency-Key': `${name}-${projectId}` });
const positionOf = (answer: Pick<Answer, 'headers'>): number => Number(answer.headers.get('x-position'));
const pageOf = async (who: Person): Promise<ProjectView> =>
  bodyOf(await who.get<ProjectPageAnswer>(`/api/projects/${projectId}/visitor/${who.uid}`)).data.project;
const notesOf = async (who: Person): Promise<NotesView | undefined> => (await pageOf(who)).owner.notes;
const splice = (at: number, removed: number, inserted: string, on: string) => ({ at, removed, inserted, hash: sha256(on) });

describe('reading notes', () => {
  test('everyone reads the public note with its hash, only the owner the private one', async () => {
    await save(ana, { public: 'Tune the snare', private: 'Ask Bob' });
    const shared = { public: 'Tune the snare', hash: { public: sha256('Tune the snare') } };
    expect(await notesOf(ana)).toEqual({
      public: 'Tune the snare',
      private: 'Ask Bob',
      hash: { public: sha256('Tune the snare'), private: sha256('Ask Bob') },
    });
    for (const who of [bob, carl, zoe, await app.guest()]) expect(await notesOf(who)).toEqual(shared);
    const one = bodyOf(await bob.get<ProjectAnswer>(`/api/projects/${ana.uid}/${projectId}`));
    expect(one.project.owner.notes).toEqual(shared);
  });

  test('lists of projects contain no notes', async () => {
    await save(ana, { public: 'Tune the snare', private: 'Ask Bob' });
    for (const who of [ana, bob, await app.guest()]) {
      const { projects } = bodyOf(await who.get<ProjectsAnswer>(`/api/projects/${who.uid}`));
      const found = projects.find(({ _id }) => _id === projectId);
      expect([found?._id, found?.owner.notes]).toEqual([projectId, undefined]);
    }
  });
});

describe('saving notes', () => {
  test('returns the project with the new texts and hashes', async () => {
    const answer = await save(bob, { public: 'Tune the snare' });
    expect([answer.status, answer.body.updatedProject.owner.notes]).toEqual([200, { public: 'Tune the snare', hash: { public: sha256('Tune the snare') } }]);
    const merged = await save(ana, { public: splice(0, 0, 'First: ', 'Tune the snare'), private: splice(0, 0, 'Ask Bob', '') });
    expect(merged.body.updatedProject.owner.notes).toMatchObject({ public: 'First: Tune the snare', private: 'Ask Bob' });
    expect(merged.body.updatedProject.position).toBe(positionOf(merged));
  });

  test('an unchanged text is answered with 200 and stores no event', async () => {
    await save(bob, { public: 'Tune the snare' });
    const again = await save(bob, { public: 'Tune the snare' });
    expect([again.status, again.headers.get('x-position')]).toEqual([200, null]);
    expect((await save(bob, {})).status).toBe(403);
    expect((await save(ana, {})).status).toBe(200);
  });

  test('two texts of 60,000 characters fit into one call, and one may replace the other', async () => {
    const [long, other] = ['音'.repeat(60_000), '楽'.repeat(60_000)];
    expect((await save(ana, { public: long, private: long })).status).toBe(200);
    expect((await save(ana, { public: other })).status).toBe(200);
    expect(await notesOf(ana)).toMatchObject({ public: other, private: long });
  });

  test('a conflict returns both texts and saves nothing', async () => {
    await save(ana, { public: 'Tune the snare' });
    await save(bob, { public: 'Tune the toms' });
    const answer = await save(ana, { public: splice(9, 5, 'kick', 'Tune the snare') });
    expect([answer.status, answer.body]).toEqual([
      409,
      {
        type: 'about:blank',
        title: 'Conflict',
        status: 409,
        code: 'note.conflict',
        detail: 'Someone else changed the same part.',
        instance: `/api/projects/${projectId}`,
        note: 'public',
        theirs: 'Tune the toms',
        hash: sha256('Tune the toms'),
        yours: 'Tune the kick',
      },
    ]);
    expect(answer.headers.get('x-position')).toBeNull();
  });

  test.each([
    ['a note of null', { public: null }, 'public'],
    ['a hash beside the notes', { public: 'x', hash: { public: sha256('') } }, 'hash'],
    ['a malformed hash', { public: { at: 0, removed: 0, inserted: 'x', hash: 'abc' } }, 'public'],
    ['a splice outside the text', { public: splice(1, 0, 'x', '') }, 'public'],
  ])('%s is 400', async (_case, notes, field) =>
    expectRefused(await save(ana, notes), 'request.invalid', { errors: [{ field, code: 'invalid', detail: 'This request is not valid.' }] }),
  );

  test('an unknown field is 400', async () => {
    expectRefused(await save(ana, { other: 'x' }), 'request.unknown-field', { field: 'submission.owner.notes.other' });
    expectRefused(await put(ana, { owner: { notes: {}, name: 'x' } }), 'request.unknown-field', { field: 'submission.owner.name' });
  });

  test('a note that is too long is 400, and nothing of the request is saved', async () => {
    const answer = await put(ana, { description: 'Slow', owner: { notes: { public: 'x', private: 'x'.repeat(60_001) } } });
    expectRefused(answer, 'limit.note', { limit: 60_000, field: 'private' });
    expect(await pageOf(ana)).toMatchObject({ description: '', owner: { notes: { public: '' } } });
  });
});

describe('several changes in one call', () => {
  test('are separate appends in the order own fields, public, private, under one command', async () => {
    const answer = await put(ana, { description: 'Slow', owner: { notes: { private: 'Mine', public: 'Ours' } } }, key('all'));
    expect(answer.headers.get('idempotent-replayed')).toBeNull();
    const repeat = await put(ana, { description: 'Slow', owner: { notes: { private: 'Mine', public: 'Ours' } } }, key('all'));
    expect([repeat.status, positionOf(repeat), repeat.headers.get('idempotent-replayed')]).toEqual([200, positionOf(answer), 'true']);
    expect((await pageOf(bob)).position).toBe(positionOf(answer) - 1);
  });

  test('are kept up to a conflict, and a repeat runs only the missing ones', async () => {
    await save(ana, { private: 'Ask Bob' });
    const body = { public: splice(0, 0, 'Once. ', ''), private: splice(0, 3, 'Tell', 'Ask Carl') };
    const refused = await save(ana, body, key('part'));
    expect(refused.body).toMatchObject({ code: 'note.conflict', note: 'private', theirs: 'Ask Bob', hash: sha256('Ask Bob'), yours: null });
    expect(await pageOf(ana)).toMatchObject({ position: positionOf(refused), owner: { notes: { public: 'Once. ', private: 'Ask Bob' } } });

    await save(ana, { private: 'Ask Carl' });
    const repeat = await save(ana, body, key('part'));
    expect([repeat.status, repeat.headers.get('idempotent-replayed')]).toEqual([200, null]);
    expect(positionOf(repeat)).toBeGreaterThan(positionOf(refused));
    expect(await notesOf(ana)).toMatchObject({ public: 'Once. ', private: 'Tell Carl' });

    expect((await save(ana, body, key('part'))).headers.get('idempotent-replayed')).toBe('true');
    expect(await notesOf(ana)).toMatchObject({ public: 'Once. ', private: 'Tell Carl' });
    expectRefused(await save(ana, { private: 'x' }, key('part')), 'command.key-reused');
  });
});

test('a private save changes date, position and order of the project for its owner only', async () => {
  const other = await aProjectWith(ana, { collaborators: [bob] });
  await analysed(ana, other.versionId);
  const order = async (who: Person) =>
    bodyOf(await who.get<ProjectsAnswer>(`/api/projects/${who.uid}`))
      .projects.map(({ _id }) => _id)
      .filter((id) => id === projectId || id === other.projectId);
  const before = await pageOf(bob);
  const saved = await save(ana, { private: 'Ask Bob' });
  expect(await pageOf(bob)).toEqual(before);
  expect([await order(ana), await order(bob)]).toEqual([
    [projectId, other.projectId],
    [other.projectId, projectId],
  ]);
  const mine = await pageOf(ana);
  expect(mine.position).toBe(positionOf(saved));
  expect(mine.dateModified).toBeGreaterThan(before.dateModified);
  await save(bob, { public: 'Now' });
  expect(await order(bob)).toEqual([projectId, other.projectId]);
});
