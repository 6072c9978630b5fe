import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { slices } from '../../slices.js';
import { isLeftOut, type RecordKind, settledRecord } from './record-kinds.js';

const SOURCE = fileURLToPath(new URL('../../', import.meta.url));
const programs = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !/\.(spec|contract)\.ts$|^testing\//.test(file))
  .map((file) => ({ file, text: readFileSync(join(SOURCE, file), 'utf8') }));

/** The value of a constant that a file declares or imports. */
function valueOf(name: string, text: string): string | undefined {
  const [constant = '', field] = name.split('.');
  const of = field === undefined ? `const ${constant} = '([^']+)'` : `const ${constant} = \\{[^}]*\\b${field}: '([^']+)'`;
  return [text, ...programs.map((each) => each.text)].map((each) => new RegExp(of).exec(each)?.[1]).find((found) => found !== undefined);
}

/** Every record kind declared in a vault, with the declaring file. */
const declared = programs.flatMap(({ file, text }) =>
  [...text.matchAll(/vault\.declare\(\{ name: ('([^']+)'|[\w.]+)/g)]
    .filter(([, name]) => name !== 'kind')
    .map(([, name = '', literal]) => ({ file, kind: literal ?? valueOf(name, text) ?? `${name}?` })),
);

const isOut = (kind: string, where: keyof RecordKind) => isLeftOut(slices.recordKinds, kind, where);

describe('the kinds of records', () => {
  test('every record kind states whether a restore and a move keep it', () => {
    expect(declared.length).toBeGreaterThan(20);
    expect(declared.filter(({ kind }) => slices.recordKinds[kind] === undefined)).toEqual([]);
  });

  test('a move keeps sessions and push messages, a restore ends them; neither keeps counters, uploads or leases', () => {
    for (const kind of ['sessions', 'pushes']) expect([isOut(kind, 'moved'), isOut(kind, 'restored')]).toEqual([false, true]);
    for (const kind of ['throttle', 'uploads', 'upload-slots', 'leases', 'orders', 'presence', 'readiness', 'key-epoch', 'log-of-vault'])
      expect([isOut(kind, 'moved'), isOut(kind, 'restored')]).toEqual([true, true]);
    expect([isOut('of-another-version', 'moved'), isOut('of-another-version', 'restored')]).toEqual([false, false]);
  });

  test('a restore drops records of events beyond the end of the log and sets reactor checkpoints back', () => {
    const at = (kind: string, position: number, reactors?: Record<string, number>) =>
      settledRecord(
        { kind, id: 'r', body: { position, by: 'me' } },
        { position: 50, restoredAt: 9_000, ...(reactors === undefined ? {} : { reactors }) },
        slices.recordKinds,
      );
    expect(at('trash', 50)).toEqual({ position: 50, by: 'me' });
    expect(at('trash', 51)).toBeNull();
    expect(at('sessions', 1)).toBeNull();
    expect([at('reactor-checkpoints', 70), at('reactor-checkpoints', 40), at('reactor-checkpoints', 40, { r: 30 })]).toEqual([
      { position: 50 },
      { position: 40 },
      { position: 30 },
    ]);
  });
});
