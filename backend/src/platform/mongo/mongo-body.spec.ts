import { describe, expect, test } from '@jest/globals';
import { packBody, packValue, unpackBody, weightOf } from './mongo-body.js';

describe('a body in MongoDB', () => {
  test('is stored unchanged, so that its fields can be indexed and inspected', () => {
    const body = { _id: 'r1', start: 1.5, list: [1, null, { deep: '🎸' }], on: true };
    expect(packBody(body)).toEqual({ body });
    expect(packBody(body).body).toBe(body);
  });

  test('has only those keys and texts escaped that MongoDB would misread', () => {
    const body = { name: 'Ana', 'a.b': 1, $set: 2, '': 3, '100%': 4, half: '\ud83c', bytes: '\uffff', _bsontype: 5, _id: 6, zero: -0 };
    const packed = packBody(body);
    expect(packed).toEqual({
      packed: true,
      body: {
        name: 'Ana',
        'a%002eb': 1,
        '%0024set': 2,
        '%': 3,
        '100%0025': 4,
        half: '\uffff"\\ud83c"',
        bytes: '\uffff"\uffff"',
        '%005fbsontype': 5,
        _id: 6,
        zero: 0,
      },
    });
    expect(unpackBody(packed)).toEqual({ ...body, zero: 0 });
    expect([packValue('\ud83c'), packValue('Ana'), packValue(1)]).toEqual(['\uffff"\\ud83c"', 'Ana', 1]);
  });

  test('keeps a __proto__ key', () => {
    const body = JSON.parse('{"__proto__": {"admin": true}, "plain": 1}') as Record<string, unknown>;
    expect(JSON.stringify(unpackBody(packBody(body)))).toBe(JSON.stringify(body));
    expect(JSON.stringify(packBody(body).body)).toBe('{"%005f_proto__":{"admin":true},"plain":1}');
  });

  test('is never estimated smaller than its size in bytes', () => {
    const body = { text: 'é🎸'.repeat(100), list: [1, 2.5, null, true, [{}]], deep: { a: { b: 'c' } } };
    expect(weightOf(body)).toBeGreaterThan(Buffer.byteLength(JSON.stringify(body)));
  });
});
