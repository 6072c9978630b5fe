import { Controller, Get, Module, Post } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
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

/** Read models of two projectors: notes, which are shown at once, and a list of them, which lags. */
const projectors = ['notes', 'lists'].map((name) => projector({ name, version: 1, collections: [{ name, indexes: [] }] }, {}));
let position = 0;

@Controller('api')
class Notes {
  constructor(
    private readonly reads: ReadModels,
    private readonly readSide: ReadSide,
  ) {}

  /** Answers from the notes alone. */
  @Post('notes')
  async write(@CurrentCaller() { uid }: Caller): Promise<{ note: object | null }> {
    const write = { stream: 'note-a', position, uid };
    await this.readSide.wrote(write, ['notes']);
    return this.readSide.answer(write, () => this.note());
  }

  /** Answers from the list too. */
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

let ground: TestStores;
let stored: TemporaryVault;
let app: NestFastifyApplication;
let readSide: ReadSide;
let tokens: readonly string[];

beforeAll(async () => {
  ground = await openTestStores();
  stored = await temporaryVault();
  readSide = new ReadSide(undefined, 30);
  readSide.track(projectors);
  readSide.serve(0);
  for (const { name } of projectors) await ground.documents.declare({ name, indexes: [] });
  ground.reads.serve(projectors.map(({ name }) => [name, name, readSide.of(name)] as const));
  const providers = [
    Sessions,
    { provide: ReadModels, useValue: ground.reads },
    { provide: ReadSide, useValue: readSide },
    { provide: VAULT, useValue: stored.vault },
    { provide: CLOCK, useValue: manualClock().now },
    { provide: CONFIG, useValue: { PUBLIC_URL: 'http://localhost:3000', PORT: 3000 } },
    { provide: APP_GUARD, useClass: SessionGuard },
    { provide: APP_INTERCEPTOR, useClass: ReadYourWritesInterceptor },
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
  await stored.remove();
  await ground.close();
});

/** Something new is written, which the notes show and the lists do not. */
beforeEach(() => {
  position += 1;
  readSide.reach('notes', position);
});

async function call(who: 0 | 1, method: 'GET' | 'POST', url: string): Promise<number> {
  const { statusCode } = await app.inject({ method, url, headers: { cookie: `roughmix_session=${tokens[who] ?? ''}` } });
  return statusCode;
}

test('a command is answered when what its answer reads holds it, however far behind other read models are', async () => {
  expect(await call(0, 'POST', '/api/notes')).toBe(201);
  expect(readSide.saved.position).toBeLessThan(position);
});

test('one whose answer reads what lags is refused when that takes too long', async () => {
  expect(await call(0, 'POST', '/api/lists')).toBe(503);
  readSide.reach('lists', position);
  expect(await call(0, 'POST', '/api/lists')).toBe(201);
});

test('the next requests of the same caller wait for its write in whatever they read; those of others do not', async () => {
  expect(await call(0, 'POST', '/api/notes')).toBe(201);
  const order: string[] = [];
  const own = call(0, 'GET', '/api/lists').then((status) => order.push(`own ${status}`));
  order.push(`other ${await call(1, 'GET', '/api/lists')}`);
  readSide.reach('lists', position);
  await own;
  expect(order).toEqual(['other 200', 'own 200']);
});

test('a read that would wait too long goes on with what is there: a full disk does not stop reads', async () => {
  expect(await call(0, 'POST', '/api/notes')).toBe(201);
  expect([await call(0, 'GET', '/api/notes'), await call(0, 'GET', '/api/lists')]).toEqual([200, 200]);
  expect(readSide.saved.position).toBeLessThan(position);
});
