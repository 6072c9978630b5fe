import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ProjectPageAnswer } from '@roughmix/contracts/comments/comment.view.js';
import type { NewProjectAnswer, ProjectAnswer, ProjectsAnswer, ProjectView, UpdatedProjectAnswer } from '@roughmix/contracts/projects/project.view.js';
import type { UsersAnswer } from '@roughmix/contracts/users/user.view.js';
import { sha256 } from '@roughmix/contracts/shared/sha256.js';
import { type Person, startApp, type TestApp } from '../testing/app.js';
import { analysed, aProjectWith, createProject, comment, diff, editPermissions, invite, smallWav, upload } from '../testing/project-over-http.js';
import { type Answer, bodyOf, expectRefused, keysOf, statusAndCode } from '../testing/test-client.js';

const PROJECT =
  '_id addedUsers commentIds completed completedTodos currentVersion dateAdded dateModified description firstVersionId highestVersion initialLogin owner permissionLevel position projectName regionIds sharedGroups todoIds userPermissions versionIds versionUrl versions visibility';
const FOR_VISITORS = PROJECT.replace('addedUsers ', '').replace('userPermissions ', '');
const PERSON = '_id firstName largePhoto lastName photoURL smallPhoto uid username';

let app: TestApp;
let ana: Person;
let bob: Person;
let cleo: Person;
let uma: Person;
let guest: Person;

beforeAll(async () => {
  app = await startApp();
  [ana, bob, cleo, uma] = await app.people('Ana', 'Bob', 'Cleo', 'Uma');
  guest = await app.guest();
});
afterAll(() => app.stop());

const seen = async (who: Person, projectId: string): Promise<ProjectView> =>
  bodyOf(await who.get<ProjectPageAnswer>(`/api/projects/${projectId}/visitor/${who.uid}`)).data.project;
const listed = async (who: Person): Promise<readonly ProjectView[]> => bodyOf(await who.get<ProjectsAnswer>(`/api/projects/${who.uid}`)).projects;
const edit = (who: Person, projectId: string, submission: object, headers: Readonly<Record<string, string>> = {}): Promise<Answer<UpdatedProjectAnswer>> =>
  who.put(`/api/projects/${projectId}`, { submission }, headers);

describe('a new project', () => {
  test('belongs to its owner alone until its first version is added; then the invitation takes effect', async () => {
    const answer = await createProject(ana, { description: 'Words', invitedUsers: [`${bob.uid}-1`, cleo.uid], message: 'Come' });
    expect([answer.status, keysOf(answer.body)]).toEqual([201, ['newProject', 'versionId']]);
    const { newProject, versionId } = answer.body;
    expect(keysOf(newProject).join(' ')).toBe(PROJECT);
    expect(newProject).toMatchObject({
      versionIds: [],
      currentVersion: null,
      firstVersionId: versionId,
      visibility: 'private',
      completed: false,
      addedUsers: [],
    });
    expect(newProject.owner).toMatchObject({
      _id: ana.uid,
      uid: ana.uid,
      name: 'Ana Tester',
      notes: { public: '', private: '', hash: { public: sha256(''), private: sha256('') } },
    });
    expect(newProject.permissionLevel).toEqual({ role: 'Owner', access: null, comment: true, download: true, write: true, owner: true });
    expect(Number(answer.headers.get('x-position'))).toBe(newProject.position);
    expect((await listed(bob)).map(({ _id }) => _id)).not.toContain(newProject._id);
    expectRefused(await bob.get(`/api/projects/${newProject._id}/visitor/${bob.uid}`), 'project.not-found');
    expectRefused(await ana.put(`/api/projects/${newProject._id}/newVersion`, { versionId }), 'version.not-found');

    const { uploadId } = await upload(ana, smallWav(), { projectId: newProject._id });
    bodyOf(await ana.post('/api/media/newProject', { initialVersion: { projectId: newProject._id, versionId, uploadId } }));
    const confirmed = await ana.put<UpdatedProjectAnswer>(`/api/projects/${newProject._id}/newVersion`, { versionId, versionUrl: 'ignored' });
    expect([confirmed.status, keysOf(confirmed.body), confirmed.headers.get('x-position')]).toEqual([200, ['updatedProject', 'version'], null]);
    const project = await seen(bob, newProject._id);
    expect(project).toMatchObject({ versionIds: [versionId], firstVersionId: null, userPermissions: { read: [`${bob.uid}-1`, `${cleo.uid}-3`], write: [] } });
    expect(project.addedUsers?.map((person) => [keysOf(person).join(' '), person._id])).toEqual([
      [PERSON, bob.uid],
      [PERSON, cleo.uid],
    ]);
    expect(project.owner.notes).toEqual({ public: '', hash: { public: sha256('') } });
    expect(project.permissionLevel).toEqual({ role: 'Viewer', access: 1, comment: true, download: false, write: false, owner: false });
  });

  test.each<[what: string, submission: object, word: string]>([
    ['a title of 120', { projectName: 'x'.repeat(120) }, '201'],
    ['a title of 121', { projectName: 'x'.repeat(121) }, '400 limit.projectName'],
    ['a title of 120 plus white space', { projectName: `  ${'x'.repeat(120)}\n` }, '201'],
    ['no title', { projectName: '' }, '400 request.invalid'],
    ['a blank title', { projectName: ' \r\n ' }, '400 request.invalid'],
    ['a missing title', { projectName: undefined }, '400 request.invalid'],
    ['a summary of 45', { tinySummary: 'x'.repeat(45) }, '201'],
    ['a summary of 46', { tinySummary: 'x'.repeat(46) }, '400 limit.tinySummary'],
    ['a description of 2,000', { description: 'x'.repeat(2_000) }, '201'],
    ['a description of 2,001', { description: 'x'.repeat(2_001) }, '400 limit.description'],
    ['a message of 501', { message: 'x'.repeat(501) }, '400 limit.message'],
    ['an unknown person', { invitedUsers: ['nobody-1'] }, '400 invite.unknown-user'],
    ['more than 100 people', { invitedUsers: Array.from({ length: 101 }, (_, at) => `x${at}-1`) }, '400 request.invalid'],
    ['invited users that are not texts', { invitedUsers: [1] }, '400 request.invalid'],
  ])('with %s', async (_what, submission, word) => {
    expect(statusAndCode(await ana.post('/api/projects/newProject', { submission: { projectName: 'x', ...submission } }))).toBe(word);
  });

  test('reports the exceeded limit, its field and a message', async () => {
    expectRefused(await createProject(ana, { projectName: 'x'.repeat(121) }), 'limit.projectName', { limit: 120, field: 'projectName' });
  });

  test('has its title in one line', async () => {
    expect(bodyOf(await createProject(ana, { projectName: '  One\r\ntwo\nthree  ' })).newProject.projectName).toBe('One two three');
  });
});

describe('the list', () => {
  test('has own and shared projects, newest change first, each with its current version only; analyses and ratings do not reorder it', async () => {
    const dora = await app.person('Dora');
    const [one, two, three] = [await aProjectWith(dora), await aProjectWith(bob, { viewers: [`${dora.uid}-1`] }), await aProjectWith(dora)];
    for (const { versionId } of [one, two, three]) await analysed(dora, versionId);
    const order = async (): Promise<readonly string[]> => (await listed(dora)).map(({ _id }) => _id);
    expect(await order()).toEqual([three.projectId, two.projectId, one.projectId]);
    const posted = await comment(bob, two.projectId);
    expect(await order()).toEqual([two.projectId, three.projectId, one.projectId]);
    bodyOf(await edit(dora, one.projectId, { description: 'Newer' }));
    bodyOf(await dora.put(`/api/comments/${posted._id}/rating`, { type: 'likes', on: true }));
    expect(await order()).toEqual([one.projectId, two.projectId, three.projectId]);
    const [first] = await listed(dora);
    expect([keysOf(first).join(' '), first?.versions.map(({ _id }) => _id)]).toEqual([PROJECT, [one.versionId]]);
    expect((await listed(uma)).map(({ _id }) => _id)).toEqual([]);
  });

  test('of the guest has the public projects, as visitors see them', async () => {
    const [open, closed] = [await aProjectWith(ana, { isPublic: true, viewers: [`${bob.uid}-3`] }), await aProjectWith(ana)];
    const projects = await listed(guest);
    expect(projects.map(({ _id }) => _id)).toContain(open.projectId);
    expect(projects.map(({ _id }) => _id)).not.toContain(closed.projectId);
    for (const project of projects) expect(keysOf(project).join(' ')).toBe(FOR_VISITORS);
    expect(projects[0]?.permissionLevel).toEqual({ role: 'Visitor', access: null, comment: false, download: false, write: false, owner: false });
    expect(JSON.stringify(projects)).not.toContain(bob.uid);
  });
});

describe('the page', () => {
  test('is served to members at one URL and to everyone who may see it at the other', async () => {
    const { projectId } = await aProjectWith(ana, { isPublic: true, viewers: [`${bob.uid}-2`] });
    const page = await ana.get<ProjectAnswer>(`/api/projects/${ana.uid}/${projectId}`);
    expect([page.status, keysOf(page.body), keysOf(page.body.project).join(' ')]).toEqual([200, ['project'], PROJECT]);
    for (const [who, keys] of [
      [bob, PROJECT],
      [uma, FOR_VISITORS],
      [guest, FOR_VISITORS],
    ] as const) {
      const { data } = bodyOf(await who.get<ProjectPageAnswer>(`/api/projects/${projectId}/visitor/${who.uid}`));
      expect([keysOf(data), keysOf(data.project).join(' ')]).toEqual([['comments', 'project', 'regions', 'todos', 'versions'], keys]);
    }
    expectRefused(await ana.get(`/api/projects/${bob.uid}/${projectId}`), 'project.not-found');
    expectRefused(await uma.get(`/api/projects/${ana.uid}/${projectId}`), 'project.not-found');
  });

  test('is cached while nothing changed, compressed or not, and shows each change at once to everyone who may see it', async () => {
    const { projectId, versionId } = await aProjectWith(ana, { collaborators: [bob] });
    await analysed(ana, versionId);
    const path = (who: Person): string => `/api/projects/${projectId}/visitor/${who.uid}`;
    const words = async (who: Person): Promise<readonly unknown[]> =>
      bodyOf(await who.get<ProjectPageAnswer>(path(who))).data.comments.map(({ content }) => content);
    for (const text of ['Slower', 'Louder']) {
      await comment(bob, projectId, { content: text });
      for (const who of [ana, bob, ana, bob]) expect((await words(who)).at(-1)).toBe(text);
    }
    const answers = await Promise.all(['gzip', 'gzip', 'identity'].map((form) => bob.send('GET', path(bob), { headers: { 'Accept-Encoding': form } })));
    expect(answers.map(({ headers }) => [headers.get('content-encoding'), headers.get('vary'), headers.get('content-type')])).toEqual([
      ['gzip', 'accept-encoding', 'application/json; charset=utf-8'],
      ['gzip', 'accept-encoding', 'application/json; charset=utf-8'],
      [null, 'accept-encoding', 'application/json; charset=utf-8'],
    ]);
    for (const { body } of answers) expect(body).toEqual(answers[0]?.body);
    await editPermissions(ana, projectId, [diff(bob.uid, 0, { removed: true })]);
    expectRefused(await bob.get(path(bob)), 'project.not-found');
    expect(await words(ana)).toEqual(['Slower', 'Louder']);
  });

  test('lists its members, the owner first, for members', async () => {
    const { projectId } = await aProjectWith(ana, { viewers: [`${bob.uid}-0`], collaborators: [cleo] });
    const { users } = bodyOf(await bob.get<UsersAnswer>(`/api/users/${bob.uid}/fetchProjectUsers?projectId=${projectId}`));
    expect(users.map(({ uid }) => uid)).toEqual([ana.uid, bob.uid, cleo.uid]);
  });
});

describe('editing', () => {
  test('changes only the given fields; repeating it is 200 without an event', async () => {
    const { projectId, versionId } = await aProjectWith(ana, { description: 'Before' });
    await analysed(ana, versionId);
    const answer = await edit(ana, projectId, { projectName: ' New ', completed: true, visibility: 'public' });
    expect([answer.status, keysOf(answer.body)]).toEqual([200, ['updatedProject']]);
    expect(answer.body.updatedProject).toMatchObject({ projectName: 'New', description: 'Before', completed: true, visibility: 'public' });
    const again = await edit(ana, projectId, { projectName: 'New', completed: true });
    expect([again.status, again.headers.get('x-position'), again.headers.get('idempotent-replayed')]).toEqual([200, null, null]);
    expect(again.body.updatedProject).toEqual(answer.body.updatedProject);
  });

  test.each<[submission: object, word: string]>([
    [{ projectName: '' }, '400 request.invalid'],
    [{ projectName: null }, '400 request.invalid'],
    [{ visibility: 'secret' }, '400 request.invalid'],
    [{ completed: 'yes' }, '400 request.invalid'],
    [{ description: 'x'.repeat(2_001) }, '400 limit.description'],
    [{ other: 1 }, '400 request.unknown-field'],
    [{}, '200'],
  ])('%j is %s', async (submission, word) => {
    const { newProject } = bodyOf(await createProject(ana));
    expect(statusAndCode(await edit(ana, newProject._id, submission))).toBe(word);
  });

  test('with another project in its body is 404, with an empty one 400', async () => {
    const { newProject } = bodyOf(await createProject(ana));
    expectRefused(await ana.put(`/api/projects/${newProject._id}`, { projectId: 'other', submission: {} }), 'project.not-found');
    expect(statusAndCode(await ana.put(`/api/projects/${newProject._id}`, { projectId: '', submission: {} }))).toBe('400 request.invalid');
  });
});

describe('members', () => {
  test.each<[what: string, entries: () => readonly string[], word: string]>([
    ['no users', () => [], '400 invite.nobody'],
    ['only members and oneself', () => [`${bob.uid}-1`, ana.uid], '400 invite.nobody'],
    ['an unknown user beside a known one', () => [`${cleo.uid}-1`, 'nobody'], '400 invite.unknown-user'],
    ['the guest', () => [`${guest.uid}-1`], '400 invite.unknown-user'],
    ['a level of 4', () => [`${cleo.uid}-4`], '400 invite.unknown-user'],
    ['no level', () => [`${cleo.uid}-`], '400 invite.unknown-user'],
    ['a member and a new user', () => [`${bob.uid}-3`, `${cleo.uid}-2`], '200'],
  ])('inviting %s', async (_what, entries, word) => {
    const { projectId } = await aProjectWith(ana, { viewers: [`${bob.uid}-1`] });
    const answer = await invite(ana, projectId, entries());
    expect(statusAndCode(answer)).toBe(word);
    const { userPermissions } = await seen(ana, projectId);
    expect(userPermissions?.read).toEqual(word === '200' ? [`${bob.uid}-1`, `${cleo.uid}-2`] : [`${bob.uid}-1`]);
  });

  test('with writeAccess all invited users become collaborators; a bare uid means level 3', async () => {
    const { projectId } = await aProjectWith(ana, { collaborators: [bob] });
    bodyOf(await invite(ana, projectId, [cleo.uid]));
    expect((await seen(ana, projectId)).userPermissions).toEqual({ read: [`${cleo.uid}-3`], write: [`${bob.uid}-3`] });
    expect((await seen(bob, projectId)).permissionLevel).toEqual({ role: 'Collaborator', access: 3, comment: true, download: true, write: true, owner: false });
  });

  test('are changed or removed, all of one request or none', async () => {
    const { projectId } = await aProjectWith(ana, { viewers: [`${bob.uid}-0`, `${cleo.uid}-0`] });
    for (const bad of [uma.uid, ana.uid, 'nobody'])
      expectRefused(await editPermissions(ana, projectId, [diff(bob.uid, 3), diff(bad, 1)]), 'permissions.not-a-member');
    const same = await editPermissions(ana, projectId, [diff(bob.uid, 0)]);
    expect([same.status, same.headers.get('x-position')]).toEqual([200, null]);
    expect(
      statusAndCode(
        await editPermissions(
          ana,
          projectId,
          Array.from({ length: 101 }, () => diff(bob.uid, 0)),
        ),
      ),
    ).toBe('400 request.invalid');
    const answer = await editPermissions(ana, projectId, [diff(bob.uid, 1, { write: true }), diff(cleo.uid, 0, { removed: true })]);
    expect(keysOf(bodyOf(answer) as object)).toEqual(['updatedProject']);
    expect((await seen(ana, projectId)).userPermissions).toEqual({ read: [], write: [`${bob.uid}-3`] });
    expectRefused(await cleo.get(`/api/projects/${projectId}/visitor/${cleo.uid}`), 'project.not-found');
  });

  test('may leave, except the owner', async () => {
    const { projectId } = await aProjectWith(ana, { viewers: [`${bob.uid}-0`] });
    expectRefused(await ana.post(`/api/projects/${projectId}/leave`), 'project.owner-stays');
    const answer = await bob.raw('POST', `/api/projects/${projectId}/leave`);
    expect([answer.status, await answer.text(), answer.headers.has('x-position')]).toEqual([204, '', true]);
    expect((await listed(bob)).map(({ _id }) => _id)).not.toContain(projectId);
  });
});

test('a removed project is gone for everyone, with everything in it', async () => {
  const { projectId, versionId } = await aProjectWith(ana, { viewers: [`${bob.uid}-3`], isPublic: true });
  const posted = await comment(bob, projectId);
  const answer = await ana.post(`/api/projects/removeProject/${projectId}`);
  expect([answer.status, answer.body]).toEqual([200, { removed: projectId }]);
  expect(statusAndCode(await ana.post(`/api/media/removeProject/${versionId}`))).toBe('204');
  for (const who of [ana, bob, uma, guest]) {
    expectRefused(await who.get(`/api/projects/${projectId}/visitor/${who.uid}`), 'project.not-found');
    expect((await who.get(`/api/media/${versionId}`)).body).toEqual({ versions: [] });
    expect((await who.get(`/api/comments/${posted._id}`)).body).toEqual({ comments: [] });
    expectRefused(await who.get(`/api/media/${versionId}/audio`), 'version.not-found');
    expect((await listed(who)).map(({ _id }) => _id)).not.toContain(projectId);
  }
  expectRefused(await bob.post('/api/comments', { projectId, submission: { content: 'x' } }), 'project.not-found');
});

test('the id of a new project cannot be guessed', async () => {
  const answers: Answer<NewProjectAnswer>[] = [await createProject(ana), await createProject(ana)];
  expect(new Set(answers.map(({ body }) => body.newProject._id)).size).toBe(2);
  for (const { body } of answers) expect(body.newProject._id).toMatch(/^[A-Za-z0-9_]{21,36}$/);
});
