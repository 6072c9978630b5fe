import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { openForReading, openForWriting, type Statements } from './statements.js';

let folder: string;
let writer: Statements;
let reader: Statements;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'roughmix-statements-'));
  writer = openForWriting(join(folder, 'read.db'), 'NORMAL');
  writer.db.exec('CREATE TABLE words(word TEXT NOT NULL)');
  reader = openForReading(join(folder, 'read.db'));
});

afterEach(async () => {
  for (const { db } of [reader, writer]) db.close();
  await rm(folder, { recursive: true, force: true });
});

const words = (): readonly string[] => reader.all<{ word: string }>('SELECT word FROM words ORDER BY word').map(({ word }) => word);
const write = (word: string): void => void writer.run('INSERT INTO words VALUES(?)', word);

test('reads in one transaction see one snapshot despite concurrent writes', () => {
  write('hiss');
  const seen = reader.inOneRead(() => {
    const first = words();
    write('tape');
    return [first, words()];
  });
  expect(seen).toEqual([['hiss'], ['hiss']]);
  expect(words()).toEqual(['hiss', 'tape']);
});

test('a failed read throws its error and releases the snapshot', () => {
  const failing = (): never => {
    words();
    throw new Error('met in the middle');
  };
  expect(() => reader.inOneRead(failing)).toThrow('met in the middle');
  write('tape');
  expect(reader.inOneRead(words)).toEqual(['tape']);
});
