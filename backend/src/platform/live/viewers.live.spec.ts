import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ProjectView } from '@roughmix/contracts/projects/project.view.js';
import type { UserAnswer } from '@roughmix/contracts/users/user.view.js';
import { type Person, startApp, type TestApp } from '../../testing/app.js';
import { notificationsOf } from '../../testing/notification-calls.js';
import { receivedDuring, TestSockets } from '../../testing/test-sockets.js';
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
import { type Answer, bodyOf } from '../../testing/test-client.js';
import type { ReceivedMessage, TestSocket } from '../../testing/test-socket.js';

/** What differs between viewers, and what must never be pushed. */
const OWN = ['negs', 'negCount', 'permissionLevel', 'private'];
const NEVER = ['email', 'password', 'token', 'sessionId'];
const OF_MEMBERS = ['userPermissions', 'addedUsers', 'uids'];

type View = Readonly<Record<string, unknown>> & { readonly _id: string };
interface Seat {
  readonly name: string;
  readonly who: Person;
  readonly socket: TestSocket;
}

const listening = new TestSockets();
let app: TestApp;
let ana: Person;
let bob: Person;
let vic: Person;
let sharedProject: CreatedProject;
let seats: readonly Seat[];
const told = new Map<string, number>();

beforeAll(async () => {
  app = await startApp();
  const [one, two, three, uma] = await app.people('Ana', 'Bob', 'Vic', 'Uma');
  [ana, bob, vic] = [one, two, three];
  sharedProject = await aProjectWith(ana, { viewers: [`${vic.uid}-3`], isPublic: true });
  bodyOf(await invite(ana, sharedProject.projectId, [`${bob.uid}-3`], true));
  await analysed(ana, sharedProject.versionId);
  const people = { owner: ana, collaborator: bob, viewer: vic, visitor: uma, guest: await app.guest() };
  seats = await Promise.all(Object.entries(people).map(async ([name, who]) => ({ name, who, socket: await listening.socket(who, sharedProject.projectId) })));
});
afterAll(() => listening.stop(app));

/** Every field name, at any depth. */
function namesIn(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => [...(Array.isArray(value) ? [] : [name]), ...namesIn(member)]);
}

const isVisitor = ({ name }: Seat): boolean => name === 'visitor' || name === 'guest';
const isForOne = ({ body }: ReceivedMessage): boolean => namesIn(body).some((name) => OWN.includes(name));

/** A resource as the channel's query returns it to a person now. */
async function queried({ who }: Seat, { channel, body }: ReceivedMessage): Promise<View | undefined> {
  const { _id } = body.view as View;
  if (channel === 'projects') {
    const { data } = bodyOf(await who.get<{ data: { project: View } }>(`/api/projects/${_id}/visitor/${who.uid}`));
    return data.project;
  }
  const answer = bodyOf(await who.get<Readonly<Record<string, readonly View[]>>>(`/api/${channel}/${_id}`));
  return Object.values(answer)[0]?.[0];
}

const without = (view: View, names: readonly string[]): object => Object.fromEntries(Object.entries(view).filter(([name]) => !names.includes(name)));

/** Only ProjectNotes carries notes; to a room the public one. */
const publicNotes = (view: View): object => {
  const { owner } = view as unknown as ProjectView;
  const { public: text = '', hash } = owner.notes ?? {};
  return without({ ...view, owner: { ...owner, notes: { public: text, hash: { public: hash?.public } } } }, OWN);
};
const withoutNotes = (view: View): View => (view.owner === undefined ? view : { ...view, owner: without(view.owner as View, ['notes']) });
const forRoom = (view: View): object => without(withoutNotes(view), OWN);

/** Runs a step after everything before it was delivered, and compares what each socket got with what its person may see. */
async function step(call: () => Promise<Answer>): Promise<void> {
  await receivedDuring(
    ana,
    sharedProject.projectId,
    seats.map(({ socket }) => socket),
  );
  const answer = await call();
  bodyOf(answer);
  await quiet(Number(answer.headers.get('x-position')));
  for (const seat of seats) for (const received of seat.socket.received.filter(({ channel }) => channel !== 'currentUsers')) await hold(seat, received);
}

/** Waits until everything up to a position has been delivered: pushes sent before an ack arrive before it. */
async function quiet(position: number): Promise<void> {
  for (let reached = 0; reached < position;) {
    const answer = await seats[0]?.socket.ask('login');
    if (answer?.ok === true) reached = answer.position;
  }
  for (const { socket } of seats) await socket.ask('login');
}

/** A notification is as its receiver's list shows it. */
async function holdNotification({ who }: Seat, { body }: ReceivedMessage): Promise<void> {
  const { notifications, counts } = await notificationsOf(who);
  const { _id } = body.view as View;
  expect(body).toMatchObject({ view: notifications.find((each) => each._id === _id), counts });
}

/** A profile is pushed to its own user only, as the call returns it. */
async function holdProfile({ who }: Seat, { body }: ReceivedMessage): Promise<void> {
  expect(body).toMatchObject({ type: 'UserEdited', view: bodyOf(await who.get<UserAnswer>(`/api/users/auth/${who.uid}`)).user });
}

async function hold(seat: Seat, received: ReceivedMessage): Promise<void> {
  const { body, channel } = received;
  if (channel === 'notification') return holdNotification(seat, received);
  if (channel === 'users') return holdProfile(seat, received);
  const names = namesIn(body);
  expect(names.filter((name) => NEVER.includes(name))).toEqual([]);
  if (isVisitor(seat)) expect(names.filter((name) => [...OWN, ...OF_MEMBERS].includes(name))).toEqual([]);
  const kind = `${channel} ${body.type} ${isForOne(received) ? 'to one' : 'to all'}`;
  told.set(kind, (told.get(kind) ?? 0) + 1);
  if (body.view === undefined) return;
  const now = await queried(seat, received);
  if (now === undefined) throw new Error(`${seat.name} was shown ${channel} ${body.type}, and asked for it there is nothing`);
  // A push to one person matches that person's own query; a push to a room leaves out what differs.
  const view = { ...(body.view as View) };
  if (body.type === 'ProjectNotes') expect(view).toEqual(isForOne(received) ? now : publicNotes(now));
  else if (isForOne(received)) expect(without(view, ['permissionLevel'])).toEqual(without(withoutNotes(now), ['permissionLevel']));
  else expect(view).toEqual(forRoom(now));
  if (body.permissionLevel !== undefined) expect(body.permissionLevel).toEqual(now.permissionLevel);
}

test("pushes to rooms match what each viewer's query returns, without anything that differs between viewers", async () => {
  const { projectId } = sharedProject;
  const edit = (submission: object) => step(() => ana.put(`/api/projects/${projectId}`, { submission }));
  await edit({ description: 'Warm' });
  await edit({ projectName: 'Ebb' });
  await edit({ completed: true });
  await edit({ owner: { notes: { public: 'Tune the snare' } } });
  await edit({ owner: { notes: { private: 'Ask Bob' } } });
  await edit({ completed: false });
  const drawn = await region(bob, sharedProject);
  const first = await comment(vic, projectId, { content: `Here, %MENTION_${bob.username}_END%`, taggedRegions: [{ _id: drawn._id }], stamp: null });
  const rate = (who: Person, type: string, on: boolean) => step(() => who.put(`/api/comments/${first._id}/rating`, { projectId, type, on }));
  await rate(ana, 'likes', true);
  await rate(bob, 'negs', true);
  await rate(ana, 'negs', true);
  await step(() => vic.put(`/api/comments/${first._id}`, { projectId, submission: { content: 'Softer here' } }));
  await step(() => bob.put(`/api/regions/${drawn._id}`, { projectId, submission: { tag: 'style' } }));
  await rate(bob, 'negs', false);
  const answered = await reply(ana, projectId, first._id);
  await step(() => ana.put(`/api/comments/${answered._id}`, { projectId, submission: { content: 'No' } }));
  await step(() => vic.post(`/api/comments/${first._id}`, { projectId }));
  await step(() => ana.post(`/api/comments/${answered._id}`, { projectId }));
  await step(() => bob.post(`/api/regions/${drawn._id}`, { projectId }));
  const { _id: versionId } = await addVersion(bob, projectId);
  await analysed(ana, versionId);
  await step(() => ana.post(`/api/media/${versionId}`, { projectId }));
  await step(() => editPermissions(ana, projectId, [diff(vic.uid, 1)]));
  await step(() => editPermissions(ana, projectId, [diff(vic.uid, 2, { write: true })]));
  const zoe = await app.person('Zoe');
  await step(() => invite(ana, projectId, [`${zoe.uid}-2`]));
  await step(() => editPermissions(ana, projectId, [diff(zoe.uid, 2, { removed: true })]));
  expect(Object.fromEntries(told)).toMatchObject({
    'comments CommentRated to all': 10,
    'comments CommentRated to one': 7,
    'projects ProjectPermissions to one': 2,
    'projects ProjectPermissions to all': 6,
    'projects ProjectNotes to all': 5,
    'projects ProjectNotes to one': 1,
    'projects ProjectCompleted to all': 10,
  });
  expect([...told.keys()].filter((kind) => kind.endsWith('to one')).toSorted()).toEqual([
    'comments CommentRated to one',
    'projects ProjectNotes to one',
    'projects ProjectPermissions to one',
  ]);
});
