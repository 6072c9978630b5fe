import { DatabaseSync } from '@photostructure/sqlite';
import type { Position } from '@roughmix/contracts/shared/ids.js';
import { masterKeyFrom } from '../auth/secrets.js';
import type { Document } from '../documents/documents.js';
import { unwrapKey } from '../personal-data/wrapped-key.js';
import { Statements } from '../sqlite/statements.js';
import { StoreDamaged } from '../store-errors.js';
import { RESTORES } from './last-restore.js';
import { positionIn, type RecordKinds, type RestoredVault, settledRecord } from './record-kinds.js';
import { vaultOperations } from './vault-operations.js';

const REACTORS = 'reactor-checkpoints';

interface Row {
  readonly collection: string;
  readonly id: string;
  readonly body: string;
}

function withVault<Answer>(file: string, readOnly: boolean, work: (sql: Statements) => Answer): Answer {
  const sql = new Statements(new DatabaseSync(file, { readOnly, timeout: 10_000 }));
  try {
    return work(sql);
  } finally {
    sql.forget();
    sql.db.close();
  }
}

/** How far each reactor has come, by name. */
export const reactorPositionsIn = (file: string): Readonly<Record<string, Position>> =>
  withVault(file, true, (sql) => {
    const rows = sql.all<Row>('SELECT collection, id, body FROM records WHERE collection=?', REACTORS);
    return Object.fromEntries(rows.map(({ id, body }) => [id, positionIn(JSON.parse(body))]));
  });

/** What a vault holds, that no program has open. */
export interface VaultContent {
  /** Every kind of record that was ever declared. */
  readonly collections: readonly { readonly name: string; readonly indexes: readonly string[] }[];
  /** The records of one kind, in the order of their ids. */
  records(collection: string): Iterable<{ readonly id: string; readonly body: Document }>;
}

/** Hands on everything that a vault holds, for as long as `use` runs. */
export async function readVault<Answer>(file: string, use: (content: VaultContent) => Promise<Answer>): Promise<Answer> {
  const sql = new Statements(new DatabaseSync(file, { readOnly: true, timeout: 10_000 }));
  try {
    const collections = sql
      .all<{ name: string; indexes: string }>('SELECT name, indexes FROM collections ORDER BY name')
      .map(({ name, indexes }) => ({ name, indexes: JSON.parse(indexes) as readonly string[] }));
    return await use({ collections, records: (collection) => recordsOf(sql, collection) });
  } finally {
    sql.forget();
    sql.db.close();
  }
}

function* recordsOf(sql: Statements, collection: string): Generator<{ readonly id: string; readonly body: Document }> {
  for (let after = ''; ;) {
    const rows = sql.all<Row>('SELECT collection, id, body FROM records WHERE collection=? AND id>? ORDER BY id LIMIT 500', collection, after);
    for (const { id, body } of rows) yield { id, body: JSON.parse(body) as Document };
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.id;
  }
}

/** @throws StoreDamaged when its pages are not whole */
export function verifyVaultFile(file: string): void {
  const found = withVault(file, true, (sql) => sql.one<{ integrity_check: string }>('PRAGMA integrity_check(1)')?.integrity_check);
  if (found !== 'ok') throw new StoreDamaged(`${file} is damaged: ${found}`, file, 0);
}

/** Whether a vault opens with a master key, given as the text that operators keep. */
export const opensWith = (file: string, masterKey: string): boolean =>
  withVault(file, true, (sql) => {
    const row = sql.one<Row>("SELECT collection, id, body FROM records WHERE collection='vault-keys' AND id='check'");
    if (row === undefined) return true;
    try {
      return unwrapKey(masterKeyFrom(masterKey), 'vault-key-check', (JSON.parse(row.body) as { wrapped: string }).wrapped).length > 0;
    } catch {
      // Whatever the cipher says of it, it means this.
      return false;
    }
  });

/**
 * Brings a vault, which was copied after its log, to where the log ends: records that follow from later events go, reactors stand where they stood
 * before the log was copied, so that each does again what the log does not hold the outcome of, and nothing else. Notes when that was.
 */
export function settleVault(file: string, log: RestoredVault, kinds: RecordKinds): void {
  withVault(file, false, (sql) => {
    sql.db.exec('PRAGMA synchronous=FULL; PRAGMA secure_delete=ON; BEGIN IMMEDIATE');
    const operations = vaultOperations(sql);
    for (const { collection, id, body } of sql.all<Row>('SELECT collection, id, body FROM records')) {
      const settled = settledRecord({ kind: collection, id, body: JSON.parse(body) as Document }, log, kinds);
      if (settled === null) operations.remove({ collection, id, version: null });
      else if (JSON.stringify(settled) !== body) operations.put({ collection, id, body: JSON.stringify(settled) });
    }
    operations.declare({ name: RESTORES.name, indexes: [] });
    operations.put({ collection: RESTORES.name, id: RESTORES.id, body: JSON.stringify({ at: log.restoredAt }) });
    sql.db.exec('COMMIT');
  });
}
