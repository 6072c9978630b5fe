import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { RegionAddedAnswer, RegionAnswer, RegionsAnswer } from '@roughmix/contracts/regions/region.view.js';
import type { UpdatedProjectAnswer } from '@roughmix/contracts/projects/project.view.js';
import { type Person, startApp, type TestApp } from '../testing/app.js';
import { addVersion, aProjectWith, comment, region, type CreatedProject } from '../testing/project-over-http.js';
import { type Answer, bodyOf, expectRefused, keysOf, statusAndCode } from '../testing/test-client.js';

const REGION = '_id childRegion commentIds dateAdded edited end groupId label parentRegion position projectId start tag timespan todoIds user versionId';

let app: TestApp;
let ana: Person;
let bob: Person;
let created: CreatedProject;
let other: CreatedProject;

beforeAll(async () => {
  app = await startApp();
  [ana, bob] = await app.people('Ana', 'Bob');
  [created, other] = [await aProjectWith(ana, { viewers: [`${bob.uid}-3`] }), await aProjectWith(bob)];
});
afterAll(() => app.stop());

const add = (submission: object, projectId = created.projectId): Promise<Answer<RegionAddedAnswer>> =>
  ana.post('/api/regions', { projectId, submission: { versionId: created.versionId, ...submission } });
const edit = (id: string, submission: object, more: object = {}): Promise<Answer<RegionAnswer>> => ana.put(`/api/regions/${id}`, { ...more, submission });

test('a new region has the category general, no label, and its author', async () => {
  const answer = await add({ start: 0.0004, end: 1.23456 });
  expect([answer.status, keysOf(answer.body), keysOf(answer.body.newRegion).join(' ')]).toEqual([201, ['newRegion', 'updatedProject'], REGION]);
  const { newRegion, updatedProject } = answer.body;
  expect(newRegion).toMatchObject({
    start: 0,
    end: 1.235,
    tag: 'general',
    label: null,
    edited: null,
    timespan: '0:00 – 0:01',
    commentIds: [],
    todoIds: [],
    groupId: null,
  });
  expect(newRegion).toMatchObject({
    projectId: created.projectId,
    versionId: created.versionId,
    user: { _id: ana.uid },
    parentRegion: null,
    childRegion: null,
  });
  expect(newRegion.position).toBe(Number(answer.headers.get('x-position')));
  expect(updatedProject.regionIds).toContain(newRegion._id);
});

test.each<[what: string, submission: object, word: string]>([
  ['the whole track', { start: 0, end: 2 }, '201'],
  ['0.05 s beyond it', { start: 0, end: 2.05 }, '201'],
  ['0.051 s beyond it', { start: 0, end: 2.051 }, '400 region.out-of-bounds'],
  ['0.05 s', { start: 1, end: 1.05 }, '201'],
  ['0.049 s', { start: 1, end: 1.049 }, '400 region.out-of-bounds'],
  ['nothing', { start: 1, end: 1 }, '400 region.out-of-bounds'],
  ['backwards', { start: 1, end: 0 }, '400 region.out-of-bounds'],
  ['before the track', { start: -0.001, end: 1 }, '400 region.out-of-bounds'],
  ['a text as number', { start: '0', end: 1 }, '400 request.invalid'],
  ['no end', { start: 0 }, '400 request.invalid'],
  ['no version', { start: 0, end: 1, versionId: undefined }, '400 request.invalid'],
  ['a version of another project', { start: 0, end: 1, versionId: 'x' }, '404 version.not-found'],
  ['lyrics', { start: 0, end: 1, tag: 'lyrics' }, '400 request.invalid'],
  ['every other category', { start: 0, end: 1, tag: 'arrangement' }, '201'],
  ['a label of 60', { start: 0, end: 1, label: `  ${'x'.repeat(60)} ` }, '201'],
  ['a label of 61', { start: 0, end: 1, label: 'x'.repeat(61) }, '400 limit.label'],
  ['a label of null', { start: 0, end: 1, label: null }, '201'],
  ['an unknown field', { start: 0, end: 1, colour: 'red' }, '400 request.unknown-field'],
])('a region over %s', async (_what, submission, word) => {
  expect(statusAndCode(await add(submission))).toBe(word);
});

test('needs a visible project and a version of it', async () => {
  expectRefused(await add({ start: 0, end: 1 }, other.projectId), 'project.not-found');
  expectRefused(await add({ start: 0, end: 1, versionId: other.versionId }), 'version.not-found');
});

test('an edit changes only the given fields; repeating it appends no event', async () => {
  const { _id } = await region(ana, created, { label: 'Here', tag: 'mix' });
  const answer = await edit(_id, { end: 1.5, label: ' There\nnow ' });
  expect([answer.status, keysOf(answer.body)]).toEqual([200, ['updatedProject', 'updatedRegion']]);
  expect(answer.body.updatedRegion).toMatchObject({ _id, start: 0.5, end: 1.5, tag: 'mix', label: 'There now', edited: expect.any(Number) });
  const same = await edit(_id, { end: 1.5, tag: 'mix' });
  expect([same.status, same.headers.get('x-position'), same.body.updatedRegion]).toEqual([200, null, answer.body.updatedRegion]);
  expect(bodyOf(await edit(_id, { label: null })).updatedRegion).toMatchObject({ label: null });
  expectRefused(await edit(_id, { start: 1.49 }), 'region.out-of-bounds');
  expectRefused(await edit(_id, { end: 1 }, { projectId: other.projectId }), 'region.not-found');
  expectRefused(await edit('nothing', { end: 1 }), 'region.not-found');
});

test('is removed once, by its author, and the comments that tagged it remain', async () => {
  const { _id } = await region(ana, created);
  const posted = await comment(bob, created.projectId, { taggedRegions: [{ _id }] });
  expect(posted.taggedRegions).toEqual([{ _id, tag: 'general', timespan: '0:00 – 0:01', start: 0.5, end: 1, childRegion: null }]);
  expect(bodyOf(await ana.get<RegionsAnswer>(`/api/regions/${_id}`)).regions[0]?.commentIds).toEqual([posted._id]);
  expectRefused(await ana.post(`/api/regions/${_id}`, { projectId: other.projectId }), 'region.not-found');
  const answer = await ana.post<UpdatedProjectAnswer>(`/api/regions/${_id}`, { projectId: created.projectId });
  expect([answer.status, keysOf(answer.body), answer.body.updatedProject.regionIds.includes(_id)]).toEqual([200, ['updatedProject'], false]);
  expect((await ana.get(`/api/comments/${posted._id}`)).body).toMatchObject({ comments: [{ _id: posted._id, taggedRegions: [] }] });
  expectRefused(await ana.post(`/api/regions/${_id}`, { projectId: created.projectId }), 'region.not-found');
});

test('of a removed version remains readable and cannot be edited', async () => {
  const version = await addVersion(ana, created.projectId);
  const { _id } = await region(ana, created, { versionId: version._id });
  bodyOf(await ana.post(`/api/media/${version._id}`, { projectId: created.projectId }));
  expect(bodyOf(await bob.get<RegionsAnswer>(`/api/regions/${_id}`)).regions.map((each) => each._id)).toEqual([_id]);
  expectRefused(await edit(_id, { end: 1.5 }), 'version.not-found');
});

test('lists keep the requested order and leave out regions that the caller cannot see', async () => {
  const [one, two, hidden] = [await region(ana, created), await region(bob, created), await region(bob, other)];
  const { regions } = bodyOf(await ana.get<RegionsAnswer>(`/api/regions/${[two._id, hidden._id, 'nothing', one._id, two._id].join(',')}`));
  expect(regions.map(({ _id }) => _id)).toEqual([two._id, one._id]);
});
