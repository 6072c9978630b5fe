import { DatabaseSync } from '@photostructure/sqlite';
import type { Position } from '@roughmix/contracts/shared/ids.js';
import { masterKeyFrom } from '../auth/secrets.js';
import type { Document } from '../documents/documents.js';
import { decrypt } from '../personal-data/aes-gcm.js';
import { Statements } from '../sqlite/statements.js';
import { StoreDamaged } from '../store-errors.js';
import { RESTORES } from './last-restore.js';
import { CHECKPOINTS, positionIn, type RecordKinds, type RestoredVault, settledRecord } from './record-kinds.js';
import { vaultOperations } from './vault-operations.js';

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

/** The checkpoint of each reactor in a vault file, by name. */
export const reactorPositionsIn = (file: string): Readonly<Record<string, Position>> =>
  withVault(file, true, (sql) => {
    const rows = sql.all<Row>('SELECT collection, id, body FROM records WHERE collection=?', CHECKPOINTS);
    return Object.fromEntries(rows.map(({ id, body }) => [id, positionIn(JSON.parse(body))]));
  });

/** The content of a vault that no process has open. */
export interface VaultContent {
  /** Every record kind ever declared. */
  readonly collections: readonly { readonly name: string; readonly indexes: readonly string[] }[];
  /** The records of one kind, in id order. */
  records(collection: string): Iterable<{ readonly id: string; readonly body: Document }>;
}

/** Gives `use` the content of a vault while it runs. */
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

/** @throws StoreDamaged when the integrity check fails */
export function verifyVaultFile(file: string): void {
  const found = withVault(file, true, (sql) => sql.one<{ integrity_check: string }>('PRAGMA integrity_check(1)')?.integrity_check);
  if (found !== 'ok') throw new StoreDamaged(`${file} is damaged: ${found}`, file, 0);
}

/** Whether a master key, as text, opens a vault. */
export const opensWith = (file: string, masterKey: string): boolean =>
  withVault(file, true, (sql) => {
    const row = sql.one<Row>("SELECT collection, id, body FROM records WHERE collection='vault-keys' AND id='check'");
    if (row === undefined) return true;
    try {
      return decrypt(masterKeyFrom(masterKey), 'vault-key-check', (JSON.parse(row.body) as { wrapped: string }).wrapped).length > 0;
    } catch {
      // Any error of the cipher means the wrong key.
      return false;
    }
  });

/** Adapts each record of a vault that was copied after its log (see {@link settledRecord}), and records the time of the restore. */
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
