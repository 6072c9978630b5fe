import { Controller, Get, Module, Post } from '@nestjs/common';
import { APP_FILTER, APP_GUARD } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { silentSecurityLog } from '../../testing/silent-security-log.js';
import { SecurityLog } from '../security/security-log.js';
import { manualClock } from '../../testing/manual-clock.js';
import { temporaryVault, type TemporaryVault } from '../../testing/temporary-vault.js';
import { Sessions } from '../auth/sessions.js';
import { CLOCK, CONFIG, VAULT } from '../tokens.js';
import { ActorParam, type Caller, CurrentCaller, GuestMay, Public } from './caller.js';
import { ProblemFilter } from './problem.filter.js';
import { SessionGuard } from './session.guard.js';

@Controller('api')
class Checked {
  @Get('open')
  @Public()
  open(): { ok: true } {
    return { ok: true };
  }

  @Get('people/:uid')
  @ActorParam('uid')
  read(@CurrentCaller() caller: Caller): { uid: string } {
    return { uid: caller.uid };
  }

  @Post('people/:uid')
  @ActorParam('uid')
  write(): { ok: true } {
    return { ok: true };
  }

  @Post('guests')
  @GuestMay()
  both(): { ok: true } {
    return { ok: true };
  }

  @Post('open')
  @Public()
  openWrite(): { ok: true } {
    return { ok: true };
  }
}

const HOUR_MS = 60 * 60_000;
const clock = manualClock();
interface Warning {
  readonly origin?: string;
  readonly PUBLIC_URL: string;
  readonly msg: string;
}
const warnings: Warning[] = [];
let temporary: TemporaryVault;
let app: NestFastifyApplication;
let sessions: Sessions;
const tokens = { ana: '', guest: '', unknown: 'x'.repeat(43) };
type Who = keyof typeof tokens | 'nobody';

beforeAll(async () => {
  temporary = await temporaryVault();
  const providers = [
    Sessions,
    { provide: VAULT, useValue: temporary.vault },
    { provide: CLOCK, useValue: clock.now },
    { provide: CONFIG, useValue: { PUBLIC_URL: 'http://localhost:3000', PORT: 3000 } },
    { provide: APP_GUARD, useClass: SessionGuard },
    { provide: SecurityLog, useValue: silentSecurityLog() },
    { provide: APP_FILTER, useClass: ProblemFilter },
  ];
  @Module({ controllers: [Checked], providers })
  class CheckedModule {}
  const built = await Test.createTestingModule({ imports: [CheckedModule] }).compile();
  app = built.createNestApplication<NestFastifyApplication>(
    new FastifyAdapter({ logger: { level: 'warn', stream: { write: (line) => void warnings.push(JSON.parse(line) as Warning) } } }),
    { logger: false },
  );
  sessions = app.get(Sessions);
  await sessions.declare();
  await app.init();
  await app.getHttpAdapter().getInstance().ready();
  tokens.ana = (await sessions.start('ana', false)).token;
  tokens.guest = (await sessions.start('guest', true)).token;
});
afterAll(async () => {
  await app.close();
  await temporary.remove();
});

async function call(who: Who, method: 'GET' | 'HEAD' | 'POST', url: string, headers: Record<string, string> = {}): Promise<string> {
  const cookie: Record<string, string> = who === 'nobody' ? {} : { cookie: `other=1; roughmix_session=${tokens[who]}` };
  const answer = await app.inject({ method, url, headers: { ...cookie, ...headers } });
  return answer.statusCode < 300 ? String(answer.statusCode) : `${answer.statusCode} ${answer.json<{ code: string }>().code}`;
}

describe('the checks before every route, in order', () => {
  const foreign = { origin: 'https://evil.example' };
  test.each<[who: Who, method: 'GET' | 'POST', url: string, headers: Record<string, string>, answer: string]>([
    ['nobody', 'POST', '/api/nothing', foreign, '404 route.not-found'],
    ['nobody', 'POST', '/api/people/ana', foreign, '403 request.cross-origin'],
    ['ana', 'POST', '/api/people/ana', foreign, '403 request.cross-origin'],
    ['nobody', 'POST', '/api/open', foreign, '403 request.cross-origin'],
    ['ana', 'GET', '/api/people/ana', foreign, '200'],
    ['nobody', 'POST', '/api/people/ana', {}, '401 auth.required'],
    ['unknown', 'POST', '/api/people/ana', {}, '401 auth.required'],
    ['nobody', 'GET', '/api/people/ana', {}, '401 auth.required'],
    ['guest', 'POST', '/api/people/bob', {}, '403 guest.read-only'],
    ['guest', 'POST', '/api/people/guest', {}, '403 guest.read-only'],
    ['guest', 'GET', '/api/people/ana', {}, '403 actor.mismatch'],
    ['guest', 'GET', '/api/people/guest', {}, '200'],
    ['guest', 'POST', '/api/guests', {}, '201'],
    ['guest', 'POST', '/api/open', {}, '403 guest.read-only'],
    ['ana', 'GET', '/api/people/bob', {}, '403 actor.mismatch'],
    ['ana', 'POST', '/api/people/bob', {}, '403 actor.mismatch'],
    ['ana', 'POST', '/api/people/ana', {}, '201'],
    ['nobody', 'GET', '/api/open', {}, '200'],
    ['nobody', 'POST', '/api/open', {}, '201'],
    ['unknown', 'GET', '/api/open', {}, '200'],
  ])('%s: %s %s %j is %s', async (...[who, method, url, headers, answer]) => {
    expect(await call(who, method, url, headers)).toBe(answer);
  });
});

test('a page that was not opened at PUBLIC_URL learns where Roughmix is, and the log names its address once', async () => {
  warnings.length = 0;
  const origin = 'http://mix.lan:3000';
  for (let sent = 0; sent < 2; sent += 1) {
    const answer = await app.inject({ method: 'POST', url: '/api/open', headers: { origin } });
    expect(answer.json<{ detail: string }>().detail).toBe(
      'This request came from another site. Roughmix is at http://localhost:3000; its operator sets this address as PUBLIC_URL.',
    );
  }
  const facts = warnings.map(({ origin: from, PUBLIC_URL, msg }) => [from, PUBLIC_URL, msg]);
  expect(facts).toEqual([[origin, 'http://localhost:3000', 'request refused: its page was not opened at PUBLIC_URL']]);
});

describe('Authorization: Bearer', () => {
  test('accepts the value of the cookie', async () => {
    expect(await call('nobody', 'GET', '/api/people/ana', { authorization: `Bearer ${tokens.ana}` })).toBe('200');
  });

  test.each(['Bearer wrong', 'Bearer', 'Bearer '])('an invalid one (%s) is 401 even with a valid cookie', async (authorization) => {
    expect(await call('ana', 'GET', '/api/people/ana', { authorization })).toBe('401 auth.required');
  });

  test('another scheme is ignored', async () => {
    expect(await call('ana', 'GET', '/api/people/ana', { authorization: 'Basic YTpi' })).toBe('200');
  });
});

test('a session in use is renewed for thirty days, with a new cookie, at most once an hour', async () => {
  const cookieOf = async (): Promise<unknown> => {
    const answer = await app.inject({ method: 'GET', url: '/api/people/ana', headers: { cookie: `roughmix_session=${tokens.ana}` } });
    return answer.headers['set-cookie'];
  };
  expect(await cookieOf()).toBeUndefined();
  clock.move(HOUR_MS);
  expect(await cookieOf()).toBe(`roughmix_session=${tokens.ana}; Max-Age=2592000; Path=/; HttpOnly; SameSite=Lax`);
  expect(await cookieOf()).toBeUndefined();
});
