import { LIMITS } from '@roughmix/contracts/shared/limits.js';
import { describe, expect, test } from '@jest/globals';
import { isModest } from './json-shape.js';

const nested = (levels: number): unknown => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`) as unknown;
const list = (length: number): readonly number[] => Array.from({ length }, (_, at) => at);
const record = (length: number): object => Object.fromEntries(list(length).map((at) => [`field${at}`, at]));

describe('JSON is looked at', () => {
  test.each<[what: string, value: unknown, expected: boolean]>([
    ['a text', 'x'.repeat(100_000), true],
    ['null', null, true],
    ['20 levels', nested(20), true],
    ['21 levels', nested(21), false],
    ['a hundred thousand levels', nested(100_000), false],
    ['5,000 entries', list(LIMITS.jsonMembers), true],
    ['5,001 entries', list(LIMITS.jsonMembers + 1), false],
    ['5,000 fields', record(LIMITS.jsonMembers), true],
    ['5,001 fields', record(LIMITS.jsonMembers + 1), false],
    ['5,000 members in several places', [record(2_000), { list: list(2_997) }], true],
    ['5,001 members in several places', [record(2_000), { list: list(2_998) }], false],
  ])('with %s: %#', (_what, value, expected) => {
    expect(isModest(value)).toBe(expected);
  });
});
