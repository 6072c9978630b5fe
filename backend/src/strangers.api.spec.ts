import { once } from 'node:events';
import { type IncomingMessage, METHODS, request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { NewCollectionAnswer } from '@roughmix/contracts/collections/collection.view.js';
import type { ClientMessages } from '@roughmix/contracts/live.js';
import { PLAY_PATHS } from '@roughmix/contracts/plays/play.paths.js';
import { MARKER_PATHS } from '@roughmix/contracts/markers/marker.paths.js';
import { BLOCK_PATHS } from '@roughmix/contracts/blocks/block.paths.js';
import { PROFILE_PATHS } from '@roughmix/contracts/profiles/profile.paths.js';
import { PUSH_PATHS } from '@roughmix/contracts/push/push.paths.js';
import { REGION_PATHS } from '@roughmix/contracts/regions/region.paths.js';
import type { SessionsAnswer } from '@roughmix/contracts/users/user.view.js';
import { type Person, startApp, type TestApp } from './testing/app.js';
import { builtPageRoutes } from './testing/built-page.js';
import { compiled } from './testing/compiled.js';
import { announce, aProjectWith, comment, region, todo, type CreatedProject } from './testing/project-over-http.js';
import { servedRoutes } from './testing/served-routes.js';
import { type Answer, bodyOf } from './testing/test-client.js';
import { refusedSocket, socketOf } from './testing/test-socket.js';

/**
 * Without a session; the guest at a public (`guest`) and at a private project (`stranger`); a user who is not a member at a public (`visitor`) and at a
 * private project (`outsider`); a member who may only view. projects/permissions.api.spec.ts covers members with more permissions.
 */
const COLUMNS = ['nobody', 'guest', 'stranger', 'visitor', 'outsider', 'viewer'] as const;
type Column = (typeof COLUMNS)[number];

interface Fixture extends CreatedProject {
  readonly commentId: string;
  readonly todoId: string;
  readonly regionId: string;
}
interface CallContext extends Fixture {
  readonly who: Person;
}
type Ask = (context: CallContext) => Promise<Pick<Answer, 'status'>>;
type Row = readonly [route: string, expected: string, ask: Ask];

const routes = servedRoutes();
let app: TestApp;
let owner: Person;
let people: Record<Column, Person>;
let publicProject: Fixture;
let privateProject: Fixture;
let collectionId: string;
let newcomers = 0;

async function createFixture(isPublic: boolean): Promise<Fixture> {
  const created = await aProjectWith(owner, { viewers: [`${people.viewer.uid}-0`], isPublic });
  const { _id: commentId } = await comment(owner, created.projectId);
  const { _id: todoId } = await todo(owner, created.projectId);
  const { _id: regionId } = await region(owner, created);
  return { ...created, commentId, todoId, regionId };
}

beforeAll(async () => {
  app = await startApp({ THROTTLE_CONTACT: '1000', THROTTLE_INVITE_REQUESTS: '1000', THROTTLE_ADMIN_KEYS: '1000', THROTTLE_RESET_MISSES: '1000' });
  const [first, visitor, viewer] = await app.people('Olga', 'Uma', 'Viv');
  const guest = await app.guest();
  owner = first;
  people = { nobody: app.anonymous as Person, guest, stranger: guest, visitor, outsider: visitor, viewer };
  collectionId = bodyOf(await addCollection(owner, [])).newCollection?._id ?? '';
  [publicProject, privateProject] = [await createFixture(true), await createFixture(false)];
});
afterAll(() => app.stop());

const fixtureFor = (column: Column): Fixture => (column === 'stranger' || column === 'outsider' ? privateProject : publicProject);

async function answers(ask: Ask): Promise<string> {
  const statuses: number[] = [];
  for (const column of COLUMNS) statuses.push((await ask({ ...fixtureFor(column), who: people[column] })).status);
  return statuses.join(' ');
}

/** A list answers 200 to every session; counts as 404 if the item is left out. */
const inList = async (answer: Promise<Answer>): Promise<Pick<Answer, 'status'>> => {
  const { status, body } = await answer;
  return { status: status === 200 && Object.keys(Object.values(body as Record<string, object>)[0] ?? {}).length !== 1 ? 404 : status };
};

/** A new session, for calls that end it. */
const newSession = async (who: Person): Promise<Person> => {
  if (who === people.nobody) return who;
  return who === people.guest ? app.guest() : app.signIn(`${who.username.replace(' ', '.')}@example.org`.toLowerCase(), who.username);
};

/** For calls that end all sessions of a user: a user of their own, except for the guest. */
const somebodyLike = async (who: Person): Promise<Person> => {
  newcomers += 1;
  return who === people.nobody || who === people.guest ? newSession(who) : app.person(`Newcomer${newcomers}`);
};
const sessionOf = async (who: Person): Promise<string> => bodyOf(await who.get<SessionsAnswer>('/api/auth/sessions')).sessions[0]?._id ?? '';

//                      nob gue str vis out vie
const EVERYONE = /* */ '200 200 200 200 200 200';
const ACCEPTED = /*  */ '202 202 202 202 202 202';
const SIGNED_IN = /* */ '401 200 200 200 200 200';
const PEOPLE = /*    */ '401 403 403 200 200 200';
const SEEN = /*      */ '401 200 404 200 404 200';
const MEMBERS = /*   */ '401 404 404 404 404 200';
const REFUSED = /*   */ '401 403 403 403 404 403';
const CONFIRMED = /* */ '401 403 403 200 404 200';
const STAFF_ONLY = /* */ '401 403 403 403 403 403';
const NO_KEY = /*    */ '401 401 401 401 401 401';
const MISSING = /*   */ '404 404 404 404 404 404';
const SPENT = /*     */ '410 410 410 410 410 410';
const NOT_FOUND = /* */ '401 403 403 404 404 404';
const OTHER_USER = '401 403 403 403 403 403';

/** The receiver of RFC 8291, appendix A. */
const SUBSCRIPTION = {
  endpoint: 'https://push.example.org/send/1',
  keys: { p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4', auth: 'BTBZMqHH6r4Tts7J_aSIgg' },
};
const BINARY = { 'Content-Type': 'application/octet-stream' };
const ANY_METHOD = 'GET POST PUT PATCH DELETE OPTIONS TRACE QUERY SEARCH PROPFIND PROPPATCH MKCOL COPY MOVE LOCK UNLOCK'.split(' ');
/** Node 20.19.0 does not support QUERY: its parser refuses such a request before any route. */
const isParsed = (method: string): boolean => METHODS.includes(method);

/** For methods that fetch refuses to send. */
async function sendRaw(method: string, { token }: Person, path = `/api/admin/${'k'.repeat(48)}/users`): Promise<{ status: number }> {
  const headers = token === null ? {} : { Authorization: `Bearer ${token}` };
  const sent = request(new URL(path, app.url), { method, headers: { ...headers, 'Content-Type': 'application/json', 'Content-Length': 2 } }).end('{}');
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  answer.resume();
  return { status: answer.statusCode ?? 0 };
}

const generalRows: readonly Row[] = [
  ['GET /health/live', EVERYONE, ({ who }) => who.get('/health/live')],
  ['GET /health/ready', EVERYONE, ({ who }) => who.get('/health/ready')],
  ['GET /docs', EVERYONE, ({ who }) => who.get('/docs')],
  ['GET /docs/openapi.json', EVERYONE, ({ who }) => who.get('/docs/openapi.json')],
  ['GET /docs/asyncapi-events.json', EVERYONE, ({ who }) => who.get('/docs/asyncapi-events.json')],
  ['GET /docs/asyncapi-socket.json', EVERYONE, ({ who }) => who.get('/docs/asyncapi-socket.json')],
  ['GET /docs/begin.js', EVERYONE, ({ who }) => who.get('/docs/begin.js')],
  ['GET /docs/ui/*', EVERYONE, ({ who }) => who.get('/docs/ui/swagger-ui.css')],
  ['GET /docs/ui/*', MISSING, ({ who }) => who.get('/docs/ui/package.json')],
  ['GET /api/site', EVERYONE, ({ who }) => who.get('/api/site')],
  ['GET /api/mail/unsubscribe/{token}', MISSING, ({ who }) => who.get('/api/mail/unsubscribe/x')],
  ['POST /api/mail/unsubscribe/{token}', MISSING, ({ who }) => who.post('/api/mail/unsubscribe/x')],
  ['POST /api/inviteRequests', ACCEPTED, ({ who }) => who.post('/api/inviteRequests', { email: 'mara@example.org' })],
  ['POST /api/contact', ACCEPTED, ({ who }) => who.post('/api/contact', { firstName: 'Mara', lastName: 'Lund', reply_to: 'mara@example.org' })],
  ['GET /api/users/{uid}/photo', EVERYONE, ({ who }) => who.get(`/api/users/${owner.uid}/photo`)],
  ['PUT /api/users/{uid}', '401 403 403 200 200 200', ({ who }) => who.put(`/api/users/${who.uid}`, {})],
  ['PUT /api/users/{uid}', OTHER_USER, ({ who }) => who.put(`/api/users/${owner.uid}`, {})],
  ['PUT /api/users/{uid}/photo', '401 403 403 404 404 404', ({ who }) => who.put(`/api/users/${who.uid}/photo`, { uploadId: 'x' })],
  ['PUT /api/users/{uid}/photo', OTHER_USER, ({ who }) => who.put(`/api/users/${owner.uid}/photo`, { uploadId: 'x' })],
  ['DELETE /api/users/{uid}/photo', '401 403 403 200 200 200', ({ who }) => who.delete(`/api/users/${who.uid}/photo`)],
  ['DELETE /api/users/{uid}/photo', OTHER_USER, ({ who }) => who.delete(`/api/users/${owner.uid}/photo`)],
  ['PUT /api/users/{uid}/cover', '401 403 403 404 404 404', ({ who }) => who.put(`/api/users/${who.uid}/cover`, { uploadId: 'x' })],
  ['PUT /api/users/{uid}/cover', OTHER_USER, ({ who }) => who.put(`/api/users/${owner.uid}/cover`, { uploadId: 'x' })],
  ['DELETE /api/users/{uid}/cover', '401 403 403 200 200 200', ({ who }) => who.delete(`/api/users/${who.uid}/cover`)],
  ['DELETE /api/users/{uid}/cover', OTHER_USER, ({ who }) => who.delete(`/api/users/${owner.uid}/cover`)],
  ['GET /api/users/{uid}/images/{file}', MISSING, ({ who }) => who.get(`/api/users/${owner.uid}/images/x-170.png`)],
  ['GET /api/auth/session', SIGNED_IN, ({ who }) => who.get('/api/auth/session')],
  ['POST /api/auth/login', '400 400 400 400 400 400', ({ who }) => who.post('/api/auth/login', {})],
  ['POST /api/auth/passwordReset', MISSING, ({ who }) => who.post('/api/auth/passwordReset', { email: 'nobody@example.org' })],
  ['POST /api/auth/passwordReset', EVERYONE, ({ who }) => who.post('/api/auth/passwordReset', { email: 'olga.tester@example.org' })],
  ['POST /api/auth/passwordReset/{token}', SPENT, ({ who }) => who.post('/api/auth/passwordReset/x', { newPassword: 'not-hers-at-all' })],
  ['POST /api/auth/invite/{token}', SPENT, ({ who }) => who.post('/api/auth/invite/x', {})],
  ['POST /api/auth/firstAccount', SPENT, ({ who }) => who.post('/api/auth/firstAccount', { token: 'x', email: 'a@example.org', password: 'not-hers-at-all' })],
  ['POST /api/auth/login', NO_KEY, ({ who }) => who.post('/api/auth/login', { email: 'olga.tester@example.org', password: 'not-hers-at-all' })],
  ['POST /api/auth/guest', EVERYONE, async ({ who }) => (await newSession(who)).post('/api/auth/guest')],
  ['POST /api/auth/logout', '401 204 204 204 204 204', async ({ who }) => (await newSession(who)).post('/api/auth/logout')],
  ['POST /api/auth/password', '401 403 403 403 403 403', ({ who }) => who.post('/api/auth/password', { currentPassword: 'not-it', newPassword: 'x' })],
  ['POST /api/auth/visit', EVERYONE, ({ who }) => who.post('/api/auth/visit', { href: '/projects' })],
  ['GET /api/staff/accounts', '401 403 403 403 403 403', ({ who }) => who.get('/api/staff/accounts')],
  ['POST /api/admin/{key}/users/getUserInfo', NO_KEY, ({ who }) => who.post(`/api/admin/${'k'.repeat(48)}/users/getUserInfo`, { uid: owner.uid })],
  [
    'PUT /api/admin/{key}/users/{uid}/staffRole',
    NO_KEY,
    ({ who }) => who.put(`/api/admin/${'k'.repeat(48)}/users/${owner.uid}/staffRole`, { staffRole: 'admin' }),
  ],
  ['GET /api/auth/sessions', SIGNED_IN, ({ who }) => who.get('/api/auth/sessions')],
  ['DELETE /api/auth/sessions', '401 204 204 204 204 204', async ({ who }) => (await somebodyLike(who)).call('DELETE', '/api/auth/sessions')],
  ['DELETE /api/auth/sessions/{id}', '401 404 404 404 404 404', async ({ who }) => who.call('DELETE', `/api/auth/sessions/${await sessionOf(owner)}`)],
  ['POST /api/admin/{key}/users/addUser', NO_KEY, ({ who }) => who.post(`/api/admin/${'k'.repeat(48)}/users/addUser`, {})],
  ['POST /api/admin/{key}/initializeContent', NO_KEY, ({ who }) => who.post(`/api/admin/${'k'.repeat(48)}/initializeContent`, {})],
  ['GET /api/admin/{key}/projections', NO_KEY, ({ who }) => who.get(`/api/admin/${'k'.repeat(48)}/projections`)],
  ['POST /api/admin/{key}/projections/{projector}/rebuild', NO_KEY, ({ who }) => who.post(`/api/admin/${'k'.repeat(48)}/projections/projects/rebuild`, {})],
  ['GET /api/admin/{key}/reactors', NO_KEY, ({ who }) => who.get(`/api/admin/${'k'.repeat(48)}/reactors`)],
  ['GET /api/admin/{key}/mail', NO_KEY, ({ who }) => who.get(`/api/admin/${'k'.repeat(48)}/mail`)],
  ['POST /api/admin/{key}/mail', NO_KEY, ({ who }) => who.post(`/api/admin/${'k'.repeat(48)}/mail`, { to: 'ana@example.org' })],
  ['POST /api/admin/{key}/reactors/{reactor}/replay', NO_KEY, ({ who }) => who.post(`/api/admin/${'k'.repeat(48)}/reactors/x/replay`, {})],
  ['POST /api/admin/{key}/reactors/{reactor}/rewind', NO_KEY, ({ who }) => who.post(`/api/admin/${'k'.repeat(48)}/reactors/x/rewind`, { to: 0 })],
  ['POST /api/admin/{key}/users/removeUser', NO_KEY, ({ who }) => who.post(`/api/admin/${'k'.repeat(48)}/users/removeUser`, {})],
  ['GET /api/admin/{key}/inviteRequests', NO_KEY, ({ who }) => who.get(`/api/admin/${'k'.repeat(48)}/inviteRequests`)],
  ['POST /api/admin/{key}/inviteRequests/{id}/decline', NO_KEY, ({ who }) => who.post(`/api/admin/${'k'.repeat(48)}/inviteRequests/x/decline`, {})],
  ['POST /api/admin/{key}/inviteRequests/{id}/accept', NO_KEY, ({ who }) => who.post(`/api/admin/${'k'.repeat(48)}/inviteRequests/x/accept`, {})],
  ['GET /api/staff/inviteRequests', STAFF_ONLY, ({ who }) => who.get('/api/staff/inviteRequests')],
  ['POST /api/staff/inviteRequests/{id}/decline', STAFF_ONLY, ({ who }) => who.post('/api/staff/inviteRequests/x/decline', {})],
  ['GET /api/staff/contactMessages', STAFF_ONLY, ({ who }) => who.get('/api/staff/contactMessages')],
  ['POST /api/admin/{key}/users/erase', NO_KEY, ({ who }) => who.post(`/api/admin/${'k'.repeat(48)}/users/erase`, {})],
  ...ANY_METHOD.map((method): Row => [
    `${method} /api/admin/{key}/*`,
    isParsed(method) ? NO_KEY : '400 400 400 400 400 400',
    ({ who }) => sendRaw(method, who),
  ]),
  ['PUT /api/storage/put/{token}', '404 403 403 404 404 404', ({ who }) => who.raw('PUT', '/api/storage/put/e30.AAAA', { body: 'x', headers: BINARY })],
];

const pushRows: readonly Row[] = [
  ['GET /api/push/key', SIGNED_IN, ({ who }) => who.get(PUSH_PATHS.key)],
  ['POST /api/push/subscriptions', '401 403 403 201 201 201', ({ who }) => who.post(PUSH_PATHS.subscriptions, SUBSCRIPTION)],
  [
    'DELETE /api/push/subscriptions',
    '401 403 403 204 204 204',
    ({ who }) => who.call('DELETE', PUSH_PATHS.subscriptions, { body: { endpoint: SUBSCRIPTION.endpoint } }),
  ],
];

const projectRows: readonly Row[] = [
  ['GET /api/projects/{uid}', SIGNED_IN, ({ who }) => who.get(`/api/projects/${who.uid}`)],
  ['GET /api/projects/{uid}', OTHER_USER, ({ who }) => who.get(`/api/projects/${owner.uid}`)],
  ['GET /api/projects/{ownerUid}/{projectId}', MEMBERS, ({ who, projectId }) => who.get(`/api/projects/${owner.uid}/${projectId}`)],
  ['GET /api/projects/{projectId}/visitor/{uid}', SEEN, ({ who, projectId }) => who.get(`/api/projects/${projectId}/visitor/${who.uid}`)],
  ['GET /api/projects/{projectId}/visitor/{uid}', OTHER_USER, ({ who, projectId }) => who.get(`/api/projects/${projectId}/visitor/${owner.uid}`)],
  ['POST /api/projects/newProject', '401 403 403 201 201 201', ({ who }) => who.post('/api/projects/newProject', { submission: { projectName: 'x' } })],
  ['PUT /api/projects/{projectId}', REFUSED, ({ who, projectId }) => who.put(`/api/projects/${projectId}`, { submission: { description: 'x' } })],
  ['PUT /api/projects/{projectId}', REFUSED, (context) => editNotes(context, { public: 'x' })],
  ['PUT /api/projects/{projectId}', REFUSED, (context) => editNotes(context, { private: 'x' })],
  ['POST /api/projects/{projectId}/takeOver', '401 403 403 403 404 409', ({ who, projectId }) => who.post(`/api/projects/${projectId}/takeOver`)],
  ['PUT /api/projects/{projectId}/newVersion', CONFIRMED, (context) => confirmVersion(context)],
  ['PUT /api/projects/{ownerUid}/inviteUsers/{projectId}', OTHER_USER, (context) => inviteVisitor(context, owner.uid)],
  ['PUT /api/projects/{ownerUid}/inviteUsers/{projectId}', REFUSED, (context) => inviteVisitor(context, context.who.uid)],
  ['PUT /api/projects/{ownerUid}/editPermissions/{projectId}', OTHER_USER, (context) => editPermissions(context, owner.uid)],
  ['PUT /api/projects/{ownerUid}/editPermissions/{projectId}', REFUSED, (context) => editPermissions(context, context.who.uid)],
  ['POST /api/projects/removeProject/{projectId}', REFUSED, ({ who, projectId }) => who.post(`/api/projects/removeProject/${projectId}`)],
];
const editNotes = ({ who, projectId }: CallContext, notes: object): Promise<Answer> =>
  who.put(`/api/projects/${projectId}`, { submission: { owner: { notes } } });
const confirmVersion: Ask = ({ who, projectId, versionId }) => who.put(`/api/projects/${projectId}/newVersion`, { versionId });
const inviteVisitor = ({ who, projectId }: CallContext, as: string): Promise<Answer> =>
  who.put(`/api/projects/${as}/inviteUsers/${projectId}`, { invitedUsers: [`${people.visitor.uid}-3`] });
const editPermissions = ({ who, projectId }: CallContext, as: string): Promise<Answer> =>
  who.put(`/api/projects/${as}/editPermissions/${projectId}`, {
    permissionDiffs: [{ uid: people.viewer.uid, permissions: { comment: true, download: true }, write: true }],
  });

const partRows: readonly Row[] = [
  ['GET /api/projects/{projectId}/markers', '401 403 404 403 404 200', (context) => exportMarkers(context)],
  ['GET /api/media/{versionId}/plays', '401 403 404 403 404 403', ({ who, versionId }) => who.get(PLAY_PATHS.ofVersion(versionId))],
  ['GET /api/media/{ids}', SEEN, ({ who, versionId }) => inList(who.get(`/api/media/${versionId}`))],
  ['GET /api/media/lite/{ids}', SEEN, ({ who, versionId }) => inList(who.get(`/api/media/lite/${versionId}`))],
  ['GET /api/media/{versionId}/audio', SEEN, ({ who, versionId }) => who.raw('GET', `/api/media/${versionId}/audio`)],
  ['GET /api/media/{versionId}/peaks', '401 404 404 404 404 404', ({ who, versionId }) => who.raw('GET', `/api/media/${versionId}/peaks?level=99`)],
  ['GET /api/media/{versionId}/download', '401 403 404 403 404 403', ({ who, versionId }) => who.raw('GET', `/api/media/${versionId}/download`)],
  ['POST /api/storage/uploads', REFUSED, ({ who, projectId }) => announce(who, { projectId })],
  ['POST /api/media', REFUSED, ({ who, projectId }) => who.post('/api/media', { submission: { projectId, uploadId: 'x', tinySummary: 'x' } })],
  ['POST /api/media/newProject', REFUSED, ({ who, ...at }) => addFirstVersion(who, at)],
  ['PUT /api/media/{versionId}', CONFIRMED, ({ who, projectId, versionId }) => who.put(`/api/media/${versionId}`, { projectId })],
  ['PUT /api/media/{versionId}', REFUSED, ({ who, projectId, versionId }) => who.put(`/api/media/${versionId}`, { projectId, uploadId: 'x' })],
  ['POST /api/media/{versionId}', REFUSED, ({ who, projectId, versionId }) => who.post(`/api/media/${versionId}`, { projectId })],
  ['POST /api/media/removeProject/{ids}', '401 403 403 204 204 204', ({ who, versionId }) => who.post(`/api/media/removeProject/${versionId}`)],
  ['GET /api/comments/{ids}', SEEN, ({ who, commentId }) => inList(who.get(`/api/comments/${commentId}`))],
  ['GET /api/comments/{commentId}/image', '401 404 404 404 404 404', ({ who, commentId }) => who.raw('GET', `/api/comments/${commentId}/image`)],
  ['POST /api/comments', REFUSED, ({ who, projectId }) => who.post('/api/comments', { projectId, submission: { content: 'x' } })],
  [
    'POST /api/comments/{id}/reply',
    REFUSED,
    ({ who, projectId, commentId }) => who.post(`/api/comments/${commentId}/reply`, { projectId, submission: { content: 'x' } }),
  ],
  ['PUT /api/comments/{id}', REFUSED, ({ who, commentId }) => who.put(`/api/comments/${commentId}`, { submission: { content: 'x' } })],
  ['PUT /api/comments/{id}/rating', REFUSED, ({ who, commentId }) => who.put(`/api/comments/${commentId}/rating`, { type: 'likes', on: true })],
  ['POST /api/comments/{id}', REFUSED, ({ who, projectId, commentId }) => who.post(`/api/comments/${commentId}`, { projectId })],
  ['GET /api/todos/{ids}', SEEN, ({ who, todoId }) => inList(who.get(`/api/todos/${todoId}`))],
  ['GET /api/completedTodos/{ids}', '401 404 404 404 404 404', ({ who, todoId }) => inList(who.get(`/api/completedTodos/${todoId}`))],
  ['POST /api/todos', REFUSED, ({ who, projectId }) => who.post('/api/todos', { projectId, submission: { content: 'x' } })],
  ['POST /api/todos/{id}', REFUSED, ({ who, projectId, todoId }) => who.post(`/api/todos/${todoId}`, { projectId, submission: { content: 'x' } })],
  ['PUT /api/todos/{id}', REFUSED, ({ who, todoId }) => who.put(`/api/todos/${todoId}`, { submission: { content: 'x' } })],
  ['PUT /api/todos/markComplete/{ids}', REFUSED, ({ who, todoId }) => who.put(`/api/todos/markComplete/${todoId}`, {})],
  ['POST /api/todos/{id}/remove', REFUSED, ({ who, todoId }) => who.post(`/api/todos/${todoId}/remove`, {})],
  ['POST /api/notifications/manageTodoReminders', '401 403 403 200 200 200', ({ who }) => who.post('/api/notifications/manageTodoReminders', {})],
  ['GET /api/regions/{ids}', SEEN, ({ who, regionId }) => inList(who.get(`/api/regions/${regionId}`))],
  ['POST /api/regions', REFUSED, ({ who, projectId, versionId }) => who.post('/api/regions', { projectId, submission: { versionId, start: 0, end: 1 } })],
  ['PUT /api/regions/{id}', REFUSED, ({ who, regionId }) => who.put(`/api/regions/${regionId}`, { submission: { end: 1.5 } })],
  ['POST /api/regions/{id}', REFUSED, ({ who, projectId, regionId }) => who.post(`/api/regions/${regionId}`, { projectId })],
  ...['insertPostId', 'removePostId', 'removeTaggedRegion'].map((call): Row => {
    const path = `/api/taggedRegions/${call}`;
    return [`PUT ${path}`, REFUSED, ({ who, commentId, regionId }) => who.put(path, { postId: commentId, type: 'comment', regionId })];
  }),
  [
    'PUT /api/taggedRegions/appendChildRegionTags/{id}',
    REFUSED,
    ({ who, commentId, regionId }) => who.put(REGION_PATHS.tagChild(regionId), { postId: commentId, type: 'comment', child: { end: 0.9 } }),
  ],
  [
    'PUT /api/taggedRegions/removeChildRegionTags/{id}',
    REFUSED,
    ({ who, commentId, regionId }) => who.put(REGION_PATHS.revertToParent(regionId), { postId: commentId, type: 'comment' }),
  ],
];
const exportMarkers: Ask = ({ who, projectId, versionId }) => who.raw('GET', MARKER_PATHS.export({ projectId, versionId, format: 'csv' }));
const addFirstVersion = (who: Person, { projectId, versionId }: Fixture | Omit<CallContext, 'who'>): Promise<Answer> =>
  who.post('/api/media/newProject', { initialVersion: { projectId, versionId, uploadId: 'x' } });

const addCollection = (who: Person, projects: readonly string[]): Promise<Answer<NewCollectionAnswer>> =>
  who.post(`/api/collections/${who.uid}`, { submission: { title: 'x', projects } });

const peopleRows: readonly Row[] = [
  ['GET /api/users/auth/{uid}', SIGNED_IN, ({ who }) => who.get(`/api/users/auth/${who.uid}`)],
  ['GET /api/users/auth/{uid}', OTHER_USER, ({ who }) => who.get(`/api/users/auth/${owner.uid}`)],
  ['GET /api/users/search', PEOPLE, ({ who }) => who.get('/api/users/search?q=tester')],
  ['GET /api/users/{uid}/fetchProjectUsers', MEMBERS, ({ who, projectId }) => who.get(`/api/users/${who.uid}/fetchProjectUsers?projectId=${projectId}`)],
  ['GET /api/users/{uid}/fetchProjectUsers', OTHER_USER, ({ who, projectId }) => who.get(`/api/users/${owner.uid}/fetchProjectUsers?projectId=${projectId}`)],
  ['GET /api/users/fetchProfilePageUserData', EVERYONE, ({ who }) => who.get(PROFILE_PATHS.page('/@olga-tester'))],
  ['GET /api/users/fetchProfilePageUserData', '401 404 404 200 200 200', ({ who }) => who.get(PROFILE_PATHS.page('/home'))],
  ['GET /api/users/{uid}/fetchUserConnections', EVERYONE, ({ who }) => who.get(PROFILE_PATHS.connections(owner.uid))],
  ['PUT /api/users/{uid}/connections/{otherUid}', OTHER_USER, ({ who }) => who.put(PROFILE_PATHS.connection(owner.uid, who.uid))],
  ['PUT /api/users/{uid}/connections/{otherUid}', '401 403 403 200 200 200', ({ who }) => who.put(PROFILE_PATHS.connection(who.uid, owner.uid))],
  ['DELETE /api/users/{uid}/connections/{otherUid}', OTHER_USER, ({ who }) => who.delete(PROFILE_PATHS.connection(owner.uid, who.uid))],
  ['DELETE /api/users/{uid}/connections/{otherUid}', '401 403 403 200 200 200', ({ who }) => who.delete(PROFILE_PATHS.connection(who.uid, owner.uid))],
  ['GET /api/users/{uid}/blocked', SIGNED_IN, ({ who }) => who.get(BLOCK_PATHS.list(who.uid))],
  ['GET /api/users/{uid}/blocked', OTHER_USER, ({ who }) => who.get(BLOCK_PATHS.list(owner.uid))],
  ['PUT /api/users/{uid}/blocked/{otherUid}', OTHER_USER, ({ who }) => who.put(BLOCK_PATHS.one(owner.uid, who.uid))],
  ['PUT /api/users/{uid}/blocked/{otherUid}', '401 403 403 204 204 204', ({ who }) => who.put(BLOCK_PATHS.one(who.uid, owner.uid))],
  ['DELETE /api/users/{uid}/blocked/{otherUid}', OTHER_USER, ({ who }) => who.delete(BLOCK_PATHS.one(owner.uid, who.uid))],
  ['DELETE /api/users/{uid}/blocked/{otherUid}', '401 403 403 204 204 204', ({ who }) => who.delete(BLOCK_PATHS.one(who.uid, owner.uid))],
  ['GET /api/collections/{uid}', SIGNED_IN, ({ who }) => who.get(`/api/collections/${who.uid}`)],
  ['GET /api/collections/{uid}', OTHER_USER, ({ who }) => who.get(`/api/collections/${owner.uid}`)],
  ['POST /api/collections/{uid}', OTHER_USER, ({ who }) => who.post(`/api/collections/${owner.uid}`, { submission: { title: 'x' } })],
  ['POST /api/collections/{uid}', REFUSED, ({ who, projectId }) => addCollection(who, [projectId])],
  ['PUT /api/collections/removeProject/{projectId}', CONFIRMED, ({ who, projectId }) => who.put(`/api/collections/removeProject/${projectId}`)],
  ['PUT /api/collections/{uid}/{collectionId}', OTHER_USER, ({ who }) => who.put(`/api/collections/${owner.uid}/${collectionId}`, { title: 'x' })],
  ['PUT /api/collections/{uid}/{collectionId}', NOT_FOUND, ({ who }) => who.put(`/api/collections/${who.uid}/${collectionId}`, { title: 'x' })],
  ['POST /api/collections/{uid}/{collectionId}', OTHER_USER, ({ who }) => who.post(`/api/collections/${owner.uid}/${collectionId}`)],
  ['POST /api/collections/{uid}/{collectionId}', NOT_FOUND, ({ who }) => who.post(`/api/collections/${who.uid}/${collectionId}`)],
  ['GET /api/notifications/{uid}', SIGNED_IN, ({ who }) => who.get(`/api/notifications/${who.uid}`)],
  ['GET /api/notifications/{uid}', OTHER_USER, ({ who }) => who.get(`/api/notifications/${owner.uid}`)],
  ['PUT /api/notifications/markAsRead', PEOPLE, ({ who }) => who.put('/api/notifications/markAsRead', {})],
  ['PUT /api/notifications/dismissAll', PEOPLE, ({ who }) => who.put('/api/notifications/dismissAll', { set: 'other' })],
  // Last, because the viewer is no longer a member afterwards.
  ['POST /api/projects/{projectId}/leave', '401 403 403 403 404 204', ({ who, projectId }) => who.post(`/api/projects/${projectId}/leave`)],
];

const rows = [...generalRows, ...pushRows, ...projectRows, ...partRows, ...peopleRows];

describe('HTTP', () => {
  test.each(rows)('%s is %s', async (_route, expected, ask) => {
    expect(await answers(ask)).toBe(expected);
  });

  test('every route of the server is in the table or is a file of the page', () => {
    const known = new Set(rows.map(([route]) => route));
    const page = builtPageRoutes();
    expect([...routes].filter((route) => !known.has(route) && !page.has(route))).toEqual([]);
    expect([...known].filter((route) => !routes.has(route))).toEqual([]);
  });

  test.each(['HEAD', ...ANY_METHOD.slice(3)])('%s gives no access that GET does not', async (method) => {
    for (const path of ['/api/auth/session', `/api/projects/${owner.uid}`, `/api/media/${privateProject.versionId}/audio`]) {
      expect(isParsed(method) ? [401, 404] : [400]).toContain((await sendRaw(method, people.nobody, path)).status);
    }
  });
});

/** A message from browsers: its body and the answers to `nobody` … `viewer`, `ok` or a problem's code. */
type MessageRow = readonly [body: (at: Fixture) => object, expected: string];
const NO_SOCKET = 'auth.required';
const ALL_OK = `${NO_SOCKET} ok ok ok ok ok`;
const JOINS = `${NO_SOCKET} ok project.not-found ok project.not-found ok`;
const messages: Readonly<Record<keyof ClientMessages, MessageRow>> & Readonly<Record<string, MessageRow>> = {
  login: [() => ({}), ALL_OK],
  logout: [() => ({}), ALL_OK],
  'in-project': [({ projectId }) => ({ projectId }), JOINS],
  'left-project': [({ projectId }) => ({ projectId }), ALL_OK],
  'update-metrics': [({ versionId }) => ({ versionId, seconds: 1 }), `${NO_SOCKET} guest.read-only guest.read-only ok version.not-found ok`],
  'update-newUserNotif': [() => ({ item: 'tutorial', done: true }), `${NO_SOCKET} guest.read-only guest.read-only ok ok ok`],
};

async function socketAnswers(name: string, body: (at: Fixture) => object): Promise<string> {
  const codes = [(await refusedSocket(app.url, {})).message];
  for (const column of COLUMNS.slice(1)) {
    const socket = await socketOf(people[column]);
    const answer = await socket.ask(name, body(fixtureFor(column)));
    socket.close();
    codes.push(answer.ok ? 'ok' : answer.problem.code);
  }
  return codes.join(' ');
}

describe('the socket', () => {
  beforeAll(async () => {
    publicProject = await createFixture(true);
  });

  test.each(Object.entries(messages))('%s', async (name, [body, expected]) => {
    expect(await socketAnswers(name, body)).toBe(expected);
  });

  test('every message of the gateway is in the table or is unknown so far', async () => {
    const { LiveGateway } = await compiled<typeof import('./platform/live/live.gateway.js')>('platform/live/live.gateway.js');
    // What Nest's decorators wrote is known where they ran.
    const { messagesOf } = await compiled<typeof import('./testing/served-routes.js')>('testing/served-routes.js');
    const others = messagesOf(LiveGateway).filter((name) => !(name in messages));
    for (const name of others) expect([name, await socketAnswers(name, () => ({}))]).toEqual([name, `${NO_SOCKET}${' message.unknown'.repeat(5)}`]);
    expect(Object.keys(messages).filter((name) => !messagesOf(LiveGateway).includes(name))).toEqual([]);
  });
});
