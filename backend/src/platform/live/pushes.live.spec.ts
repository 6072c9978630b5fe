import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ActiveComment } from '@roughmix/contracts/comments/comment.view.js';
import { type Person, startApp, type TestApp } from '../../testing/app.js';
import { receivedDuring as receivedBy, TestSockets, channelsAndTypes as words } from '../../testing/test-sockets.js';
import {
  addVersion,
  analysed,
  aProjectWith,
  comment,
  diff,
  editPermissions,
  invite,
  region,
  reply,
  type CreatedProject,
} from '../../testing/project-over-http.js';
import { type Answer, bodyOf, keysOf } from '../../testing/test-client.js';
import { isAside, type ReceivedMessage, type TestSocket } from '../../testing/test-socket.js';

const listening = new TestSockets();
let app: TestApp;
let ana: Person;
let bob: Person;
let uma: Person;
let sharedProject: CreatedProject;
let member: TestSocket;
let visitor: TestSocket;
let outsider: TestSocket;

beforeAll(async () => {
  app = await startApp();
  [ana, bob, uma] = await app.people('Ana', 'Bob', 'Uma');
  sharedProject = await aProjectWith(ana, { viewers: [`${bob.uid}-3`], isPublic: true });
  await analysed(ana, sharedProject.versionId);
  member = await listening.socket(bob, sharedProject.projectId);
  visitor = await listening.socket(uma, sharedProject.projectId);
  outsider = await listening.socket(uma);
});
afterAll(() => listening.stop(app));

const commandOf = (answer: Answer): string | null => answer.headers.get('x-command-id');
const PUSH = ['actorUid', 'commandId', 'position', 'projectId', 'type'];
const SHOWS = [...PUSH, 'view'].toSorted();
const NAMES = [...PUSH, 'ids'].toSorted();

/** What a member and a visitor of the public project get from one call. */
async function receivedDuring(
  call: () => Promise<Answer>,
): Promise<{ member: readonly ReceivedMessage[]; visitor: readonly ReceivedMessage[]; answer: Answer }> {
  const { received, answer } = await receivedBy(ana, sharedProject.projectId, [member, visitor], call);
  const [members = [], visitors = []] = received;
  if (answer === null) throw new Error('nothing was called');
  return { member: members, visitor: visitors, answer };
}

test('regions are pushed to members and visitors alike, with the actor and the command', async () => {
  const { projectId, versionId } = sharedProject;
  const added = await receivedDuring(() => ana.post('/api/regions', { projectId, submission: { versionId, start: 0.2, end: 1 } }));
  expect(words(added.member)).toEqual(['regions RegionAdded']);
  expect(added.visitor).toEqual(added.member);
  const { newRegion } = added.answer.body as { newRegion: { _id: string } };
  const position = Number(added.answer.headers.get('x-position'));
  expect(added.member[0]?.body).toEqual({ type: 'RegionAdded', projectId, view: newRegion, actorUid: ana.uid, commandId: commandOf(added.answer), position });

  const edited = await receivedDuring(() => ana.put(`/api/regions/${newRegion._id}`, { submission: { end: 1.5 } }));
  expect([words(edited.member), edited.visitor]).toEqual([['regions RegionEdited'], edited.member]);
  expect(keysOf(edited.member[0]?.body)).toEqual(SHOWS);

  const removed = await receivedDuring(() => ana.post(`/api/regions/${newRegion._id}`, { projectId }));
  expect([words(removed.member), removed.visitor]).toEqual([['regions RegionRemoved'], removed.member]);
  expect(removed.member[0]?.body).toMatchObject({ ids: [newRegion._id] });
  expect(keysOf(removed.member[0]?.body)).toEqual(NAMES);
});

test('changing a region pushes the comments tagged with it, without marking them as edited', async () => {
  const { projectId } = sharedProject;
  const drawn = await region(ana, sharedProject);
  await bob.post('/api/comments', { projectId, submission: { content: 'here', taggedRegions: [{ _id: drawn._id }] } });

  const edited = await receivedDuring(() => ana.put(`/api/regions/${drawn._id}`, { submission: { tag: 'style' } }));
  expect([words(edited.member).toSorted(), edited.visitor]).toEqual([['comments CommentEdited', 'regions RegionEdited'], edited.member]);
  const retagged = edited.member.find(({ channel }) => channel === 'comments')?.body;
  expect(retagged).toMatchObject({ view: { edited: null, taggedRegions: [{ _id: drawn._id, tag: 'style' }] } });

  const removed = await receivedDuring(() => ana.post(`/api/regions/${drawn._id}`, { projectId }));
  expect(words(removed.member).toSorted()).toEqual(['comments CommentEdited', 'regions RegionRemoved']);
  expect(removed.member.find(({ channel }) => channel === 'comments')?.body).toMatchObject({ view: { edited: null, taggedRegions: [] } });
});

test('a child region is pushed with the post that makes it, and its parent with both', async () => {
  const { projectId } = sharedProject;
  const { _id: parent } = await region(ana, sharedProject);
  const add = { content: 'x', taggedRegions: [{ _id: parent, end: 0.9 }] };
  const added = await receivedDuring(() => bob.post('/api/comments', { projectId, submission: add }));
  expect(words(added.member)).toEqual(['regions RegionAdded', 'regions RegionEdited', 'comments CommentAdded', 'regions RegionEdited']);
  const views = (messages: readonly ReceivedMessage[]) =>
    messages.map(({ body }) => body.view as { _id: string; childRegion: string | null; commentIds?: string[] });
  const [child, changed, said] = views(added.member);
  expect([changed?._id, changed?.childRegion]).toEqual([parent, child?._id]);
  expect(added.visitor).toEqual(added.member);

  const edited = await receivedDuring(() => bob.put(`/api/comments/${said?._id}`, { submission: { taggedRegions: [{ _id: parent }] } }));
  expect(words(edited.member)).toEqual(['comments CommentEdited', 'regions RegionEdited', 'regions RegionRemoved', 'regions RegionEdited']);
  expect(edited.member[2]?.body).toMatchObject({ ids: [child?._id] });
  expect(views(edited.member)[3]).toMatchObject({ _id: parent, childRegion: null, commentIds: [said?._id] });
});

test('removing a parent pushes its children and their posts without it', async () => {
  const { projectId } = sharedProject;
  const { _id: parent } = await region(ana, sharedProject);
  await bob.post('/api/comments', { projectId, submission: { content: 'x', taggedRegions: [{ _id: parent, end: 0.9 }] } });
  await ana.post('/api/todos', { projectId, submission: { content: 'x', taggedRegions: [{ _id: parent, end: 0.8 }] } });
  const removed = await receivedDuring(() => ana.post(`/api/regions/${parent}`, { projectId }));
  const ofChildren = ['regions RegionEdited', 'regions RegionEdited'];
  expect(words(removed.member).toSorted()).toEqual(['comments CommentEdited', ...ofChildren, 'regions RegionRemoved', 'todos TodoEdited']);
  const viewOf = (type: string) => removed.member.find(({ body }) => body.type === type)?.body.view;
  expect(viewOf('RegionEdited')).toMatchObject({ parentRegion: null, edited: null });
  expect(viewOf('CommentEdited')).toMatchObject({ edited: null, taggedRegions: [{ end: 0.9, childRegion: null }] });
  expect(viewOf('TodoEdited')).toMatchObject({ edited: null, taggedRegions: [{ end: 0.8, childRegion: null }] });
});

test('a comment is pushed to everyone, with what it changes elsewhere at the same position', async () => {
  const { projectId } = sharedProject;
  const drawn = await region(ana, sharedProject);
  const added = await receivedDuring(() => bob.post('/api/comments', { projectId, submission: { content: 'x', taggedRegions: [{ _id: drawn._id }] } }));
  expect([words(added.member), added.visitor]).toEqual([['comments CommentAdded', 'regions RegionEdited'], added.member]);
  const [said, tagged] = added.member;
  expect([said?.body.position, tagged?.body.position]).toEqual([Number(added.answer.headers.get('x-position')), said?.body.position]);
  const { newComment } = added.answer.body as { newComment: { _id: string; negs?: unknown; negCount?: unknown } };
  const { negs: _negs, negCount: _count, ...room } = newComment;
  expect(said?.body).toMatchObject({ view: room, actorUid: bob.uid, commandId: commandOf(added.answer) });
  expect(keysOf(said?.body.view as object)).toEqual(keysOf(room));
  expect(tagged?.body).toMatchObject({ view: { _id: drawn._id, commentIds: [newComment._id], edited: null } });

  const replied = await receivedDuring(() => ana.post(`/api/comments/${newComment._id}/reply`, { projectId, submission: { content: 'y' } }));
  expect([words(replied.member), replied.visitor]).toEqual([['comments CommentReplyAdded', 'comments CommentEdited'], replied.member]);
  const { newComment: answerOf } = replied.answer.body as { newComment: { _id: string } };
  expect(replied.member[1]?.body).toMatchObject({ view: { _id: newComment._id, replyIds: [answerOf._id], edited: null } });

  const edited = await receivedDuring(() => bob.put(`/api/comments/${newComment._id}`, { submission: { taggedRegions: [] } }));
  expect([words(edited.member), edited.visitor]).toEqual([['comments CommentEdited', 'regions RegionEdited'], edited.member]);

  const unreplied = await receivedDuring(() => ana.post(`/api/comments/${answerOf._id}`, { projectId }));
  expect([words(unreplied.member), unreplied.visitor]).toEqual([['comments CommentReplyRemoved', 'comments CommentEdited'], unreplied.member]);
  const removed = await receivedDuring(() => bob.post(`/api/comments/${newComment._id}`, { projectId }));
  expect([words(removed.member), removed.visitor]).toEqual([['comments CommentRemoved'], removed.member]);
});

test('an image comment is not pushed before its image is stored', async () => {
  const { projectId } = sharedProject;
  const begun = await receivedDuring(() => bob.post('/api/comments', { projectId, submission: { type: 'image', content: { filename: 'a.png' } } }));
  expect([begun.member, begun.visitor]).toEqual([[], []]);
});

test('a like is pushed; a dislike is pushed only if it replaces a like, and without the user who disliked', async () => {
  const { projectId } = sharedProject;
  const { _id } = await comment(bob, projectId);
  const author = await listening.socket(bob);
  const rate = (type: string, on = true) => receivedDuring(() => ana.put(`/api/comments/${_id}/rating`, { type, on }));
  const liked = await rate('likes');
  expect(words(liked.visitor)).toEqual(['comments CommentRated']);
  expect(liked.visitor[0]?.body).toMatchObject({ actorUid: ana.uid, commandId: commandOf(liked.answer), view: { likes: [ana.uid] } });
  author.clear();
  const disliked = await rate('negs');
  expect(words(disliked.visitor)).toEqual(['comments CommentRated']);
  expect(disliked.visitor[0]?.body).toMatchObject({ actorUid: null, commandId: null, view: { likes: [] } });
  expect(Object.keys(disliked.visitor[0]?.body.view as object)).not.toEqual(expect.arrayContaining(['negs']));
  const told = await author.until(({ body }) => body.type === 'CommentRated');
  expect(told.body).toMatchObject({ actorUid: null, commandId: null, view: { negCount: 1, negs: [] } });
  expect(JSON.stringify(told.body)).not.toContain(ana.uid.concat('"],"negCount'));
  author.clear();
  const likedAgain = await rate('likes');
  expect(likedAgain.visitor.map(({ body }) => [body.actorUid, body.commandId, (body.view as ActiveComment).likes])).toEqual([
    [ana.uid, commandOf(likedAgain.answer), [ana.uid]],
  ]);
  expect((await author.until(({ body }) => body.type === 'CommentRated')).body).toMatchObject({ actorUid: null, commandId: null, view: { negCount: 0 } });
  author.clear();
  await rate('negs');
  await author.until(({ body }) => body.type === 'CommentRated');
  author.clear();
  const taken = await rate('negs', false);
  expect(taken.visitor).toEqual([]);
  expect((await author.until(({ body }) => body.type === 'CommentRated')).body).toMatchObject({ actorUid: null, view: { negCount: 0 } });
  author.close();
});

test('versions are pushed with their analysis', async () => {
  const { projectId } = sharedProject;
  await receivedBy(ana, sharedProject.projectId, [member, visitor]);
  const { _id } = await addVersion(ana, projectId);
  for (const each of [member, visitor]) {
    await each.until(({ body }) => body.type === 'VersionAnalyzed');
    expect(each.summary()).toEqual(['media VersionAdded', 'media VersionAnalyzed']);
    const pushes = each.received.filter((message) => !isAside(message));
    expect(pushes.map(({ body }) => [keysOf(body), body.actorUid, (body.view as { _id: string })._id])).toEqual([
      [SHOWS, ana.uid, _id],
      [SHOWS, null, _id],
    ]);
  }
  const removed = await receivedDuring(() => ana.post(`/api/media/${_id}`, { projectId }));
  expect([words(removed.member), removed.visitor]).toEqual([['media VersionRemoved'], removed.member]);
});

test.each([
  ['ProjectDescription', { description: 'Other words' }],
  ['ProjectCompleted', { completed: true }],
])('%s is pushed, to visitors without anything that names members', async (type, submission) => {
  const received = await receivedDuring(() => ana.put(`/api/projects/${sharedProject.projectId}`, { submission }));
  expect([words(received.member), words(received.visitor)]).toEqual([[`projects ${type}`], [`projects ${type}`]]);
  const [members, visitors] = [received.member[0]?.body.view as object, received.visitor[0]?.body.view as object];
  expect(keysOf(members)).toEqual([...keysOf(visitors), 'addedUsers', 'userPermissions'].toSorted());
  expect(keysOf(visitors)).not.toContain('permissionLevel');
  expect(JSON.stringify(visitors)).not.toContain(bob.uid);
  expect(members).toMatchObject({ userPermissions: { read: [`${bob.uid}-3`], write: [] } });
  expect(JSON.stringify(members)).not.toContain('private"');
});

test('invitations, permissions and removals are pushed to members and the people concerned only', async () => {
  const zoe = await app.person('Zoe');
  const { projectId } = sharedProject;
  const hers = await listening.socket(zoe, projectId);
  hers.clear();
  const invited = await receivedDuring(() =>
    ana.put(`/api/projects/${ana.uid}/inviteUsers/${projectId}`, { invitedUsers: [`${zoe.uid}-1`], message: 'Come in' }),
  );
  expect([words(invited.member), invited.visitor]).toEqual([['projects ProjectUsersInvited'], []]);
  expect(keysOf(invited.member[0]?.body)).toEqual([...SHOWS, 'uids'].toSorted());
  expect(invited.member[0]?.body.uids).toEqual([zoe.uid]);
  const own = await hers.until(({ body }) => 'permissionLevel' in body);
  expect(own.body).toMatchObject({ type: 'ProjectUsersInvited', uids: [zoe.uid], message: 'Come in', permissionLevel: { role: 'Viewer', access: 1 } });

  hers.clear();
  const changed = await receivedDuring(() => editPermissions(ana, projectId, [diff(zoe.uid, 2)]));
  expect([words(changed.member), changed.visitor]).toEqual([['projects ProjectPermissions'], []]);
  expect(keysOf(changed.member[0]?.body)).toEqual([...SHOWS, 'uids'].toSorted());
  expect((await hers.until(({ body }) => 'permissionLevel' in body)).body).toMatchObject({ permissionLevel: { access: 2, comment: false, download: true } });

  hers.clear();
  const removed = await receivedDuring(() => editPermissions(ana, projectId, [diff(zoe.uid, 2, { removed: true })]));
  expect([words(removed.member), removed.visitor]).toEqual([['projects ProjectUsersRemoved'], []]);
  await hers.until(({ body }) => body.type === 'ProjectUsersRemoved');
  const removals = hers.received.filter(({ body }) => body.type === 'ProjectUsersRemoved');
  expect(removals.map(({ body }) => keysOf(body))).toEqual([[...NAMES, 'uids'].toSorted()]);
  hers.close();
});

test('nothing is pushed to sockets that joined no room', () => {
  expect(outsider.received).toEqual([]);
});

test('when a project turns private, its visitors get its id only, and no pushes after that', async () => {
  const later = await aProjectWith(ana, { viewers: [`${bob.uid}-3`], isPublic: true });
  const [inside, outside] = [await listening.socket(bob, later.projectId), await listening.socket(uma, later.projectId)];
  await analysed(ana, later.versionId);
  await receivedBy(ana, later.projectId, [inside, outside]);
  bodyOf(await ana.put(`/api/projects/${later.projectId}`, { submission: { visibility: 'private' } }));
  const told = await outside.until(({ body }) => body.type === 'ProjectVisibility');
  expect([keysOf(told.body), told.body.ids]).toEqual([NAMES, [later.projectId]]);
  await inside.until(({ body }) => body.type === 'ProjectVisibility' && 'view' in body);
  outside.clear();
  await region(ana, later);
  await inside.until(({ body }) => body.type === 'RegionAdded');
  const opened = await ana.put(`/api/projects/${later.projectId}`, { submission: { visibility: 'public' } });
  await inside.until(({ body }) => body.position === Number(opened.headers.get('x-position')));
  expect(await outside.join(later.projectId)).toMatchObject({ ok: true, users: [] });
  expect(outside.summary()).toEqual([]);
  bodyOf(await ana.post(`/api/projects/removeProject/${later.projectId}`));
  for (const each of [inside, outside]) expect((await each.until(({ body }) => body.type === 'ProjectRemoved')).body.ids).toEqual([later.projectId]);
});

test('invited visitors get what members get, and people who left get nothing more', async () => {
  const yan = await app.person('Yan');
  const { projectId } = sharedProject;
  const his = await listening.socket(yan, projectId);
  bodyOf(await invite(ana, projectId, [`${yan.uid}-1`]));
  await his.until(({ body }) => body.type === 'UserEdited');
  his.clear();
  bodyOf(await editPermissions(ana, projectId, [diff(bob.uid, 2)]));
  bodyOf(await editPermissions(ana, projectId, [diff(bob.uid, 3)]));
  await his.until(({ body }) => body.type === 'ProjectPermissions');
  expect((await yan.post(`/api/projects/${projectId}/leave`)).status).toBe(204);
  await his.until(({ body }) => body.type === 'ProjectUsersRemoved');
  his.clear();
  const { _id } = await comment(ana, projectId);
  const answered = await reply(ana, projectId, _id);
  await member.until(({ body }) => (body.view as { _id?: string } | undefined)?._id === answered._id);
  expect(await his.ask('login', {})).toMatchObject({ ok: true });
  expect(his.summary()).toEqual([]);
  his.close();
});

test('a visitor who is invited into an empty room gets its pushes from the invitation on', async () => {
  const wes = await app.person('Wes');
  const later = await aProjectWith(ana, { isPublic: true });
  const his = await listening.socket(wes, later.projectId);
  const { headers } = await invite(ana, later.projectId, [`${wes.uid}-1`]);
  await his.until(({ body }) => 'permissionLevel' in body);
  const { received } = await receivedBy(ana, later.projectId, [his]);
  const atInvitation = (received[0] ?? []).filter(({ body }) => body.position === Number(headers.get('x-position')));
  expect(atInvitation.map(({ body }) => [body.type, 'permissionLevel' in body])).toEqual([
    ['ProjectUsersInvited', false],
    ['ProjectUsersInvited', true],
    ['UserEdited', false],
  ]);
});

test('the author of a comment gets no more pushes of it after being removed', async () => {
  const xia = await app.person('Xia');
  const later = await aProjectWith(ana, { viewers: [`${xia.uid}-3`] });
  const { _id } = await comment(xia, later.projectId);
  const [hers, mine] = [await listening.socket(xia), await listening.socket(ana)];
  bodyOf(await editPermissions(ana, later.projectId, [diff(xia.uid, 3, { removed: true })]));
  await hers.until(({ body }) => body.type === 'ProjectUsersRemoved');
  hers.clear();
  bodyOf(await ana.put(`/api/comments/${_id}/rating`, { type: 'negs', on: true }));
  await mine.until(({ body }) => body.type === 'CommentRated');
  bodyOf(await invite(ana, later.projectId, [`${xia.uid}-1`]));
  await hers.until(({ body }) => body.type === 'UserEdited');
  expect(hers.summary()).toEqual(['projects ProjectUsersInvited', 'users UserEdited']);
});
