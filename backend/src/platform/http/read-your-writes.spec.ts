import { Controller, Get, Module, Post } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { silentSecurityLog } from '../../testing/silent-security-log.js';
import { SecurityLog } from '../security/security-log.js';
import { projector } from '../../kernel/projector.js';
import { type TestStores, openTestStores } from '../../testing/test-stores.js';
import { manualClock } from '../../testing/manual-clock.js';
import { temporaryVault, type TemporaryVault } from '../../testing/temporary-vault.js';
import { Sessions } from '../auth/sessions.js';
import { ReadModels } from '../projections/read-models.js';
import { ReadSide } from '../projections/read-side.js';
import { CLOCK, CONFIG, EVENT_STORE, VAULT } from '../tokens.js';
import { type Caller, CurrentCaller } from './caller.js';
import { ProblemFilter } from './problem.filter.js';
import { ServiceUnavailable } from '../store-errors.js';
import { AnswerCache } from './answer-cache.js';
import { ReadYourWritesInterceptor, ServesFile } from './read-your-writes.js';
import { SessionGuard } from './session.guard.js';

/** Two read models: notes, which is current, and lists, which lags. */
const projectors = ['notes', 'lists'].map((name) => projector({ name, version: 1, collections: [{ name, indexes: [] }] }, {}));
let position = 0;
let isLogAway = false;

@Controller('api')
class Notes {
  constructor(
    private readonly reads: ReadModels,
    private readonly readSide: ReadSide,
    private readonly answers: AnswerCache,
  ) {}

  @Post('notes')
  async write(@CurrentCaller() { uid }: Caller): Promise<{ note: object | null }> {
    const write = { stream: 'note-a', position, uid };
    await this.readSide.wrote(write, ['notes']);
    return this.readSide.answer(write, () => this.note());
  }

  @Post('lists')
  async writeToList(@CurrentCaller() { uid }: Caller): Promise<{ list: object | null }> {
    const write = { stream: 'note-a', position, uid };
    await this.readSide.wrote(write, ['notes']);
    return this.readSide.answer(write, () => this.list());
  }

  @Get('notes')
  async note(): Promise<{ note: object | null }> {
    return { note: await this.reads.get('notes', 'a') };
  }

  @Get('lists')
  async list(): Promise<{ list: object | null }> {
    return { list: await this.reads.get('lists', 'a') };
  }

  /** As a project's page: what it read last is awaited for a while, and the answer is cached. */
  @Get('pages')
  async page(): Promise<object> {
    const make = async () => ({ note: await this.reads.get('notes', 'a'), list: await this.reads.asOfWithin(0, 0, () => this.reads.get('lists', 'a')) });
    const { bytes } = await (await this.answers.getOrMake('page', make)).bytes(false);
    return JSON.parse(String(bytes)) as object;
  }

  @Get('files')
  @ServesFile()
  file(): Promise<object> {
    return this.list();
  }
}

let stores: TestStores;
let temporary: TemporaryVault;
let app: NestFastifyApplication;
let readSide: ReadSide;
let tokens: readonly string[];

beforeAll(async () => {
  stores = await openTestStores();
  temporary = await temporaryVault();
  readSide = new ReadSide(undefined, 30);
  readSide.track(projectors);
  readSide.serve(0);
  for (const { name } of projectors) await stores.documents.declare({ name, indexes: [] });
  stores.reads.serve(projectors.map(({ name }) => [name, name, readSide.of(name)] as const));
  const providers = [
    Sessions,
    { provide: ReadModels, useValue: stores.reads },
    { provide: ReadSide, useValue: readSide },
    { provide: AnswerCache, useValue: new AnswerCache(stores.reads) },
    { provide: VAULT, useValue: temporary.vault },
    { provide: EVENT_STORE, useValue: { head: () => (isLogAway ? Promise.reject(new ServiceUnavailable('away')) : Promise.resolve(position)) } },
    { provide: CLOCK, useValue: manualClock().now },
    { provide: CONFIG, useValue: { PUBLIC_URL: 'http://localhost:3000', PORT: 3000 } },
    { provide: APP_GUARD, useClass: SessionGuard },
    { provide: APP_INTERCEPTOR, useClass: ReadYourWritesInterceptor },
    { provide: SecurityLog, useValue: silentSecurityLog() },
    { provide: APP_FILTER, useClass: ProblemFilter },
  ];
  @Module({ controllers: [Notes], providers })
  class NotesModule {}
  const built = await Test.createTestingModule({ imports: [NotesModule] }).compile();
  app = built.createNestApplication<NestFastifyApplication>(new FastifyAdapter(), { logger: false });
  const sessions = app.get(Sessions);
  await sessions.declare();
  await app.init();
  await app.getHttpAdapter().getInstance().ready();
  tokens = [(await sessions.start('ana', false)).token, (await sessions.start('bob', false)).token];
});
afterAll(async () => {
  readSide.close();
  await app.close();
  await temporary.remove();
  await stores.close();
});

/** A new write, which the read model `notes` contains and `lists` does not. */
beforeEach(() => {
  position += 1;
  readSide.reach('notes', position);
});

const send = (who: 0 | 1, method: 'GET' | 'POST', url: string, headers: Record<string, string> = {}) =>
  app.inject({ method, url, headers: { cookie: `roughmix_session=${tokens[who] ?? ''}`, ...headers } });
const call = async (who: 0 | 1, method: 'GET' | 'POST', url: string): Promise<number> => (await send(who, method, url)).statusCode;

/** Bob's query that names a position: its status, with a mark if the answer does not show it. */
async function asked(url: string, after: number | string): Promise<string> {
  const { statusCode, headers } = await send(1, 'GET', url, { 'x-after-position': String(after) });
  return `${statusCode}${headers['x-behind'] === 'true' ? ' behind' : ''}`;
}

test('a command is answered once the read models that its answer uses hold its write, however far others lag', async () => {
  expect(await call(0, 'POST', '/api/notes')).toBe(201);
  expect(readSide.saved.position).toBeLessThan(position);
});

test('a command whose answer uses a lagging read model is refused after a timeout', async () => {
  expect(await call(0, 'POST', '/api/lists')).toBe(503);
  readSide.reach('lists', position);
  expect(await call(0, 'POST', '/api/lists')).toBe(201);
});

test('later requests of the same caller wait for its write; those of other callers do not', async () => {
  expect(await call(0, 'POST', '/api/notes')).toBe(201);
  const order: string[] = [];
  const own = call(0, 'GET', '/api/lists').then((status) => order.push(`own ${status}`));
  order.push(`other ${await call(1, 'GET', '/api/lists')}`);
  readSide.reach('lists', position);
  await own;
  expect(order).toEqual(['other 200', 'own 200']);
});

test('after a timeout a read continues with stale data: a full disk does not stop reads', async () => {
  expect(await call(0, 'POST', '/api/notes')).toBe(201);
  expect([await call(0, 'GET', '/api/notes'), await call(0, 'GET', '/api/lists')]).toEqual([200, 200]);
  expect(readSide.saved.position).toBeLessThan(position);
});

describe('a query that names a position', () => {
  beforeEach(() => {
    isLogAway = false;
  });

  test.each(['/api/lists', '/api/pages'])('waits until the read models that it reads have reached it: %s', async (url) => {
    const order: string[] = [];
    const query = asked(url, position).then((answer) => order.push(answer));
    order.push(await asked('/api/notes', position));
    readSide.reach('lists', position);
    await query;
    expect(order).toEqual(['200', '200']);
  });

  test('is answered with what there is after a timeout, and says so, also where the answer is cached', async () => {
    expect([await asked('/api/lists', position), await asked('/api/pages', position), await asked('/api/pages', position - 1)]).toEqual([
      '200 behind',
      '200 behind',
      '200',
    ]);
    isLogAway = true;
    expect(await asked('/api/lists', position)).toBe('200 behind');
  });

  test('does not wait for a position beyond the end of the log, nor with a file, nor with a command', async () => {
    readSide.reach('lists', position - 1);
    expect([await asked('/api/lists', position + 1), await asked('/api/lists', Number.MAX_SAFE_INTEGER), await asked('/api/files', position)]).toEqual([
      '200',
      '200',
      '200',
    ]);
    expect((await send(1, 'POST', '/api/notes', { 'x-after-position': 'x' })).statusCode).toBe(201);
  });

  test.each(['', '-1', '1.5', 'x', '1, 2', '9'.repeat(16), '0x1'])('is refused for %j, which is no position', async (after) => {
    const { statusCode, body } = await send(1, 'GET', '/api/notes', { 'x-after-position': after });
    expect([statusCode, (JSON.parse(body) as { errors: unknown }).errors]).toMatchObject([400, [{ field: 'X-After-Position' }]]);
  });
});
