import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from '@jest/globals';
import { operate } from './operate.js';

async function asked(...args: readonly string[]): Promise<{ readonly code: number; readonly out: string; readonly err: string }> {
  const [out, err] = [new PassThrough(), new PassThrough()];
  const code = await operate(args, {}, { out, err, signal: new AbortController().signal });
  out.end();
  err.end();
  return { code, out: await text(out), err: await text(err) };
}

describe('the command line of an operator', () => {
  test('without an operation it says what there is', async () => {
    const { code, out } = await asked();
    expect(code).toBe(0);
    expect(out.split('\n')[0]).toBe('usage: npm run -s operate -- <operation>');
  });

  test('an operation that nobody knows is told with what there is, and is an error', async () => {
    const { code, out, err } = await asked('events', 'forget');
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err.split('\n')[0]).toBe('usage: npm run -s operate -- <operation>');
  });
});
