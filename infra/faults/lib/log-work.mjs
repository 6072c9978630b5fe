// Work on the bare log without the program: appends, and checks that a log contains them.
import { randomUUID } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { EmbeddedEventStore } from '../../../backend/dist/platform/event-store/embedded-event-store.js';

const meta = { actorUid: null, at: 1_700_000_000_000, commandId: 'fault', correlationId: 'fault', causationId: null };

/** Events with texts of `length` characters. */
export const someEvents = (count, length = 300) =>
  Array.from({ length: count }, () => ({ id: randomUUID(), type: 'FaultTried', data: { text: 'x'.repeat(length) }, meta }));

/** The files of a log, except its lock. */
export const LOG_FILES = ['log.db', 'log.db-wal', 'log.db-shm'];

/** Copies a log's files, by default without the index, as after a power cut. */
export function copyLog(from, to, files = ['log.db', 'log.db-wal']) {
  rmSync(to, { recursive: true, force: true });
  mkdirSync(to, { recursive: true });
  for (const name of readdirSync(from)) if (files.includes(name)) cpSync(join(from, name), join(to, name));
}

/** Every file below a folder with its content, except those SQLite recreates at each opening. */
export function contentsOf(folder, isLeftOut = (name) => name.includes('.lock') || name.endsWith('-shm')) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile() && !isLeftOut(entry.name));
  const paths = files.map((entry) => join(entry.parentPath, entry.name)).toSorted();
  return new Map(paths.map((path) => [path, readFileSync(path)]));
}

/** The files that differ between two readings. */
export function changesIn(before, after) {
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names].filter((name) => !before.has(name) || !after.has(name) || Buffer.compare(before.get(name), after.get(name)) !== 0);
}

/** The problems of an open log that must contain these appends (lists of event ids), as sentences. */
export async function faultsOf(store, appends) {
  const wrong = [];
  const seen = new Map();
  const next = new Map();
  const head = await store.head();
  for (let after = 0; after < head;) {
    const page = await store.readAll({ after });
    if (page.length === 0) return [...wrong, `nothing after position ${after}, but the head is ${head}`];
    for (const event of page) {
      if (event.position !== after + 1) wrong.push(`a gap before position ${event.position}`);
      if (event.revision !== (next.get(event.stream) ?? 0)) wrong.push(`${event.stream} has a gap at ${event.revision}`);
      if (seen.has(event.id)) wrong.push(`${event.id} occurs twice`);
      seen.set(event.id, event);
      next.set(event.stream, event.revision + 1);
      after = event.position;
    }
  }
  for (const ids of appends) {
    const there = ids.map((id) => seen.get(id)?.position);
    if (there.includes(undefined)) wrong.push(`acknowledged and lost: ${ids.join(' ')}`);
    else if (there.some((position, i) => position !== there[0] + i)) wrong.push(`not together: ${ids.join(' ')}`);
  }
  const verified = await store.verify();
  if (verified !== head) wrong.push(`verified up to ${verified}, the head is ${head}`);
  return wrong;
}

export { EmbeddedEventStore };
