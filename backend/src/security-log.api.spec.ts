import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { BLOCK_PATHS } from '@roughmix/contracts/blocks/block.paths.js';
import { INQUIRY_PATHS } from '@roughmix/contracts/inquiries/inquiry.paths.js';
import type { InviteRequestsAnswer } from '@roughmix/contracts/inquiries/inquiry.view.js';
import { USER_PATHS } from '@roughmix/contracts/users/user.paths.js';
import type { SessionsAnswer, UserAddedAnswer } from '@roughmix/contracts/users/user.view.js';
import type { SecurityEvent, SecurityLine } from './platform/security/security-event.js';
import { PASSWORD, type Person, sessionIn, startApp, type TestApp } from './testing/app.js';
import { linkedToken, outboxEmails } from './testing/outbox.js';
import { aProjectWith } from './testing/project-over-http.js';
import { rawHandshake } from './testing/raw-handshake.js';
import { manualClock } from './testing/manual-clock.js';
import { type Answer, bodyOf, statusAndCode, TestClient } from './testing/test-client.js';
import { refusedSocket, socketOf } from './testing/test-socket.js';

const CHOSEN = 'brushes-on-a-snare';
const WRONG = 'not-the-password-at-all';
const UNKNOWN = 'stranger@example.net';
const ANA = 'ana.tester@example.org';
const HERE = '127.0.0.1';

const clock = manualClock();
let app: TestApp;
let ana: Person;
/** How many lines earlier tests caused. */
let before = 0;
/** What must never be in a line: everything secret or personal that the tests send or get. */
const planted = new Set([PASSWORD, CHOSEN, WRONG, UNKNOWN, 'example.org']);

beforeAll(async () => {
  app = await startApp(
    { TRUST_PROXY: HERE, THROTTLE_ADMIN_KEYS: '1', QUOTA_PROJECTS: '1', THROTTLE_ACCOUNT_PASSWORDS: '1000', PASSWORD_RESET_DISCREET: 'false' },
    { clock: clock.now },
  );
  planted.add(app.adminKey);
});
beforeEach(() => {
  clock.move(60 * 60_000);
  before = app.security.length;
});
afterEach(() => expect(app.security.filter((line) => [...planted].some((secret) => JSON.stringify(line).includes(secret)))).toEqual([]));
afterAll(() => app.stop());

type Facts = Partial<Pick<SecurityLine, 'actor' | 'address' | 'target' | 'outcome'>>;
const requestIdOf = (answer: Pick<Answer, 'headers'>): string | null => answer.headers.get('x-request-id');
/** The exact text of a line about a request. */
const line = (event: SecurityEvent, answer: Pick<Answer, 'headers'> | null, facts: Facts): string => {
  const { actor = null, address = HERE, target = null, outcome = 'ok' } = facts;
  return JSON.stringify({
    channel: 'security',
    time: clock.now(),
    event,
    actor,
    address,
    target,
    outcome,
    requestId: answer === null ? null : requestIdOf(answer),
  });
};
const lines = (): readonly string[] => app.securityLines.slice(before);
/** The public id of a client's session. */
async function sessionOf(client: TestClient): Promise<string> {
  planted.add(client.token ?? '');
  return bodyOf(await client.get<SessionsAnswer>(USER_PATHS.sessions)).sessions.find(({ current }) => current)?._id ?? '';
}
const login = (email: string, password: string, client: TestClient = app.anonymous): Promise<Answer> => client.post(USER_PATHS.login, { email, password });
const withSession = (answer: Answer): TestClient => new TestClient(app.url, sessionIn(answer.headers));

describe('accounts', () => {
  test('account.created: by the admin key', async () => {
    const added = await app.anonymous.post<UserAddedAnswer>(USER_PATHS.addUser(app.adminKey), { email: ANA, password: PASSWORD, firstName: 'Ana' });
    const { uid } = bodyOf(added).user;
    expect(lines()).toEqual([
      line('admin.called', added, { actor: 'admin-key', target: 'POST /api/admin/:key/users/addUser' }),
      line('account.created', added, { actor: 'admin-key', target: uid }),
    ]);
    ana = await app.signIn(ANA, 'Ana');
  });

  test('account.created: by accepting an invite request; invite.used: signing in by its link', async () => {
    await app.anonymous.post(INQUIRY_PATHS.inviteRequests, { email: 'bea@example.org' });
    const listed = await app.anonymous.get<InviteRequestsAnswer>(INQUIRY_PATHS.inviteRequestsWithKey(app.adminKey));
    const id = bodyOf(listed).inviteRequests[0]?._id ?? '';
    const accepted = await app.anonymous.post<UserAddedAnswer>(INQUIRY_PATHS.acceptWithKey(app.adminKey, id));
    expect(lines()).toEqual([
      line('admin.called', listed, { actor: 'admin-key', target: 'GET /api/admin/:key/inviteRequests' }),
      line('admin.called', accepted, { actor: 'admin-key', target: `POST /api/admin/:key/inviteRequests/${id}/accept` }),
      line('account.created', accepted, { actor: 'admin-key', target: bodyOf(accepted).user.uid }),
    ]);
    const token = linkedToken((await outboxEmails(app, 'Your invite to Roughmix')).at(-1), 'invite');
    planted.add(token);
    const invited = await app.anonymous.post<UserAddedAnswer>(USER_PATHS.invite(token));
    const refused = await app.anonymous.post(USER_PATHS.invite('x'.repeat(43)));
    const session = { actor: bodyOf(invited).user.uid, target: await sessionOf(withSession(invited)) };
    expect(lines().slice(3, 6)).toEqual([
      line('session.started', invited, session),
      line('invite.used', invited, session),
      line('session.refused', refused, { target: 'POST /api/auth/invite/:token', outcome: 'refused' }),
    ]);
  });

  test('account.erased: after the sessions of the account have ended', async () => {
    const bob = await app.person('Bob');
    const session = await sessionOf(bob);
    before = app.security.length;
    const erased = await app.anonymous.post(`/api/admin/${app.adminKey}/users/erase`, { user: 'bob.tester@example.org' });
    const by = { actor: 'admin-key' };
    expect(lines().toSorted()).toEqual(
      [
        line('admin.called', erased, { ...by, target: 'POST /api/admin/:key/users/erase' }),
        line('session.ended', erased, { ...by, target: session }),
        line('account.erased', erased, { ...by, target: bob.uid }),
      ].toSorted(),
    );
  });
});

describe('sessions', () => {
  test('session.started and session.ended: signing in and out', async () => {
    const started = await login(ANA, PASSWORD);
    const client = withSession(started);
    const target = await sessionOf(client);
    const ended = await client.post(USER_PATHS.logout);
    expect(lines()).toEqual([line('session.started', started, { actor: ana.uid, target }), line('session.ended', ended, { actor: ana.uid, target })]);
  });

  test('a guest who signs in', async () => {
    const guest = await app.anonymous.post<UserAddedAnswer>(USER_PATHS.guest);
    const { uid } = bodyOf(guest).user;
    const asGuest = withSession(guest);
    const guestSession = await sessionOf(asGuest);
    const started = await login(ANA, PASSWORD, asGuest);
    expect(lines()).toEqual([
      line('session.started', guest, { actor: uid, target: guestSession }),
      line('session.started', started, { actor: ana.uid, target: await sessionOf(withSession(started)) }),
      line('session.ended', started, { actor: uid, target: guestSession }),
    ]);
  });

  test('session.refused: the account, if there is one', async () => {
    const [wrong, unknown] = [await login(ANA, WRONG), await login(UNKNOWN, WRONG)];
    expect([wrong, unknown].map(statusAndCode)).toEqual(['401 auth.failed', '401 auth.failed']);
    expect(lines()).toEqual([
      line('session.refused', wrong, { target: ana.uid, outcome: 'refused' }),
      line('session.refused', unknown, { target: 'POST /api/auth/login', outcome: 'refused' }),
    ]);
  });

  test('session.ended once, however many sockets it had', async () => {
    const started = await login(ANA, PASSWORD);
    const client = withSession(started);
    const target = await sessionOf(client);
    const sockets = [await socketOf(client), await socketOf(client)];
    const ended = await ana.delete(`${USER_PATHS.sessions}/${target}`);
    for (const socket of sockets) await socket.disconnected();
    expect(lines().slice(1)).toEqual([line('session.ended', ended, { actor: ana.uid, target })]);
  });
});

describe('passwords', () => {
  test('password.changed: the session continues under another id', async () => {
    const client = withSession(await login(ANA, PASSWORD));
    const former = await sessionOf(client);
    await ana.delete(USER_PATHS.sessions);
    const own = withSession(await login(ANA, PASSWORD));
    const session = await sessionOf(own);
    expect(former).not.toBe(session);
    before = app.security.length;
    const refused = await own.post(USER_PATHS.password, { currentPassword: WRONG, newPassword: CHOSEN });
    const changed = await own.post(USER_PATHS.password, { currentPassword: PASSWORD, newPassword: CHOSEN });
    const by = { actor: ana.uid };
    const anas = await sessionOf(withSession(changed));
    expect(lines().filter((each) => !each.includes('session.ended'))).toEqual([
      line('password.changed', refused, { ...by, target: ana.uid, outcome: 'refused' }),
      line('password.changed', changed, { ...by, target: ana.uid }),
      line('session.started', changed, { ...by, target: anas }),
    ]);
    expect(lines().at(-1)).toBe(line('session.ended', changed, { ...by, target: session }));
  });

  test('password.reset-requested and password.reset', async () => {
    const [asked, unknown] = [
      await app.anonymous.post(USER_PATHS.passwordReset, { email: ANA }),
      await app.anonymous.post(USER_PATHS.passwordReset, { email: UNKNOWN }),
    ];
    const token = linkedToken((await outboxEmails(app, 'Reset your password')).at(-1), 'passwordReset');
    planted.add(token);
    const [reset, spent] = [
      await app.anonymous.post(USER_PATHS.passwordResetWith(token), { newPassword: PASSWORD }),
      await app.anonymous.post(USER_PATHS.passwordResetWith(token), { newPassword: CHOSEN }),
    ];
    expect(lines().filter((each) => !each.includes('session.ended'))).toEqual([
      line('password.reset-requested', asked, { target: ana.uid }),
      line('password.reset-requested', unknown, { target: 'POST /api/auth/passwordReset', outcome: 'refused' }),
      line('password.reset', reset, { target: ana.uid }),
      line('password.reset', spent, { target: 'POST /api/auth/passwordReset/:token', outcome: 'refused' }),
    ]);
    ana = await app.signIn(ANA, 'Ana');
  });
});

describe('refusals', () => {
  const from = (address: string): Record<string, string> => ({ 'X-Forwarded-For': address });

  test('throttle.hit: each refused call, with the address that TRUST_PROXY reveals', async () => {
    const address = '192.0.2.7';
    const call = (): Promise<Answer> => app.anonymous.get('/api/admin/a-wrong-key-0123456789/projections', from(address));
    planted.add('a-wrong-key-0123456789');
    const [wrong, ...throttled] = [await call(), await call(), await call()];
    const target = 'GET /api/admin/:key/projections';
    const facts = { address, target, outcome: 'refused' } as const;
    expect(lines()).toEqual([line('admin.called', wrong, facts), ...throttled.map((answer) => line('throttle.hit', answer, facts))]);
  });

  test('access.refused: every other 401 and 403', async () => {
    const guest = await app.guest();
    before = app.security.length;
    const calls: readonly (readonly [answer: Answer, code: string, facts: Facts])[] = [
      [await app.anonymous.post('/api/comments'), '401 auth.required', { target: 'POST /api/comments' }],
      [await app.anonymous.get(`/api/users/auth/${ana.uid}`), '401 auth.required', { target: `GET /api/users/auth/${ana.uid}` }],
      [await guest.post('/api/comments'), '403 guest.read-only', { actor: guest.uid, target: 'POST /api/comments' }],
      [await ana.get(`/api/users/auth/${guest.uid}`), '403 actor.mismatch', { actor: ana.uid, target: `GET /api/users/auth/${guest.uid}` }],
      [await ana.get(`/api/users/auth/${UNKNOWN}`), '403 actor.mismatch', { actor: ana.uid, target: 'GET /api/users/auth/:uid' }],
      [await ana.post('/api/comments', {}, { Origin: 'https://evil.example' }), '403 request.cross-origin', { target: 'POST /api/comments' }],
      [await ana.get(`${USER_PATHS.accounts}?q=${UNKNOWN}`), '403 staff.required', { actor: ana.uid, target: 'GET /api/staff/accounts' }],
    ];
    expect(calls.map(([answer]) => statusAndCode(answer))).toEqual(calls.map(([, code]) => code));
    expect(lines()).toEqual(calls.map(([answer, , facts]) => line('access.refused', answer, { ...facts, outcome: 'refused' })));
  });

  test('nothing: what is not there for the caller, invalid calls, and pages that look for their session', async () => {
    const calls = [
      await ana.get('/api/media/1234567890123456789012/peaks'),
      await ana.post('/api/comments', { odd: 1 }),
      await app.anonymous.get(USER_PATHS.session),
    ];
    expect(calls.map(({ status }) => status)).toEqual([404, 400, 401]);
    expect(lines()).toEqual([]);
  });

  test('sockets: handshakes from other sites, and without a session', async () => {
    expect((await rawHandshake(app.url, { Origin: 'https://evil.example', ...from('192.0.2.8') })).status).toBe(403);
    expect((await refusedSocket(app.url, { token: 'x'.repeat(43) })).message).toBe('auth.required');
    const facts = { target: 'GET /socket.io', outcome: 'refused' } as const;
    expect(lines()).toEqual([line('access.refused', null, { address: '192.0.2.8', ...facts }), line('access.refused', null, facts)]);
  });

  test('sockets: handshakes beyond the limit of their network', async () => {
    const address = '192.0.2.9';
    const made = [];
    for (let nth = 0; nth < 21; nth += 1) made.push(await rawHandshake(app.url, from(address)));
    expect(lines()).toEqual([line('throttle.hit', null, { address, target: 'GET /socket.io', outcome: 'refused' })]);
    for (const { connection } of made) connection.destroy();
  });
});

describe('projects', () => {
  test('project.taken-over: only once, also by a second call', async () => {
    const [owner, bob] = [await app.person('Olga'), await app.person('Berta')];
    const { projectId } = await aProjectWith(owner, { collaborators: [bob] });
    await app.anonymous.post(`/api/admin/${app.adminKey}/users/erase`, { user: owner.uid });
    before = app.security.length;
    const takeOver = (): Promise<Answer> => bob.post(`/api/projects/${projectId}/takeOver`, {}, { 'Idempotency-Key': 'once' });
    const [taken, again] = [await takeOver(), await takeOver()];
    expect([taken.status, again.status]).toEqual([200, 200]);
    expect(lines()).toEqual([line('project.taken-over', taken, { actor: bob.uid, target: projectId })]);
  });

  test('quota.refused: more than the account may have', async () => {
    const cleo = await app.person('Cleo');
    await aProjectWith(cleo, {});
    before = app.security.length;
    const refused = await cleo.post('/api/projects/newProject', { submission: { projectName: 'Second' } });
    expect(statusAndCode(refused)).toBe('409 quota.projects');
    expect(lines()).toEqual([line('quota.refused', refused, { actor: cleo.uid, target: 'POST /api/projects/newProject', outcome: 'refused' })]);
  });
});

describe('administration', () => {
  test('role.changed, and admin.called for each call of the staff', async () => {
    const change = (staffRole: string): Promise<Answer> => app.anonymous.put(USER_PATHS.staffRole(app.adminKey, ana.uid), { staffRole });
    const [changed, again] = [await change('admin'), await change('admin')];
    const listed = await ana.get(`${USER_PATHS.accounts}?q=${UNKNOWN}`);
    const call = { actor: 'admin-key', target: `PUT /api/admin/:key/users/${ana.uid}/staffRole` };
    expect(lines()).toEqual([
      line('admin.called', changed, call),
      line('role.changed', changed, { actor: 'admin-key', target: ana.uid }),
      line('admin.called', again, call),
      line('admin.called', listed, { actor: ana.uid, target: 'GET /api/staff/accounts' }),
    ]);
  });

  test('readmodels.rebuilt: when a rebuild is started', async () => {
    const rebuilt = await app.anonymous.post(`/api/admin/${app.adminKey}/projections/users/rebuild`);
    expect(lines()).toEqual([
      line('admin.called', rebuilt, { actor: 'admin-key', target: 'POST /api/admin/:key/projections/:projector/rebuild' }),
      line('readmodels.rebuilt', rebuilt, { actor: 'admin-key', target: 'users' }),
    ]);
  });
});

test('user.blocked and user.unblocked: once each, however often they are sent', async () => {
  const bob = await app.person('Blocked');
  before = app.security.length;
  const path = BLOCK_PATHS.one(ana.uid, bob.uid);
  const [blocked, , unblocked] = [await ana.put(path), await ana.put(path), await ana.delete(path), await ana.delete(path)];
  const facts = { actor: ana.uid, target: bob.uid };
  expect(lines()).toEqual([line('user.blocked', blocked, facts), line('user.unblocked', unblocked, facts)]);
});

test('without LOG_ADDRESSES no line has an address', async () => {
  const other = await startApp({ LOG_ADDRESSES: 'false' });
  await other.guest();
  await other.anonymous.post('/api/comments');
  expect(other.security.map(({ event, address }) => [event, address])).toEqual([
    ['session.started', null],
    ['access.refused', null],
  ]);
  await other.stop();
});
