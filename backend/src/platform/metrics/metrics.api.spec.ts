import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { UserAddedAnswer } from '@roughmix/contracts/users/user.view.js';
import type { RunningProgram } from '../../running-program.js';
import { PASSWORD, Person, sessionIn } from '../../testing/app.js';
import { startCompiled } from '../../testing/compiled.js';
import { freePort } from '../../testing/free-port.js';
import { createProject } from '../../testing/project-over-http.js';
import { messagesOf } from '../../testing/served-routes.js';
import { TestClient } from '../../testing/test-client.js';
import { socketOf } from '../../testing/test-socket.js';
import { LiveGateway } from '../live/live.gateway.js';

const ADMIN_KEY = 'planted-admin-key-0123456789abcdef';
const EMAIL = 'planted.person@example.org';

let folder: string;
let program: RunningProgram;
let ana: Person;
let internal: TestClient;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'roughmix-metrics-'));
  const environment = {
    DATA_DIR: join(folder, 'data'),
    ERASURES_FILE: join(folder, 'erasures.ndjson'),
    PORT: await freePort(),
    METRICS_PORT: '0',
    LOG_LEVEL: 'silent',
    ADMIN_KEY,
  };
  program = await startCompiled(environment);
  internal = new TestClient(`http://127.0.0.1:${program.metricsPort}`);
  const anonymous = new TestClient(program.address);
  const { body } = await anonymous.post<UserAddedAnswer>(`/api/admin/${ADMIN_KEY}/users/addUser`, { email: EMAIL, password: PASSWORD });
  await anonymous.post('/api/auth/login', { email: EMAIL, password: 'wrong-wrong' });
  const signedIn = await anonymous.post('/api/auth/login', { email: EMAIL, password: PASSWORD });
  ana = new Person(program.address, sessionIn(signedIn.headers), body.user.uid, 'Ana');
});
afterAll(async () => {
  await program.stop();
  await rm(folder, { recursive: true });
});

async function metrics(): Promise<string> {
  return (await internal.get<string>('/metrics')).body;
}

/** The values of one metric by its labels. */
const valuesOf = (text: string, name: string): Readonly<Record<string, number>> =>
  Object.fromEntries(
    text.split('\n').flatMap((line) => {
      const [, found, labels = '', value = ''] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
      return found === name ? [[labels, Number(value)]] : [];
    }),
  );

const TIMER_KINDS = ['abandon-unfinished-project', 'count-held-mailings', 'delete-trashed-files', 'email-reminder', 'remind-of-todo', 'send-digest'];

const QUEUES = ['roughmix_letters_waiting_seconds', 'roughmix_web_pushes_waiting', 'roughmix_web_push_behind_seconds'];

test('metrics count every socket message that the gateway handles by its name, and others together', async () => {
  const socket = await socketOf(ana);
  const names = messagesOf(LiveGateway);
  const before = valuesOf(await metrics(), 'roughmix_socket_messages_total');
  // Never acknowledged; the next acknowledgement shows that it arrived.
  const unanswered = socket.ask('made-up', {}, 1).then(
    () => 'answered',
    () => 'unanswered',
  );
  for (const name of names) await socket.ask(name);
  expect(await unanswered).toBe('unanswered');
  socket.close();
  const after = valuesOf(await metrics(), 'roughmix_socket_messages_total');
  const label = (name: string): string => `name="${name}"`;
  const counted = [...names, 'other'].map((name) => (after[label(name)] ?? 0) - (before[label(name)] ?? 0));
  expect(counted).toEqual(counted.map(() => 1));
});

describe('metrics', () => {
  test('count requests by route, commands by outcome, appends, and sign-ins by way', async () => {
    const key = { 'Idempotency-Key': 'one-key' };
    const { body } = await ana.post<{ newProject: { _id: string } }>('/api/projects/newProject', { submission: { projectName: 'Low tide' } }, key);
    await ana.post('/api/projects/newProject', { submission: { projectName: 'Low tide' } }, key);
    const { _id: projectId } = body.newProject;
    const rename = { submission: { projectName: 'High tide' } };
    await ana.put(`/api/projects/${projectId}`, rename);
    await ana.put(`/api/projects/${projectId}`, rename);
    await ana.get('/api/secret-nothing?token=planted');
    const text = await metrics();
    expect(valuesOf(text, 'roughmix_http_requests_total')).toMatchObject({
      'method="POST",route="/api/projects/newProject",status="201"': 2,
      'method="PUT",route="/api/projects/:projectId",status="200"': 2,
      'method="POST",route="/api/auth/login",status="401"': 1,
    });
    expect(valuesOf(text, 'roughmix_commands_total')).toMatchObject({
      'command="CreateProject",outcome="done",code=""': 1,
      'command="project",outcome="repeated",code=""': 1,
      'command="EditProject",outcome="done",code=""': 1,
      'command="EditProject",outcome="unchanged",code=""': 1,
    });
    expect(valuesOf(text, 'roughmix_sign_ins_total')).toEqual({
      'way="admin-key",outcome="ok"': 1,
      'way="password",outcome="refused"': 1,
      'way="password",outcome="ok"': 1,
    });
    const appends = valuesOf(text, 'roughmix_append_duration_seconds_count')[''] ?? 0;
    expect(appends).toBeGreaterThanOrEqual(4);
    expect(valuesOf(text, 'roughmix_appended_events_total')['']).toBe(valuesOf(text, 'roughmix_projector_checkpoint_position')['projector="projects"']);
    expect(valuesOf(text, 'roughmix_ready')).toEqual({ '': 1 });
    expect(valuesOf(text, 'roughmix_store_writable')).toEqual({ 'store="log"': 1, 'store="vault"': 1, 'store="documents"': 1, 'store="files"': 1 });
  });

  test('count project pages that were built and those from the cache', async () => {
    const { body } = await createProject(ana);
    const before = valuesOf(await metrics(), 'roughmix_page_answers_total');
    for (const _ of [1, 2, 3]) await ana.get(`/api/projects/${body.newProject._id}/visitor/${ana.uid}`);
    const after = valuesOf(await metrics(), 'roughmix_page_answers_total');
    const since = (outcome: string): number => (after[outcome] ?? 0) - (before[outcome] ?? 0);
    expect([since('outcome="made"'), since('outcome="kept"')]).toEqual([1, 2]);
  });

  test('report how late timers are, by kind', async () => {
    const zero = Object.fromEntries(TIMER_KINDS.map((kind) => [`kind="${kind}"`, 0]));
    expect(valuesOf(await metrics(), 'roughmix_timer_behind_seconds')).toEqual(zero);
    expect(valuesOf(await metrics(), 'roughmix_timers_parked')).toEqual(zero);
  });

  test('report queued e-mails and push messages', async () => {
    expect(valuesOf(await metrics(), 'roughmix_letters')).toEqual({ 'state="waiting"': 0, 'state="undelivered"': 0 });
    for (const name of QUEUES) expect([name, valuesOf(await metrics(), name)]).toEqual([name, { '': 0 }]);
  });

  test('contain no address, id, name, email or key', async () => {
    const { body } = await createProject(ana, { projectName: 'Planted title' });
    await ana.get(`/api/comments/${ana.uid}`);
    const text = await metrics();
    for (const planted of [ADMIN_KEY, EMAIL, ana.uid, ana.token ?? '', body.newProject._id, 'Planted', 'secret-nothing', '127.0.0.1'])
      expect(text).not.toContain(planted);
  });

  test('are Prometheus text, for GET only', async () => {
    const answer = await internal.get('/metrics');
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
    expect([(await internal.post('/metrics')).status, (await internal.get('/api/auth/session')).status]).toEqual([405, 404]);
  });

  test('are served on METRICS_PORT only, and so are the details of readiness', async () => {
    const publicPort = new TestClient(program.address);
    expect((await publicPort.get('/metrics')).status).toBe(404);
    expect((await publicPort.get('/health/ready')).body).toEqual({ status: 'ready' });
    const { status, body } = await internal.get<Readonly<Record<string, unknown>>>('/health/ready');
    expect([status, Object.keys(body)]).toEqual([
      200,
      ['status', 'stores', 'projections', 'reactors', 'behindSeconds', 'works', 'parkedReactions', 'timers', 'failingChores', 'disk', 'version', 'commit'],
    ]);
    expect((await internal.get('/health/live')).body).toEqual({ status: 'ok' });
  });
});
