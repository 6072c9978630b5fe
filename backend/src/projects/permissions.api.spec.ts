import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { NewProjectAnswer } from '@roughmix/contracts/projects/project.view.js';
import type { NewUploadAnswer } from '@roughmix/contracts/media/upload.api.js';
import type { CommentAddedAnswer } from '@roughmix/contracts/comments/comment.view.js';
import { REGION_PATHS } from '@roughmix/contracts/regions/region.paths.js';
import type { RegionAddedAnswer } from '@roughmix/contracts/regions/region.view.js';
import type { TodoAddedAnswer } from '@roughmix/contracts/todos/todo.view.js';
import sharp from 'sharp';
import { type Person, startApp, type TestApp } from '../testing/app.js';
import {
  addVersion,
  analysed,
  announce,
  aProjectWith,
  createProject,
  comment,
  diff,
  putBytes,
  region,
  smallWav,
  todo,
  type CreatedProject,
  upload,
} from '../testing/project-over-http.js';
import { type Answer, bodyOf } from '../testing/test-client.js';

/** In the order of the table's columns; visitor and guest call a public project, outsider and stranger (the guest) a private one. */
const COLUMNS = ['owner', 'collaborator', 'viewer0', 'viewer1', 'viewer2', 'viewer3', 'visitor', 'guest', 'outsider', 'stranger', 'nobody'] as const;
type Column = (typeof COLUMNS)[number];

/** A project with one item of every kind, created by a member outside the columns. */
interface Fixture extends CreatedProject {
  readonly commentId: string;
  readonly imageId: string;
  readonly todoId: string;
  readonly regionId: string;
}

interface CallerContext extends Fixture {
  readonly who: Person;
  readonly owner: Person;
  readonly extra: Person;
}

type Call = (call: CallerContext) => Promise<Pick<Answer, 'status'>>;

let app: TestApp;
let people: Record<Column, Person>;
let owner: Person;
let author: Person;
let extra: Person;
let open: Fixture;
let closed: Fixture;

const members = (): readonly string[] => [`${author.uid}-3`, ...([0, 1, 2, 3] as const).map((level) => `${people[`viewer${level}`].uid}-${level}`)];

const project = (isPublic: boolean): Promise<CreatedProject> =>
  aProjectWith(owner, { viewers: members(), collaborators: [people.collaborator], isPublic, description: 'Said' });

async function createFixture(isPublic: boolean): Promise<Fixture> {
  const sharedProject = await project(isPublic);
  const { projectId } = sharedProject;
  const posted = await comment(author, projectId);
  const drawn = await region(author, sharedProject);
  const planned = await todo(owner, projectId);
  const image = await imageComment(author, projectId);
  const picture = await sharp({ create: { width: 4, height: 3, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
  const { uploadId } = await upload(author, picture, { projectId, purpose: 'comment-image', commentId: image, filename: 'a.png' });
  bodyOf(await author.put(`/api/comments/${image}`, { projectId, submission: { content: { uploadId } } }));
  await analysed(owner, sharedProject.versionId);
  return { ...sharedProject, commentId: posted._id, imageId: image, todoId: planned._id, regionId: drawn._id };
}

const imageComment = async (who: Person, projectId: string): Promise<string> =>
  bodyOf(await who.post<CommentAddedAnswer>('/api/comments', { projectId, submission: { type: 'image', content: { filename: 'a.png' } } })).newComment._id;

/** A list returns 200 to every user, so the status depends on whether the item is in it. */
const inList = async (answer: Promise<Answer>): Promise<Pick<Answer, 'status'>> => {
  const { status, body } = await answer;
  if (status !== 200) return { status };
  return { status: Object.keys(Object.values(body as Record<string, object>)[0] ?? {}).length === 1 ? 200 : 404 };
};

/** A new comment of the caller if they may comment, else the author's. */
async function ownComment({ who, projectId, commentId }: CallerContext, marks: object = {}): Promise<string> {
  const answer = await who.post<CommentAddedAnswer>('/api/comments', { projectId, submission: { content: 'Mine', ...marks } });
  return answer.status === 201 ? answer.body.newComment._id : commentId;
}

/** A new todo of the caller if they may add one, else the owner's. */
async function ownTodo({ who, projectId, todoId }: CallerContext): Promise<string> {
  const answer = await who.post<TodoAddedAnswer>('/api/todos', { projectId, submission: { content: 'Mine' } });
  return answer.status === 201 ? (answer.body.newTodo?._id ?? todoId) : todoId;
}

async function ownRegion({ who, projectId, versionId, regionId }: CallerContext): Promise<string> {
  const answer = await who.post<RegionAddedAnswer>('/api/regions', { projectId, submission: { versionId, start: 0, end: 1 } });
  return answer.status === 201 ? answer.body.newRegion._id : regionId;
}

/** A finished upload of the caller, or an unknown id. */
async function ownUpload({ who, projectId }: CallerContext): Promise<string> {
  const announced: Answer<NewUploadAnswer> = await announce(who, { projectId });
  if (announced.status !== 201) return 'none';
  await putBytes(who, announced.body, smallWav());
  return announced.body.uploadId;
}

beforeAll(async () => {
  app = await startApp();
  const [first, collaborator, viewer0, viewer1, viewer2] = await app.people('Olga', 'Cleo', 'Viv', 'Vic', 'Val');
  const [viewer3, visitor, second, third] = await app.people('Vik', 'Uma', 'Abe', 'Eve');
  const guest = await app.guest();
  [owner, author, extra] = [first, second, third];
  people = { owner, collaborator, viewer0, viewer1, viewer2, viewer3, visitor, guest, outsider: visitor, stranger: guest, nobody: app.anonymous as Person };
  [open, closed] = [await createFixture(true), await createFixture(false)];
});
afterAll(() => app.stop());

/** The status for each column; the owner comes last, so that removing something does not affect the others. */
async function row(request: Call, on: Partial<Fixture> = {}, offline: Partial<Fixture> = on): Promise<string> {
  const statuses = new Map<Column, number>();
  for (const column of COLUMNS.toReversed()) {
    const outside = column === 'outsider' || column === 'stranger';
    const call = { ...(outside ? { ...closed, ...offline } : { ...open, ...on }), who: people[column], owner, extra };
    statuses.set(column, (await request(call)).status);
  }
  return COLUMNS.map((column) => statuses.get(column)).join(' ');
}

type Row = readonly [route: string, what: string, request: Call, expected: string];
//                                                  own col v0  v1  v2  v3  vis gue out str nob
const SEEN = /*                                  */ '200 200 200 200 200 200 200 200 404 404 401';
const MEMBERS = /*                               */ '200 200 200 200 200 200 404 404 404 404 401';
const OWNER = /*                                 */ '200 403 403 403 403 403 403 403 404 403 401';
const COMMENT = /*                               */ '200 200 403 200 403 200 403 403 404 403 401';
const COMMENT_MADE = /*                          */ '201 201 403 201 403 201 403 403 404 403 401';
const WRITE_MADE = /*                            */ '201 201 403 403 403 403 403 403 404 403 401';
const FORBIDDEN = /*                           */ '403 403 403 403 403 403 403 403 404 403 401';
const WRITE = /*                                 */ '200 200 403 403 403 403 403 403 404 403 401';
const CONFIRM = /*                               */ '200 200 200 200 200 200 200 403 404 403 401';

const noted = ({ who, projectId }: CallerContext, notes: object): Promise<Answer> =>
  who.put(`/api/projects/${projectId}`, { submission: { owner: { notes } } });

const projectRows: readonly Row[] = [
  ['GET /api/projects/{uid}', 'own list', ({ who }) => who.get(`/api/projects/${who.uid}`), '200 200 200 200 200 200 200 200 200 200 401'],
  ['GET /api/projects/{ownerUid}/{projectId}', 'the page of members', ({ who, projectId }) => who.get(`/api/projects/${owner.uid}/${projectId}`), MEMBERS],
  [
    'GET /api/projects/{projectId}/visitor/{uid}',
    'the page of visitors',
    ({ who, projectId }) => who.get(`/api/projects/${projectId}/visitor/${who.uid}`),
    SEEN,
  ],
  [
    'GET /api/users/{uid}/fetchProjectUsers',
    'members',
    ({ who, projectId }) => who.get(`/api/users/${who.uid}/fetchProjectUsers?projectId=${projectId}`),
    MEMBERS,
  ],
  [
    'PUT /api/projects/{projectId}',
    'description',
    ({ who, projectId }) => who.put(`/api/projects/${projectId}`, { submission: { description: who.uid } }),
    OWNER,
  ],
  ['PUT /api/projects/{projectId}', 'the public note', (call) => noted(call, { public: call.who.uid }), '200 200 403 403 403 403 403 403 404 403 401'],
  ['PUT /api/projects/{projectId}', 'the private note', (call) => noted(call, { private: call.who.uid }), OWNER],
  ['PUT /api/projects/{projectId}', 'both notes', (call) => noted(call, { public: 'x', private: 'x' }), OWNER],
  ['PUT /api/projects/{projectId}', 'a note in no valid shape', (call) => noted(call, { public: null }), '400 400 403 403 403 403 403 403 404 403 401'],
  [
    'POST /api/projects/{projectId}/takeOver',
    'take over while there is an owner',
    ({ who, projectId }) => who.post(`/api/projects/${projectId}/takeOver`),
    '409 409 403 403 403 403 403 403 404 403 401',
  ],
  ['PUT /api/projects/{projectId}', 'nothing', ({ who, projectId }) => who.put(`/api/projects/${projectId}`, { submission: {} }), OWNER],
  [
    'PUT /api/projects/{ownerUid}/inviteUsers/{projectId}',
    'invite',
    ({ who, projectId }) => who.put(`/api/projects/${who.uid}/inviteUsers/${projectId}`, { invitedUsers: [`${extra.uid}-0`] }),
    OWNER,
  ],
  [
    'PUT /api/projects/{ownerUid}/editPermissions/{projectId}',
    'permissions',
    ({ who, projectId }) => who.put(`/api/projects/${who.uid}/editPermissions/${projectId}`, { permissionDiffs: [diff(author.uid, 3)] }),
    OWNER,
  ],
];

const partRows: readonly Row[] = [
  ['GET /api/comments/{ids}', 'comments', ({ who, commentId }) => inList(who.get(`/api/comments/${commentId}`)), SEEN],
  ['GET /api/comments/{commentId}/image', 'an image', ({ who, imageId }) => who.raw('GET', `/api/comments/${imageId}/image`), SEEN],
  ['POST /api/comments', 'comment', ({ who, projectId }) => who.post('/api/comments', { projectId, submission: { content: 'x' } }), COMMENT_MADE],
  [
    'POST /api/comments',
    'comment with an image',
    ({ who, projectId }) => who.post('/api/comments', { projectId, submission: { type: 'image', content: { filename: 'x' } } }),
    COMMENT_MADE,
  ],
  [
    'POST /api/comments/{id}/reply',
    'reply',
    ({ who, projectId, commentId }) => who.post(`/api/comments/${commentId}/reply`, { projectId, submission: { content: 'x' } }),
    COMMENT_MADE,
  ],
  ['PUT /api/comments/{id}', "another's", ({ who, commentId }) => who.put(`/api/comments/${commentId}`, { submission: { content: 'x' } }), FORBIDDEN],
  ['PUT /api/comments/{id}', "one's own", async (call) => call.who.put(`/api/comments/${await ownComment(call)}`, { submission: { content: 'x' } }), COMMENT],
  ['PUT /api/comments/{id}/rating', 'rate', ({ who, commentId }) => who.put(`/api/comments/${commentId}/rating`, { type: 'likes', on: true }), COMMENT],
  ['POST /api/comments/{id}', "another's", ({ who, projectId, commentId }) => who.post(`/api/comments/${commentId}`, { projectId }), FORBIDDEN],
  ['POST /api/comments/{id}', "one's own", async (call) => call.who.post(`/api/comments/${await ownComment(call)}`, { projectId: call.projectId }), COMMENT],
  ['GET /api/todos/{ids}', 'todos', ({ who, todoId }) => inList(who.get(`/api/todos/${todoId}`)), SEEN],
  ['POST /api/todos', 'add', ({ who, projectId }) => who.post('/api/todos', { projectId, submission: { content: 'x' } }), WRITE_MADE],
  [
    'POST /api/todos/{id}',
    'reply',
    ({ who, projectId, todoId }) => who.post(`/api/todos/${todoId}`, { projectId, submission: { content: 'x' } }),
    COMMENT_MADE,
  ],
  ['PUT /api/todos/{id}', "one's own", async (call) => call.who.put(`/api/todos/${await ownTodo(call)}`, { submission: { content: 'x' } }), WRITE],
  [
    'PUT /api/todos/markComplete/{ids}',
    "the owner's",
    async ({ who, projectId }) => who.put(`/api/todos/markComplete/${(await todo(owner, projectId))._id}`, {}),
    WRITE,
  ],
  ['POST /api/todos/{id}/remove', "one's own", async (call) => call.who.post(`/api/todos/${await ownTodo(call)}/remove`, {}), WRITE],
  ['GET /api/regions/{ids}', 'regions', ({ who, regionId }) => inList(who.get(`/api/regions/${regionId}`)), SEEN],
  [
    'POST /api/regions',
    'draw',
    ({ who, projectId, versionId }) => who.post('/api/regions', { projectId, submission: { versionId, start: 0, end: 1 } }),
    COMMENT_MADE,
  ],
  ['PUT /api/regions/{id}', "another's", ({ who, regionId }) => who.put(`/api/regions/${regionId}`, { submission: { end: 1.5 } }), FORBIDDEN],
  ['PUT /api/regions/{id}', "one's own", async (call) => call.who.put(`/api/regions/${await ownRegion(call)}`, { submission: { end: 1.5 } }), COMMENT],
  ['POST /api/regions/{id}', "another's", ({ who, projectId, regionId }) => who.post(`/api/regions/${regionId}`, { projectId }), FORBIDDEN],
  ['POST /api/regions/{id}', "one's own", async (call) => call.who.post(`/api/regions/${await ownRegion(call)}`, { projectId: call.projectId }), COMMENT],
  ...(
    [
      ['insertPostId', false],
      ['removePostId', true],
      ['removeTaggedRegion', true],
    ] as const
  ).flatMap(([name, isTagged]): readonly Row[] => {
    const path = `/api/taggedRegions/${name}`;
    const put = ({ who, regionId }: CallerContext, postId: string) => who.put(path, { postId, type: 'comment', regionId });
    return [
      [`PUT ${path}`, "another's post", (call) => put(call, call.commentId), FORBIDDEN],
      [
        `PUT ${path}`,
        "one's own post",
        async (call) => put(call, await ownComment(call, isTagged ? { taggedRegions: [{ _id: call.regionId }] } : {})),
        COMMENT,
      ],
    ];
  }),
  [
    'PUT /api/taggedRegions/appendChildRegionTags/{id}',
    "another's post",
    ({ who, regionId, commentId }) => who.put(REGION_PATHS.tagChild(regionId), { postId: commentId, type: 'comment', child: { end: 0.9 } }),
    FORBIDDEN,
  ],
  [
    'PUT /api/taggedRegions/appendChildRegionTags/{id}',
    "one's own post",
    async (call) => call.who.put(REGION_PATHS.tagChild(call.regionId), { postId: await ownComment(call), type: 'comment', child: { end: 0.9 } }),
    COMMENT,
  ],
  [
    'PUT /api/taggedRegions/removeChildRegionTags/{id}',
    "another's post",
    ({ who, regionId, commentId }) => who.put(REGION_PATHS.revertToParent(regionId), { postId: commentId, type: 'comment' }),
    FORBIDDEN,
  ],
  [
    'PUT /api/taggedRegions/removeChildRegionTags/{id}',
    "one's own post",
    async (call) => {
      const postId = await ownComment(call, { taggedRegions: [{ _id: call.regionId, end: 0.9 }] });
      return call.who.put(REGION_PATHS.revertToParent(call.regionId), { postId, type: 'comment' });
    },
    COMMENT,
  ],
];

const mediaRows: readonly Row[] = [
  ['GET /api/media/{ids}', 'versions', ({ who, versionId }) => inList(who.get(`/api/media/${versionId}`)), SEEN],
  ['GET /api/media/lite/{ids}', 'versions', ({ who, versionId }) => inList(who.get(`/api/media/lite/${versionId}`)), SEEN],
  ['GET /api/media/{versionId}/audio', 'play', ({ who, versionId }) => who.raw('GET', `/api/media/${versionId}/audio`), SEEN],
  ['GET /api/media/{versionId}/peaks', 'peaks', ({ who, versionId }) => who.raw('GET', `/api/media/${versionId}/peaks`), SEEN],
  [
    'GET /api/media/{versionId}/download',
    'download',
    ({ who, versionId }) => who.raw('GET', `/api/media/${versionId}/download`),
    '200 200 403 403 200 200 403 403 404 404 401',
  ],
  ['POST /api/storage/uploads', 'a version', ({ who, projectId }) => announce(who, { projectId }), WRITE_MADE],
  [
    'POST /api/storage/uploads',
    "another's image",
    ({ who, projectId, imageId }) => announce(who, { projectId, purpose: 'comment-image', commentId: imageId }),
    FORBIDDEN,
  ],
  [
    'POST /api/media',
    'add',
    async (call) => call.who.post('/api/media', { submission: { projectId: call.projectId, uploadId: await ownUpload(call), tinySummary: 'x' } }),
    WRITE_MADE,
  ],
  [
    'PUT /api/projects/{projectId}/newVersion',
    'confirm',
    ({ who, projectId, versionId }) => who.put(`/api/projects/${projectId}/newVersion`, { versionId }),
    CONFIRM,
  ],
  ['PUT /api/media/{versionId}', 'confirm', ({ who, projectId, versionId }) => who.put(`/api/media/${versionId}`, { projectId }), CONFIRM],
  [
    'PUT /api/media/{versionId}',
    'replace what is not rejected',
    ({ who, projectId, versionId }) => who.put(`/api/media/${versionId}`, { projectId, uploadId: 'x' }),
    '409 403 403 403 403 403 403 403 404 403 401',
  ],
  [
    'POST /api/media/removeProject/{ids}',
    'nothing',
    ({ who, versionId }) => who.post(`/api/media/removeProject/${versionId}`),
    '204 204 204 204 204 204 204 403 204 403 401',
  ],
];

const peopleRows: readonly Row[] = [
  ['GET /api/users/auth/{uid}', 'oneself', ({ who }) => who.get(`/api/users/auth/${who.uid}`), '200 200 200 200 200 200 200 200 200 200 401'],
  ['GET /api/users/search', 'people', ({ who }) => who.get('/api/users/search?q=tester'), '200 200 200 200 200 200 200 403 200 403 401'],
];

describe('permissions', () => {
  test.each([...projectRows, ...partRows, ...mediaRows, ...peopleRows])('%s (%s)', async (_route, _what, request, expected) => {
    expect(await row(request)).toBe(expected);
  });

  test('POST /api/media/newProject: only the owner sees a project without a version', async () => {
    const { newProject, versionId } = bodyOf(await createProject(owner, { invitedUsers: members() }));
    const projectId = newProject._id;
    const request: Call = async (call) =>
      call.who.post('/api/media/newProject', { initialVersion: { projectId, versionId, uploadId: await ownUpload({ ...call, projectId }) } });
    expect(await row(request)).toBe('201 404 404 404 404 404 404 403 404 403 401');
  });

  test('POST /api/media/{versionId}: the owner removes any version, others their own', async () => {
    const { _id: versionId } = await addVersion(owner, open.projectId);
    const { _id: hidden } = await addVersion(owner, closed.projectId);
    const request: Call = (call) => call.who.post(`/api/media/${call.versionId}`, { projectId: call.projectId });
    expect(await row(request, { versionId }, { versionId: hidden })).toBe(OWNER);
    const { _id: own } = await addVersion(people.collaborator, open.projectId);
    expect((await people.collaborator.post(`/api/media/${own}`, { projectId: open.projectId })).status).toBe(200);
  });

  test('POST /api/projects/{projectId}/leave: every member but the owner', async () => {
    const [public_, private_] = [await project(true), await project(false)];
    const request: Call = ({ who, projectId }) => who.post(`/api/projects/${projectId}/leave`);
    expect(await row(request, public_, private_)).toBe('403 204 204 204 204 204 403 403 404 403 401');
  });

  test('POST /api/projects/removeProject/{projectId}: the owner', async () => {
    const [public_, private_] = [await project(true), await project(false)];
    const request: Call = ({ who, projectId }) => who.post(`/api/projects/removeProject/${projectId}`);
    expect(await row(request, public_, private_)).toBe(OWNER);
  });
});

test.each([
  ['GET', () => `/api/projects/${people.visitor.uid}`],
  ['GET', () => `/api/projects/${open.projectId}/visitor/${people.visitor.uid}`],
  ['GET', () => `/api/users/auth/${people.visitor.uid}`],
  ['GET', () => `/api/users/${people.visitor.uid}/fetchProjectUsers?projectId=${open.projectId}`],
  ['PUT', () => `/api/projects/${people.visitor.uid}/inviteUsers/${open.projectId}`],
  ['PUT', () => `/api/projects/${people.visitor.uid}/editPermissions/${open.projectId}`],
] as const)('%s with the uid of another user is 403 actor.mismatch, even for the owner', async (method, path) => {
  const answer = await owner.call<{ code: string }>(method, path(), method === 'PUT' ? { body: {} } : {});
  expect([answer.status, answer.body.code]).toEqual([403, 'actor.mismatch']);
});

test('every signed-in user except the guest may create a project', async () => {
  const request: Call = ({ who }) => who.post<NewProjectAnswer>('/api/projects/newProject', { submission: { projectName: 'x' } });
  expect(await row(request)).toBe('201 201 201 201 201 201 201 403 201 403 401');
});
