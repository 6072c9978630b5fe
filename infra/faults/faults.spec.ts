import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { faultNames, headerIn, headerOf, isInGate, promisesTable } from './lib/headers.mjs';

const repository = fileURLToPath(new URL('../../', import.meta.url));
const headers = faultNames().map((name) => ({ name, ...headerOf(name) }));

/** The titles of the tests in a file. */
function titlesIn(file: string): readonly string[] {
  const titles = readFileSync(repository + file, 'utf8').matchAll(/\btest(?:\.each[^;]*?\))?\(\s*(['"`])(.+?)\1,/g);
  return [...titles].map(([, , title = '']) => title);
}

describe('a fault', () => {
  test('begins with its promise, with what it breaks, and with what checks the promise in the gate', () => {
    expect(headerIn('// Promise: nothing is lost\n// Breaks: kill -9\n// Gate: a.spec.ts "a"\n// Gate: b.spec.ts\nimport {} from "a";\n')).toEqual({
      promise: 'nothing is lost',
      breaks: 'kill -9',
      gate: ['a.spec.ts "a"', 'b.spec.ts'],
    });
    expect(() => headerIn("import { join } from 'node:path';\n// Promise: nothing is lost\n// Breaks: kill -9\n// Gate: short form\n")).toThrow(
      '// Promise: …',
    );
    expect(() => headerIn('// Promise: nothing is lost\n// Breaks: kill -9\n\n')).toThrow('// Gate: …');
    expect(headers.length).toBeGreaterThan(0);
    expect(new Set(headers.map(({ promise }) => promise)).size).toBe(headers.length);
  });

  test('that the gate leaves out names the specs that check its promise there', () => {
    const named = headers.filter((header) => !isInGate(header)).flatMap(({ name, gate }) => gate.map((each) => ({ name, each })));
    const missing = named.filter(({ each }) => {
      const [, file = '', title] = /^(\S+)(?: "(.+)")?$/.exec(each) ?? [];
      if (!/\.(?:spec|journey)\.ts$/.test(file) || !existsSync(repository + file)) return true;
      return title !== undefined && !titlesIn(file).includes(title);
    });
    expect(missing).toEqual([]);
    expect(named.length).toBeGreaterThan(0);
  });

  test('is in docs/faults.md by its promise (node infra/faults/run.mjs --table prints what it should say)', () => {
    expect(readFileSync(`${repository}docs/faults.md`, 'utf8')).toContain(`\n\n${promisesTable()}\n\n`);
  });
});
