import { describe, expect, test } from '@jest/globals';
import { requestHashWith } from './request-context.js';

describe('the hash of a request', () => {
  const hash = requestHashWith(Buffer.alloc(32, 1));
  const one = hash('POST', '/api/comments', { projectId: 'p1', submission: { content: 'x', tags: [1, { a: 1, b: 2 }] } });

  test('does not depend on the order of members', () => {
    expect(hash('POST', '/api/comments', { submission: { tags: [1, { b: 2, a: 1 }], content: 'x' }, projectId: 'p1' })).toBe(one);
    expect(one).toMatch(/^[A-Za-z0-9_-]{43}$/);
  });

  test.each<[string, () => string]>([
    ['method', () => hash('PUT', '/api/comments', { projectId: 'p1', submission: { content: 'x', tags: [1, { a: 1, b: 2 }] } })],
    ['path', () => hash('POST', '/api/regions', { projectId: 'p1', submission: { content: 'x', tags: [1, { a: 1, b: 2 }] } })],
    ['body', () => hash('POST', '/api/comments', { projectId: 'p1', submission: { content: 'y', tags: [1, { a: 1, b: 2 }] } })],
    ['order of a list', () => hash('POST', '/api/comments', { projectId: 'p1', submission: { content: 'x', tags: [{ a: 1, b: 2 }, 1] } })],
    ['key', () => requestHashWith(Buffer.alloc(32, 2))('POST', '/api/comments', { projectId: 'p1', submission: { content: 'x', tags: [1, { a: 1, b: 2 }] } })],
  ])('changes with the %s', (_what, other) => expect(other()).not.toBe(one));

  test('of a missing body equals that of null', () => expect(hash('POST', '/a', undefined)).toBe(hash('POST', '/a', null)));

  test('of a body nested deeper than the stack is refused', () => {
    const deep = JSON.parse(`{"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}`) as unknown;
    expect(() => hash('POST', '/a', deep)).toThrow('request.invalid');
  });
});
