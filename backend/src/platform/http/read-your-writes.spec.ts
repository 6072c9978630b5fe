import { Controller, Get, Module, Post } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { silentSecurityLog } from '../../testing/silent-security-log.js';
import { SecurityLog } from '../security/security-log.js';
import { projector } from '../../kernel/projector.js';
import { type TestStores, openTestStores } from '../../testing/test-stores.js';
import { manualClock, temporaryVault, type TemporaryVault } from '../../testing/temporary-vault.js';
import { Sessions } from '../auth/sessions.js';
import { ReadModels } from '../projections/read-models.js';
import { ReadSide } from '../projections/read-side.js';
import { CLOCK, CONFIG, VAULT } from '../tokens.js';
import { type Caller, CurrentCaller } from './caller.js';
import { ProblemFilter } from './problem.filter.js';
import { ReadYourWritesInterceptor } from './read-your-writes.js';
import { SessionGuard } from './session.guard.js';

/** Two read models: notes, which is current, and lists, which lags. */
const projectors = ['notes', 'lists'].map((name) => projector({ name, version: 1, collections: [{ name, indexes: [] }] }, {}));
let position = 0;

@Controller('api')
class Notes {
  constructor(
    private readonly reads: ReadModels,
    private readonly readSide: ReadSide,
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
    { provide: VAULT, useValue: temporary.vault },
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

async function call(who: 0 | 1, method: 'GET' | 'POST', url: string): Promise<number> {
  const { statusCode } = await app.inject({ method, url, headers: { cookie: `roughmix_session=${tokens[who] ?? ''}` } });
  return statusCode;
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
