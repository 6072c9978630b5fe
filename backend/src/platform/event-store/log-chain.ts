import { hash } from 'node:crypto';
import { readSync } from 'node:fs';
import type { Position } from '@roughmix/contracts/shared/ids.js';
import { StoreDamaged } from '../store-errors.js';
import { type Database, type Mark, readFact, rowOf, rowsOf } from './log-file.js';
import { STREAM_OF_RUN } from './log-runs.js';

/** The fields a row's checksum covers, besides the previous row's checksum. */
export interface ChainedRow {
  readonly position: Position;
  readonly stream: string;
  readonly revision: number;
  readonly body: string;
}

const ROWS_PER_PAGE = 1000;

/** The SHA-256 (base64url) of a row, chained to the previous row's checksum. */
export function sumOf(before: string, row: ChainedRow): string {
  return hash('sha256', `${before} ${row.position} ${row.revision} ${row.stream}\n${row.body}`, 'base64url');
}

/**
 * Recomputes the chain after a mark, one page of rows at a time, and yields the mark at the end of each page.
 * @throws StoreDamaged at the first row that is missing, changed or out of order; its offset is that of the row's page in the file
 */
export function* verifyChain(db: Database, from: Mark, at: { file: string; descriptor: number; rowsPerPage?: number }): Generator<Mark> {
  const page = db.prepare(
    `SELECT position, ${STREAM_OF_RUN} AS stream, revision, body, sum FROM events LEFT JOIN streams USING (sid) WHERE position > ? ORDER BY position LIMIT ?`,
  );
  const damaged = (position: Position): never => {
    const offset = offsetOf(db, at.descriptor, position);
    throw new StoreDamaged(`${at.file} is damaged at byte ${offset}, position ${position}`, at.file, offset, position - 1);
  };
  let mark = from;
  if (mark.position > 0 && sumAt(db, mark.position) !== mark.sum) damaged(mark.position);
  for (;;) {
    const rows = rowsOf<ChainedRow & { sum: string }>(page, mark.position, at.rowsPerPage ?? ROWS_PER_PAGE);
    for (const row of rows) {
      if (row.position !== mark.position + 1 || row.sum !== sumOf(mark.sum, row)) damaged(mark.position + 1);
      mark = row;
    }
    if (rows.length === 0) return;
    yield { position: mark.position, sum: mark.sum };
  }
}

/** Where the next start begins verifying. A start or the writer has already verified everything before it. */
export function readVerified(db: Database): Mark {
  const [position, sum] = (readFact(db, 'verified') ?? '0 ').split(' ');
  return { position: Number(position), sum: sum ?? '' };
}

function sumAt(db: Database, position: Position): string | null {
  const row = rowOf<{ sum: string }>(db.prepare('SELECT sum FROM events WHERE position = ?'), position);
  return row?.sum ?? null;
}

/** The file offset of the page that holds a position, found by walking the table's B-tree: https://www.sqlite.org/fileformat2.html#b_tree_pages */
export function offsetOf(db: Database, descriptor: number, position: Position): number {
  const root = rowOf<{ rootpage: number; size: number }>(
    db.prepare("SELECT rootpage, page_size AS size FROM sqlite_schema, pragma_page_size WHERE name = 'events'"),
  );
  if (root === undefined) return 0;
  const page = Buffer.alloc(root.size);
  let number = root.rootpage;
  for (let depth = 0; depth < 20; depth++) {
    const offset = (number - 1) * root.size;
    if (readSync(descriptor, page, 0, root.size, offset) < root.size || page[0] !== INTERIOR) return offset;
    number = childFor(page, position);
    if (number === 0) return offset;
  }
  return 0;
}

const INTERIOR = 5;

function childFor(page: Buffer, position: Position): number {
  const cells = page.readUInt16BE(3);
  for (let i = 0; i < cells && 12 + 2 * i + 2 <= page.length; i++) {
    const cell = page.readUInt16BE(12 + 2 * i);
    if (cell + 5 > page.length) return 0;
    if (varint(page, cell + 4) >= position) return page.readUInt32BE(cell);
  }
  return page.readUInt32BE(8);
}

function varint(page: Buffer, at: number): number {
  let value = 0;
  for (let i = 0; i < 8; i++) {
    const byte = page[at + i] ?? 0;
    value = value * 128 + (byte & 0x7f);
    if (byte < 0x80) break;
  }
  return value;
}
