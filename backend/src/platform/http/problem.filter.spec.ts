import { BadRequestException, Controller, Get, HttpException, Module, NotFoundException, Param } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { silentSecurityLog } from '../../testing/silent-security-log.js';
import { SecurityLog } from '../security/security-log.js';
import { type ProblemCode, statusOf } from '@roughmix/contracts/shared/problems.js';
import { Refused } from '../../kernel/refusal.js';
import { Throttled } from '../auth/throttled.js';
import { AppendTooLarge, WrongExpectedRevision } from '../event-store/event-store.js';
import { EventsMissing } from '../streams/folded-stream.js';
import { DiskFull, ServiceUnavailable, StoreDamaged } from '../store-errors.js';
import { codeOf, ProblemFilter, problemOf } from './problem.filter.js';

describe('the problem code of', () => {
  test.each<[string, unknown, string | null]>([
    ['a refusal', new Refused('region.not-yours'), 'region.not-yours'],
    ['a store that is unavailable', new ServiceUnavailable('gone'), 'store.away'],
    ['a full disk', new DiskFull('full'), 'disk.full'],
    ['an append that is too large', new AppendTooLarge('big'), 'limit.append'],
    ['a stream with events missing', new EventsMissing('project-p1', 0, 3), 'stream.unreadable'],
    ['an unknown route', new NotFoundException(), 'route.not-found'],
    ['broken JSON', new BadRequestException(), 'request.broken-json'],
    ['a body that is too large', Object.assign(new Error('large'), { statusCode: 413 }), 'request.too-large'],
    ['an unsupported content type', Object.assign(new Error('type'), { statusCode: 415 }), 'request.media-type'],
    ['an unsupported method', Object.assign(new Error('method'), { statusCode: 405 }), 'route.not-found'],
    ['a request that arrived too slowly', Object.assign(new Error('slow'), { statusCode: 408 }), 'request.timeout'],
    ['headers that are too large', Object.assign(new Error('long'), { statusCode: 431 }), 'request.headers-too-large'],
    ['any other 4xx of a library', Object.assign(new Error('odd'), { statusCode: 422 }), 'request.invalid'],
    ['a 5xx of a library', Object.assign(new Error('bad'), { statusCode: 502 }), null],
    ['an unhandled conflict', new WrongExpectedRevision('s', 1, 2), null],
    ['a damaged store', new StoreDamaged('bad', '/file', 0), null],
    ['a bug', new TypeError('x is not a function'), null],
    ['no error at all', undefined, null],
  ])('%s', (_what, error, code) => expect(codeOf(error)).toBe(code));
});

test('a problem has status, code, a sentence and the extras of the refusal', () => {
  expect(problemOf('limit.projectName', { limit: 120, field: 'projectName', instance: '/api/projects/newProject' })).toEqual({
    type: 'about:blank',
    title: 'Bad Request',
    status: 400,
    code: 'limit.projectName',
    detail: 'Titles have at most 120 characters',
    limit: 120,
    field: 'projectName',
    instance: '/api/projects/newProject',
  });
});

test('an invalid request lists its fields, also when a rule names only one', () => {
  const errors = [{ field: 'willAdd', code: 'invalid', detail: 'This request is not valid.' }];
  expect(problemOf('request.invalid', { field: 'willAdd' })).toMatchObject({ code: 'request.invalid', errors });
  expect(problemOf('request.invalid', { field: 'willAdd' })).not.toHaveProperty('field');
  expect(problemOf('request.invalid', { errors })).toEqual(problemOf('request.invalid', { field: 'willAdd' }));
});

describe('the response to an error', () => {
  const failures: Readonly<Record<string, () => Error>> = {
    bug: () => new TypeError("Cannot read properties of undefined (reading 'secret') in /srv/inside.js"),
    away: () => new ServiceUnavailable('vault at 10.0.0.5 refused'),
    full: () => new DiskFull('/srv/data/log.db'),
    damaged: () => new StoreDamaged('bad checksum', '/srv/data/log.db', 4096),
    throttled: () => new Throttled(7),
    odd: () => new HttpException('teapot', 418),
  };
  @Controller()
  class Failing {
    @Get(':how')
    fail(@Param('how') how: string): never {
      throw failures[how]?.() ?? new Error('no such failure');
    }
  }
  @Module({
    controllers: [Failing],
    providers: [
      { provide: SecurityLog, useValue: silentSecurityLog() },
      { provide: APP_FILTER, useClass: ProblemFilter },
    ],
  })
  class FailingModule {}
  let app: NestFastifyApplication;
  beforeAll(async () => {
    const built = await Test.createTestingModule({ imports: [FailingModule] }).compile();
    app = built.createNestApplication<NestFastifyApplication>(new FastifyAdapter(), { logger: false });
    await app.init();
    await app.getHttpAdapter().getInstance().ready();
  });
  afterAll(() => app.close());

  test.each<[how: string, code: ProblemCode, retryAfter: string | undefined]>([
    ['bug', 'internal', undefined],
    ['damaged', 'internal', undefined],
    ['away', 'store.away', '2'],
    ['full', 'disk.full', undefined],
    ['throttled', 'throttled', '7'],
    ['odd', 'request.invalid', undefined],
  ])('%s is %s and reveals nothing internal', async (how, code, retryAfter) => {
    const { statusCode, headers, payload } = await app.inject({ method: 'GET', url: `/${how}` });
    expect([statusCode, headers['content-type'], headers['cache-control'], headers['retry-after']]).toEqual([
      statusOf(code),
      'application/problem+json; charset=utf-8',
      'no-store',
      retryAfter,
    ]);
    expect(JSON.parse(payload)).toEqual(problemOf(code, { instance: `/${how}` }));
  });
});
