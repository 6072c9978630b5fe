import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { ActiveComment } from '@roughmix/contracts/comments/comment.view.js';
import type { ProjectAnswer } from '@roughmix/contracts/projects/project.view.js';
import { REGION_PATHS } from '@roughmix/contracts/regions/region.paths.js';
import type { RegionsAnswer, RegionView } from '@roughmix/contracts/regions/region.view.js';
import type { TagAnswer } from '@roughmix/contracts/regions/tagged-region.view.js';
import { type Person, startApp, type TestApp } from '../testing/app.js';
import { addVersion, aProjectWith, comment, region, todo, todoReply, type CreatedProject } from '../testing/project-over-http.js';
import { type Answer, bodyOf, expectRefused, keysOf, statusAndCode } from '../testing/test-client.js';

let app: TestApp;
let ana: Person;
let bob: Person;
let created: CreatedProject;
let saved: RegionView;
/** Of Bob, without a tag. */
let postId: string;

beforeAll(async () => {
  app = await startApp();
  [ana, bob] = await app.people('Ana', 'Bob');
  created = await aProjectWith(ana, { viewers: [`${bob.uid}-3`] });
});
afterAll(() => app.stop());
beforeEach(async () => {
  saved = await region(ana, created, { label: 'Chorus', tag: 'mix' });
  ({ _id: postId } = await comment(bob, created.projectId));
});

const regionNow = async (id = saved._id): Promise<RegionView | undefined> => bodyOf(await ana.get<RegionsAnswer>(REGION_PATHS.byIds([id]))).regions[0];
const tagsOf = (post: unknown) => (post as ActiveComment).taggedRegions;
const put = (path: string, body: object = {}, who = bob): Promise<Answer<TagAnswer>> => who.put(path, { postId, type: 'comment', ...body });
const tag = (regionId = saved._id): Promise<Answer<TagAnswer>> => put(REGION_PATHS.tag, { regionId });
/** The child of the saved region that a comment with these changes of it is tagged with. */
async function childOf(change: object): Promise<{ readonly child: RegionView; readonly post: ActiveComment }> {
  const post = await comment(bob, created.projectId, { taggedRegions: [{ _id: saved._id, ...change }] });
  const child = await regionNow(post.taggedRegions[0]?._id);
  if (child === undefined) throw new Error('no child');
  return { child, post };
}

describe('a comment with a changed region', () => {
  test('is tagged with a child of it; the saved region does not change', async () => {
    const { child, post } = await childOf({ end: 1.20004, timespan: 'x', childRegion: 'x' });
    expect(post.taggedRegions).toEqual([{ _id: child._id, tag: 'mix', timespan: '0:00 – 0:01', start: 0.5, end: 1.2, childRegion: child._id }]);
    expect(child).toMatchObject({
      start: 0.5,
      end: 1.2,
      tag: 'mix',
      label: null,
      user: { _id: bob.uid },
      versionId: created.versionId,
      commentIds: [post._id],
    });
    expect([child.parentRegion, child.childRegion]).toEqual([saved._id, null]);
    const parent = await regionNow();
    expect(parent).toEqual({ ...saved, childRegion: child._id, position: parent?.position });
    const { project } = bodyOf(await ana.get<ProjectAnswer>(`/api/projects/${ana.uid}/${created.projectId}`));
    expect(project.regionIds.slice(-2)).toEqual([saved._id, child._id]);
  });

  test('that differs by less than a millisecond is tagged with the saved region', async () => {
    const post = await comment(bob, created.projectId, { taggedRegions: [{ _id: saved._id, start: 0.5004, end: 1, tag: 'mix' }] });
    expect(post.taggedRegions).toMatchObject([{ _id: saved._id, childRegion: null }]);
  });

  test('shows the newest child until it is gone', async () => {
    const [{ child: older }, { child: newer, post }] = [await childOf({ end: 1.2 }), await childOf({ end: 1.3 })];
    expect(await regionNow()).toMatchObject({ childRegion: newer._id });
    bodyOf(await bob.put(`/api/comments/${post._id}`, { submission: { taggedRegions: [] } }));
    expect(await regionNow()).toMatchObject({ childRegion: older._id });
    expect(await regionNow(newer._id)).toBeUndefined();
  });

  test.each<[string, object, string]>([
    ['start of null', { start: null }, '400 request.invalid'],
    ['end of null', { end: null }, '400 request.invalid'],
    ['tag of null', { tag: null }, '400 request.invalid'],
    ['unknown tag', { tag: 'lyrics' }, '400 request.invalid'],
    ['label', { label: 'x' }, '400 request.unknown-field'],
    ['end beyond the track', { end: 9 }, '400 region.out-of-bounds'],
  ])('with a %s is refused and not saved', async (_what, change, code) => {
    const before = bodyOf(await ana.get<ProjectAnswer>(`/api/projects/${ana.uid}/${created.projectId}`)).project.commentIds;
    const submission = { content: 'x', taggedRegions: [{ _id: saved._id, ...change }] };
    expect(statusAndCode(await bob.post('/api/comments', { projectId: created.projectId, submission }))).toBe(code);
    expect(bodyOf(await ana.get<ProjectAnswer>(`/api/projects/${ana.uid}/${created.projectId}`)).project.commentIds).toEqual(before);
  });

  test('of a removed version is refused', async () => {
    const { _id: versionId } = await addVersion(ana, created.projectId);
    const { _id } = await region(ana, { ...created, versionId });
    bodyOf(await ana.post(`/api/media/${versionId}`, { projectId: created.projectId }));
    const submission = { content: 'x', taggedRegions: [{ _id, end: 0.9 }] };
    expectRefused(await bob.post('/api/comments', { projectId: created.projectId, submission }), 'version.not-found');
  });
});

describe('/api/taggedRegions', () => {
  test('insertPostId tags a post and replaces its tag', async () => {
    const answer = await tag();
    expect([answer.status, keysOf(answer.body)]).toEqual([200, ['updatedProject', 'updatedRegion']]);
    expect(answer.body.updatedRegion).toMatchObject({ _id: saved._id, commentIds: [postId] });
    const again = await tag();
    expect([again.headers.get('x-position'), again.body.updatedRegion]).toEqual([null, answer.body.updatedRegion]);
    const other = await region(ana, created);
    expect(bodyOf(await tag(other._id)).updatedRegion).toMatchObject({ _id: other._id, commentIds: [postId] });
    expect(await regionNow()).toMatchObject({ commentIds: [] });
  });

  test('removePostId returns the region, or that the child is gone', async () => {
    const untag = (regionId: string) => put(REGION_PATHS.untag, { regionId });
    await tag();
    const answer = await untag(saved._id);
    expect([answer.status, keysOf(answer.body)]).toEqual([200, ['updatedProject', 'updatedRegion']]);
    expect(answer.body.updatedRegion).toMatchObject({ _id: saved._id, commentIds: [] });
    expectRefused(await untag(saved._id), 'region.not-found');
    const { newRegion } = bodyOf(await put(REGION_PATHS.tagChild(saved._id), { child: { end: 1.5 } }));
    expect(bodyOf(await untag(newRegion?._id ?? '')).updatedRegion).toMatchObject({ _id: newRegion?._id, removed: true });
  });

  test('removeTaggedRegion returns the post', async () => {
    await tag();
    const answer = await put(REGION_PATHS.untagPost, { regionId: saved._id });
    expect([answer.status, keysOf(answer.body)]).toEqual([200, ['newContent', 'updatedProject']]);
    expect(answer.body.newContent).toMatchObject({ _id: postId, taggedRegions: [], edited: expect.any(Number) });
    expectRefused(await put(REGION_PATHS.untagPost, { regionId: saved._id }), 'region.not-found');
  });

  test('appendChildRegionTags adds a child and tags the post with it', async () => {
    const answer = await put(REGION_PATHS.tagChild(saved._id), { child: { start: 0.25, tag: 'style' } });
    expect([answer.status, keysOf(answer.body)]).toEqual([200, ['newContent', 'newRegion', 'updatedProject', 'updatedRegion']]);
    const { newRegion, updatedRegion, newContent } = answer.body;
    expect(newRegion).toMatchObject({ parentRegion: saved._id, start: 0.25, end: 1, tag: 'style', commentIds: [postId] });
    expect(updatedRegion).toMatchObject({ _id: saved._id, childRegion: newRegion?._id });
    expect(tagsOf(newContent)).toMatchObject([{ _id: newRegion?._id, childRegion: newRegion?._id }]);
    const ofChild = bodyOf(await put(REGION_PATHS.tagChild(newRegion?._id ?? ''), { child: { end: 0.75 } }));
    expect([ofChild.newRegion, ofChild.updatedRegion]).toMatchObject([{ parentRegion: saved._id, start: 0.25, end: 0.75 }, { _id: saved._id }]);
  });

  test('appendChildRegionTags without a change tags the post with the region itself', async () => {
    const { newRegion, updatedRegion, newContent } = bodyOf(await put(REGION_PATHS.tagChild(saved._id), { child: { end: 1 } }));
    expect([newRegion, updatedRegion]).toMatchObject([null, { _id: saved._id, commentIds: [postId], childRegion: null }]);
    expect(tagsOf(newContent)).toMatchObject([{ _id: saved._id, childRegion: null }]);
  });

  test('removeChildRegionTags tags the post with the parent again', async () => {
    expectRefused(await put(REGION_PATHS.revertToParent(saved._id)), 'region.not-found');
    const { newRegion } = bodyOf(await put(REGION_PATHS.tagChild(saved._id), { child: { end: 1.5 } }));
    const answer = await put(REGION_PATHS.revertToParent(saved._id));
    expect([answer.status, keysOf(answer.body)]).toEqual([200, ['newContent', 'updatedProject', 'updatedRegion']]);
    expect(answer.body.updatedRegion).toMatchObject({ _id: saved._id, childRegion: null, commentIds: [postId] });
    expect(tagsOf(answer.body.newContent)).toMatchObject([{ _id: saved._id }]);
    expect(await regionNow(newRegion?._id)).toBeUndefined();
    expectRefused(await put(REGION_PATHS.revertToParent(saved._id)), 'region.not-found');
  });
});

describe('the calls of /api/taggedRegions', () => {
  test('tag image comments too', async () => {
    const submission = { type: 'image', content: { filename: 'a.png' } };
    const { newComment } = bodyOf(await bob.post<{ newComment: ActiveComment }>('/api/comments', { projectId: created.projectId, submission }));
    expect(bodyOf(await put(REGION_PATHS.tag, { postId: newComment._id, regionId: saved._id })).updatedRegion).toMatchObject({ commentIds: [newComment._id] });
  });

  test('tag todos and replies to them', async () => {
    const one = await todo(ana, created.projectId, { taggedRegions: [{ _id: saved._id, end: 1.5 }] });
    const child = one.taggedRegions[0]?._id ?? '';
    expect(await regionNow(child)).toMatchObject({ parentRegion: saved._id, todoIds: [one._id], commentIds: [] });
    const ofTodo = { postId: one._id, type: 'todo' };
    const { newContent, updatedRegion } = bodyOf(await put(REGION_PATHS.revertToParent(saved._id), ofTodo, ana));
    expect([newContent, updatedRegion]).toMatchObject([
      { _id: one._id, content: 'Tune the snare', taggedRegions: [{ _id: saved._id }] },
      { _id: saved._id, todoIds: [one._id], childRegion: null },
    ]);
    expect(await regionNow(child)).toBeUndefined();
    const { _id: replyId } = await todoReply(bob, created.projectId, one._id);
    expect(bodyOf(await put(REGION_PATHS.tag, { postId: replyId, type: 'todo', regionId: saved._id })).updatedRegion).toMatchObject({
      todoIds: [one._id, replyId],
    });
    expectRefused(await put(REGION_PATHS.tag, { ...ofTodo, regionId: saved._id }), 'todo.not-yours');
    expectRefused(await put(REGION_PATHS.tag, { ...ofTodo, type: 'comment', regionId: saved._id }, ana), 'comment.not-found');
  });

  test('check the post before the region', async () => {
    expectRefused(await put(REGION_PATHS.tag, { regionId: 'x' }, ana), 'comment.not-yours');
    expectRefused(await put(REGION_PATHS.tag, { regionId: 'x' }), 'region.not-found');
    expectRefused(await put(REGION_PATHS.tag, { postId: 'x', regionId: saved._id }), 'comment.not-found');
    expectRefused(await put(REGION_PATHS.tag, { type: 'todo', regionId: saved._id }), 'todo.not-found');
    expectRefused(await put(REGION_PATHS.tag, { projectId: 'x', regionId: saved._id }), 'comment.not-found');
  });

  test.each<[string, object, string]>([
    ['no post', { postId: undefined, regionId: 'x' }, '400 request.invalid'],
    ['no region', {}, '400 request.invalid'],
    ['an unknown type', { type: 'version', regionId: 'x' }, '400 request.invalid'],
    ['an unknown field', { regionId: 'x', child: {} }, '400 request.unknown-field'],
  ])('insertPostId with %s is refused', async (_what, body, code) => expect(statusAndCode(await put(REGION_PATHS.tag, body))).toBe(code));

  test.each<[string, object, string]>([
    ['no child', {}, '400 request.invalid'],
    ['an end of null', { child: { end: null } }, '400 request.invalid'],
    ['an end beyond the track', { child: { end: 9 } }, '400 region.out-of-bounds'],
  ])('appendChildRegionTags with %s is refused', async (_what, body, code) =>
    expect(statusAndCode(await put(REGION_PATHS.tagChild(saved._id), body))).toBe(code),
  );
});
