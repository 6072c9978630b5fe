// The read models in read.db, read by SQL, and the same rebuilt from a copy of the log and the vault.
import { existsSync } from 'node:fs';
import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { DatabaseSync } from '@photostructure/sqlite';
import { Client } from './client.mjs';
import { ADMIN_KEY, operate } from './program.mjs';
import { until } from './studio.mjs';

const MAX_REPORTED = 5;

/** The Node arguments that load a file of infra/faults/preload before the program. */
export const loading = (name) => ['--import', pathToFileURL(join('infra/faults/preload', name)).href];

function open(folder, options) {
  return new DatabaseSync(join(folder, 'read.db'), { timeout: 5_000, ...options });
}

/** The served documents and checkpoints of a stopped program. */
export function readModels(folder) {
  const db = open(folder, { readOnly: true });
  try {
    const projectors = JSON.parse(db.prepare("SELECT value FROM facts WHERE name = 'generations'").get()?.value ?? '{}');
    const documents = new Map();
    const checkpoints = new Map();
    for (const [projector, { served }] of Object.entries(projectors)) {
      if (served === null) continue;
      const stored = `v${served.version}_g${served.number}`;
      checkpoints.set(projector, db.prepare('SELECT position FROM checkpoints WHERE projector = ?').get(`${projector}_${stored}`)?.position ?? 0);
      for (const collection of served.collections) {
        const { number } = db.prepare('SELECT number FROM collections WHERE name = ?').get(`${collection}_${stored}`);
        for (const { id, position, body } of db.prepare(`SELECT id, position, body FROM c${number}`).all()) {
          documents.set(`${projector}/${collection}/${id}`, `${position} ${sorted(body)}`);
        }
      }
    }
    const tables = db.prepare('SELECT name FROM collections').all();
    return { documents, checkpoints, projectors, collections: tables.map(({ name }) => name) };
  } finally {
    db.close();
  }
}

/** JSON with sorted fields. */
const sorted = (json) =>
  json === null
    ? 'removed'
    : JSON.stringify(JSON.parse(json), (_name, value) =>
        value !== null && typeof value === 'object' && !Array.isArray(value)
          ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
          : value,
      );

/** Changes checkpoints of a stopped program. `change` returns the new position of a named checkpoint. */
export function setCheckpoints(folder, change) {
  const db = open(folder);
  try {
    const set = db.prepare('UPDATE checkpoints SET position = ? WHERE projector = ?');
    for (const { projector, position } of db.prepare('SELECT projector, position FROM checkpoints').all()) set.run(change(position, projector), projector);
  } finally {
    db.close();
  }
}

/** The read models rebuilt from scratch from a stopped program's log and vault. */
export async function rebuildReadModels(folder, into, { env } = {}) {
  await mkdir(into, { recursive: true });
  for (const name of ['log.db', 'log.db-wal', 'vault.db', 'vault.db-wal']) {
    if (existsSync(join(folder, name))) await cp(join(folder, name), join(into, name));
  }
  const { code, err } = await operate(into, ['projections', 'rebuild', 'users'], { env });
  if (code > 1) throw new Error(`the read models could not be rebuilt: ${err}`);
  return readModels(into);
}

/** A removed document reads like one that never was, which is what a rebuild makes of an inquiry whose key was destroyed. */
const readsAlike = (served, rebuilt) => served === rebuilt || (rebuilt === undefined && /^\d+ removed$/.test(served));

/** Compares the read models of a stopped program with rebuilt ones. @returns how many documents were compared */
export async function compareReadModels({ folder, scratch, wrong, env }) {
  const served = readModels(folder);
  const rebuilt = await rebuildReadModels(folder, scratch, { env });
  let reported = 0;
  const report = (sentence) => {
    reported += 1;
    if (reported <= MAX_REPORTED) wrong(sentence);
  };
  for (const id of new Set([...served.documents.keys(), ...rebuilt.documents.keys()])) {
    const [a, b] = [served.documents.get(id), rebuilt.documents.get(id)];
    if (!readsAlike(a, b)) report(`document ${id} is ${a?.slice(0, 300) ?? 'missing'}, the fold of the log is ${b?.slice(0, 300) ?? 'none'}`);
  }
  if (reported > MAX_REPORTED) wrong(`${reported - MAX_REPORTED} more documents differ from the fold of the log`);
  for (const [projector, position] of rebuilt.checkpoints) {
    if (served.checkpoints.get(projector) !== position)
      wrong(`the checkpoint of ${projector} is ${served.checkpoints.get(projector)}, but the log ends at ${position}`);
  }
  return rebuilt.documents.size;
}

const admin = (program, method, path, body) => new Client(program.url).must(method, `/api/admin/${ADMIN_KEY}${path}`, body);

export const projectionsOf = async (program) => (await admin(program, 'GET', '/projections')).projections;
export const reactorsOf = async (program) => (await admin(program, 'GET', '/reactors')).reactors;
export const beginRebuild = (program, projector) => admin(program, 'POST', `/projections/${projector}/rebuild`, {});

/** Waits until all events are projected and reacted to. */
export async function quiet(program, milliseconds) {
  await until(
    'projectors and reactors are done',
    async () => {
      const before = await projectionsOf(program);
      const isQuiet = before.every(({ lag, rebuild }) => lag === 0 && rebuild === null) && (await reactorsOf(program)).every(({ lag }) => lag === 0);
      // A reaction may have written another event.
      return isQuiet && (await projectionsOf(program)).every(({ checkpoint, lag }, at) => lag === 0 && checkpoint === before[at].checkpoint);
    },
    milliseconds,
  );
}

/** Stops a program once it is idle. */
export async function stopQuietly(program, wrong) {
  await quiet(program);
  const { code } = await program.stop();
  if (code !== 0) wrong(`the program exited with ${code} after SIGTERM`);
}
