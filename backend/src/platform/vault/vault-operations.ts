import type { Document } from '../documents/documents.js';
import { indexEntry, type IndexKey } from '../sqlite/index-entries.js';
import type { Statements } from '../sqlite/statements.js';

/** A record and its body as JSON. */
export interface VaultWrite {
  readonly collection: string;
  readonly id: string;
  readonly body: string;
}

/** The operations of the writer thread of `vault.db`. Each is a transaction, answered once it is on disk. */
export interface VaultOperations {
  declare(request: { readonly name: string; readonly indexes: readonly string[] }): void;
  insert(request: VaultWrite): boolean;
  replace(request: VaultWrite & { readonly version: number }): boolean;
  put(request: VaultWrite): void;
  remove(request: { readonly collection: string; readonly id: string; readonly version: number | null }): boolean;
  removeWhere(request: { readonly collection: string; readonly field: string; readonly key: IndexKey }): number;
}

/** A record's index keys by field. */
type Keys = readonly (readonly [field: string, key: IndexKey])[];

interface StoredRow {
  readonly rec: number;
  readonly id: string;
  readonly version: number;
  readonly keys: string;
}

/** The operations on an open `vault.db`. @param sql the connection that writes */
export function vaultOperations(sql: Statements): VaultOperations {
  const find = (collection: string, id: string) => sql.one<StoredRow>('SELECT rec, id, version, keys FROM records WHERE collection=? AND id=?', collection, id);
  return {
    declare: ({ name, indexes }) => declare(sql, name, indexes),
    insert: (write) => {
      if (find(write.collection, write.id)) return false;
      add(sql, write);
      return true;
    },
    replace: ({ version, ...write }) => {
      const stored = find(write.collection, write.id);
      if (stored?.version !== version) return false;
      overwrite(sql, stored, write);
      return true;
    },
    put: (write) => {
      const stored = find(write.collection, write.id);
      if (stored) overwrite(sql, stored, write);
      else add(sql, write);
    },
    remove: ({ collection, id, version }) => {
      const stored = find(collection, id);
      if (!stored || (version !== null && stored.version !== version)) return false;
      erase(sql, collection, stored);
      return true;
    },
    removeWhere: ({ collection, field, key }) => {
      const found = sql.all<StoredRow>(
        'SELECT r.rec, r.id, r.version, r.keys FROM entries e CROSS JOIN records r ON r.rec = e.rec WHERE e.collection=? AND e.field=? AND e.key=?',
        collection,
        field,
        key,
      );
      for (const stored of found) erase(sql, collection, stored);
      return found.length;
    },
  };
}

function declare(sql: Statements, name: string, indexes: readonly string[]): void {
  const wanted = JSON.stringify(indexes);
  if (sql.one<{ indexes: string }>('SELECT indexes FROM collections WHERE name=?', name)?.indexes === wanted) return;
  sql.run('INSERT OR REPLACE INTO collections VALUES(?,?)', name, wanted);
  sql.run('DELETE FROM entries WHERE collection=?', name);
  for (const { rec, id, body } of sql.all<{ rec: number; id: string; body: string }>('SELECT rec, id, body FROM records WHERE collection=?', name)) {
    const keys = keysOf(sql, { collection: name, id, body });
    sql.run('UPDATE records SET keys=? WHERE rec=?', JSON.stringify(keys), rec);
    addEntries(sql, { collection: name, id, rec }, keys);
  }
}

function add(sql: Statements, write: VaultWrite): void {
  const keys = keysOf(sql, write);
  const added = sql.one<{ rec: number }>(
    'INSERT INTO records(collection, id, version, body, keys) VALUES(?,?,?,?,?) RETURNING rec',
    write.collection,
    write.id,
    nextVersion(sql),
    write.body,
    JSON.stringify(keys),
  );
  if (added) addEntries(sql, { ...write, rec: added.rec }, keys);
}

function overwrite(sql: Statements, stored: StoredRow, write: VaultWrite): void {
  const keys = keysOf(sql, write);
  const packed = JSON.stringify(keys);
  sql.run('UPDATE records SET version=?, body=?, keys=? WHERE rec=?', nextVersion(sql), write.body, packed, stored.rec);
  if (packed === stored.keys) return;
  removeEntries(sql, write.collection, stored);
  addEntries(sql, { ...write, rec: stored.rec }, keys);
}

function erase(sql: Statements, collection: string, stored: StoredRow): void {
  removeEntries(sql, collection, stored);
  sql.run('DELETE FROM records WHERE rec=?', stored.rec);
}

function addEntries(sql: Statements, { collection, id, rec }: { readonly collection: string; readonly id: string; readonly rec: number }, keys: Keys): void {
  for (const [field, key] of keys) sql.run('INSERT INTO entries VALUES(?,?,?,?,?)', collection, field, key, id, rec);
}

function removeEntries(sql: Statements, collection: string, { id, keys }: StoredRow): void {
  for (const [field, key] of JSON.parse(keys) as Keys)
    sql.run('DELETE FROM entries WHERE collection=? AND field=? AND key=? AND id=?', collection, field, key, id);
}

function keysOf(sql: Statements, { collection, body }: VaultWrite): Keys {
  const known = sql.one<{ indexes: string }>('SELECT indexes FROM collections WHERE name=?', collection);
  if (!known) throw new Error(`the collection ${collection} is not declared`);
  const document = JSON.parse(body) as Document;
  return (JSON.parse(known.indexes) as readonly string[]).flatMap((field) => indexEntry(document, { field })[0].map((key) => [field, key] as const));
}

/** One counter for all records, so that a recreated id never gets a version that a caller may still hold. */
function nextVersion(sql: Statements): number {
  const next = sql.one<{ value: number }>("UPDATE counters SET value = value + 1 WHERE name='version' RETURNING value");
  if (!next) throw new Error('the version counter is missing');
  return next.value;
}
