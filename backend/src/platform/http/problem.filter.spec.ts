import { BadRequestException, NotFoundException } from '@nestjs/common';
import { describe, expect, test } from '@jest/globals';
import { Refused } from '../../kernel/refusal.js';
import { AppendTooLarge, WrongExpectedRevision } from '../event-store/event-store.js';
import { DiskFull, StoreAway, StoreDamaged } from '../store-errors.js';
import { codeOf, problemOf } from './problem.filter.js';

describe('what an error is called', () => {
  test.each<[string, unknown, string | null]>([
    ['a refusal', new Refused('region.not-yours'), 'region.not-yours'],
    ['a store that is away', new StoreAway('gone'), 'store.away'],
    ['a full disk', new DiskFull('full'), 'disk.full'],
    ['too much for one append', new AppendTooLarge('big'), 'limit.append'],
    ['an unknown route', new NotFoundException(), 'route.not-found'],
    ['broken JSON', new BadRequestException(), 'request.broken-json'],
    ['a body that is too large', Object.assign(new Error('large'), { statusCode: 413 }), 'request.too-large'],
    ['a content type nobody reads', Object.assign(new Error('type'), { statusCode: 415 }), 'request.media-type'],
    ['a conflict that got this far', new WrongExpectedRevision('s', 1, 2), null],
    ['damage', new StoreDamaged('bad', '/file', 0), null],
    ['a bug', new TypeError('x is not a function'), null],
    ['no error at all', undefined, null],
  ])('%s', (_what, error, code) => expect(codeOf(error)).toBe(code));
});

test('a problem says its status, its code and a sentence, and what the refusal added', () => {
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
