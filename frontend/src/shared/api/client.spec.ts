import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { startStubServer, type StubServer } from '../../testing/stub-server';
import { ApiProblem, isAbort, OfflineError } from './api-errors';
import { api, onSessionEnded } from './client';
import { wasSentHere } from './own-commands';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
let server: StubServer;

beforeEach(async () => {
  server = await startStubServer({});
});
afterEach(() => server.close());

const keys = () => server.requests.map(({ headers }) => headers['idempotency-key']);

describe('a command', () => {
  test('has a unique idempotency key, and resolves to its response and position', async () => {
    server.answer({
      'POST /api/comments': () => ({
        status: 201,
        json: { newComment: { _id: 'c1' } },
        headers: { 'X-Position': '41', 'Access-Control-Expose-Headers': 'X-Position' },
      }),
    });

    const first = await api.send('POST', '/api/comments', { projectId: 'p1' });
    const second = await api.send('POST', '/api/comments', { projectId: 'p1' });

    expect(first).toEqual({ answer: { newComment: { _id: 'c1' } }, position: 41, commandId: keys()[0] });
    expect(first.commandId).toMatch(UUID);
    expect(second.commandId).not.toBe(first.commandId);
    expect(server.requests[0]?.body).toEqual({ projectId: 'p1' });
    expect(wasSentHere(first.commandId)).toBe(true);
    expect(wasSentHere('another-tab')).toBe(false);
  });

  test('is retried with the same key when the connection breaks before the response', async () => {
    let tries = 0;
    server.answer({ 'POST /api/regions': () => (++tries === 1 ? 'hang up' : { status: 201, json: { ok: true } }) });

    const sent = await api.send('POST', '/api/regions', {});

    expect(sent.answer).toEqual({ ok: true });
    expect(keys()).toEqual([sent.commandId, sent.commandId]);
  });

  test('is retried while the store is unavailable, after the delay in Retry-After', async () => {
    let tries = 0;
    const away = { status: 503, json: { code: 'store.away', status: 503, detail: 'Away.' }, headers: { 'Retry-After': '0' } };
    server.answer({ 'PUT /api/projects/p1': () => (++tries < 3 ? away : { json: {} }) });

    const sent = await api.send('PUT', '/api/projects/p1', {});

    expect(keys()).toEqual([sent.commandId, sent.commandId, sent.commandId]);
  });

  test('uses the key that the caller passes for a retry', async () => {
    server.answer({ 'POST /api/projects/newProject': () => ({ json: {} }) });
    await api.send('POST', '/api/projects/newProject', {}, { commandId: 'try-me-1' });
    await api.send('POST', '/api/projects/newProject', {}, { commandId: 'try-me-1' });
    expect(keys()).toEqual(['try-me-1', 'try-me-1']);
  });

  test('that is refused is not retried, and the error has the message for the user', async () => {
    const problem = {
      type: 'about:blank',
      title: 'Bad Request',
      status: 400,
      code: 'limit.tinySummary',
      detail: 'Summaries have at most 45 characters',
      limit: 45,
      field: 'tinySummary',
    };
    server.answer({ 'POST /api/media': () => ({ status: 400, json: problem }) });

    const error = await api.send('POST', '/api/media', {}).catch((thrown: unknown) => thrown);

    expect(error).toBeInstanceOf(ApiProblem);
    expect((error as ApiProblem).problem).toEqual(problem);
    expect((error as ApiProblem).message).toBe('Summaries have at most 45 characters');
    expect(server.requests).toHaveLength(1);
  });

  test('without any response fails as offline', async () => {
    server.answer({ 'POST /api/comments': () => 'hang up' });
    await expect(api.send('POST', '/api/comments', {}, { retries: 0 })).rejects.toBeInstanceOf(OfflineError);
  });

  test('resolves to undefined for 204', async () => {
    server.answer({ 'POST /api/auth/logout': () => ({ status: 204 }) });
    expect((await api.send('POST', '/api/auth/logout', {})).answer).toBeUndefined();
  });
});

test('a command asks for a minimal response, unless the caller wants the project', async () => {
  server.answer({ 'PUT /api/projects/p1': () => ({ json: { updatedProject: { _id: 'p1' } } }) });
  await api.send('PUT', '/api/projects/p1', {});
  await api.send('PUT', '/api/projects/p1', {}, { wantsProject: true });
  expect(server.requests.map(({ headers }) => headers['prefer'])).toEqual(['return=minimal', undefined]);
});

describe('for 30 s after a command, queries name its position', () => {
  const asked = (): readonly unknown[] => server.requests.filter(({ method }) => method === 'GET').map(({ headers }) => headers['x-after-position']);

  test('the newest one, also of a refusal after a part took effect; bytes do not', async () => {
    const now = jest.spyOn(performance, 'now').mockReturnValue(1_000_000);
    const positions = ['7', '9', '8'];
    server.answer({
      'GET /api/regions/r1': () => ({ json: {} }),
      'GET /api/media/v1/peaks': () => ({ bytes: new Uint8Array([1]) }),
      'PUT /api/projects/p1': () => ({ json: {}, headers: { 'X-Position': positions.shift() ?? '' } }),
      'PUT /api/projects/p2': () => ({ status: 409, json: { code: 'note.conflict', status: 409, detail: '' }, headers: { 'X-Position': '12' } }),
    });
    const ask = (): Promise<unknown> => api.get('/api/regions/r1');
    await ask();
    for (let sent = 0; sent < 3; sent += 1) {
      await api.send('PUT', '/api/projects/p1', {});
      await ask();
    }
    await expect(api.send('PUT', '/api/projects/p2', {})).rejects.toBeInstanceOf(ApiProblem);
    await ask();
    await api.bytes('/api/media/v1/peaks');
    now.mockReturnValue(1_029_999);
    await ask();
    now.mockReturnValue(1_030_000);
    await ask();
    expect(asked()).toEqual([undefined, '7', '9', '9', '12', undefined, '12', undefined]);
    now.mockRestore();
  });
});

describe('a session that ended', () => {
  const ended = { status: 401, json: { code: 'auth.required', status: 401, detail: 'Please sign in.' } };

  test('notifies listeners', async () => {
    server.answer({ 'GET /api/projects/ana': () => ended });
    let notified = 0;
    const stop = onSessionEnded(() => (notified += 1));
    await expect(api.get('/api/projects/ana')).rejects.toThrow('Please sign in.');
    stop();
    await expect(api.get('/api/projects/ana')).rejects.toThrow('Please sign in.');
    expect(notified).toBe(1);
  });

  test('is not reported for a wrong password or when the session is queried', async () => {
    server.answer({
      'POST /api/auth/login': () => ({ status: 401, json: { code: 'auth.failed', status: 401, detail: 'User or Password not found..' } }),
      'GET /api/auth/session': () => ended,
    });
    let notified = 0;
    const stop = onSessionEnded(() => (notified += 1));
    await expect(api.send('POST', '/api/auth/login', {})).rejects.toThrow('User or Password not found..');
    await expect(api.get('/api/auth/session', { allowsAnonymous: true })).rejects.toThrow('Please sign in.');
    stop();
    expect(notified).toBe(0);
  });
});

test('a request aborted by the caller is not a network failure', async () => {
  const controller = new AbortController();
  server.answer({ 'GET /api/regions/r1': () => (controller.abort(), { json: {} }) });
  const error = await api.get('/api/regions/r1', { signal: controller.signal }).catch((thrown: unknown) => thrown);
  expect(isAbort(error)).toBe(true);
});

test('bytes are returned unchanged', async () => {
  server.answer({ 'GET /api/media/v1/peaks': () => ({ bytes: new Uint8Array([82, 77, 80, 75]) }) });
  expect([...new Uint8Array(await api.bytes('/api/media/v1/peaks'))]).toEqual([82, 77, 80, 75]);
});
