// Promise: the log opens at the previous commit, reports the dropped bytes, and continues
// Breaks: the last commit is torn at every byte
// Gate: backend/src/platform/sqlite/wal-check.spec.ts "a log cut at any byte of its last commit ends at the previous commit and reports the dropped bytes"
// Gate: backend/src/platform/event-store/embedded-faults.spec.ts "a torn last record is dropped and reported, and appends continue"
import { mkdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { checkWalOf } from '../../backend/dist/platform/sqlite/wal-file.js';
import { copyLog, EmbeddedEventStore, faultsOf, LOG_FILES, someEvents } from './lib/log-work.mjs';
import { between } from './lib/seeded.mjs';
import { appendNext } from '../../backend/dist/testing/append-next.js';

const FRAME = 24 + 4096;

/** A log whose last append is its last commit, copied as after a crash. @returns the start and end of that commit in the write-ahead log */
async function crashed(random, folder) {
  const living = join(folder, 'living');
  mkdirSync(living);
  const file = join(living, 'log.db');
  const appends = [];
  let begin = 0;
  const append = async (store, n) => {
    begin = statSync(`${file}-wal`).size;
    const events = someEvents(between(random, 1, 3), between(random, 1, 600));
    await appendNext(store, `torn-${n % 3}`, events);
    appends.push(events.map((event) => event.id));
  };
  const before = await EmbeddedEventStore.open({ file });
  for (let n = 0; n < 12; n += 1) await append(before, n);
  await before.close();
  // Only the last two commits are in the write-ahead log, so that checking it at every byte is fast enough.
  const store = await EmbeddedEventStore.open({ file });
  for (let n = 0; n < 2; n += 1) await append(store, n);
  const end = statSync(`${file}-wal`).size;
  copyLog(living, join(folder, 'whole'), LOG_FILES);
  await store.close();
  return { begin, end, appends };
}

/** Contents after the tear. */
const TEARS = {
  'cut off': { files: ['log.db', 'log.db-wal'], tear: (wal, at) => truncateSync(wal, at) },
  'cut off, with the index': { files: LOG_FILES, tear: (wal, at) => truncateSync(wal, at), isMissingReported: true },
  'zeros from there': { files: ['log.db', 'log.db-wal'], tear: (wal, at) => writeFileSync(wal, Buffer.from(readFileSync(wal)).fill(0, at)), whole: true },
};

async function open({ folder, begin, end, appends, wrong }, at, [how, { files, tear, isMissingReported, whole }]) {
  const torn = join(folder, 'torn');
  copyLog(join(folder, 'whole'), torn, files);
  tear(join(torn, 'log.db-wal'), at);
  const what = `the last commit (${begin} to ${end}), ${how} at ${at}`;
  try {
    const store = await EmbeddedEventStore.open({ file: join(torn, 'log.db') });
    const { droppedBytes, missingBytes } = store.opened;
    const dropped = (whole ? end : at) - begin;
    if (droppedBytes !== dropped && !(whole && droppedBytes <= dropped)) wrong(`${what}: ${droppedBytes} bytes reported as dropped, not ${dropped}`);
    if (missingBytes !== (isMissingReported ? end - begin : 0)) wrong(`${what}: ${missingBytes} bytes reported as missing`);
    for (const sentence of await faultsOf(store, appends.slice(0, -1))) wrong(`${what}: ${sentence}`);
    const head = await store.head();
    if (head !== appends.slice(0, -1).flat().length) wrong(`${what}: the head is ${head}`);
    const { position } = await store.append('torn-more', 'none', someEvents(1));
    if (position !== head + 1) wrong(`${what}: the next append is at ${position}`);
    await store.close();
  } catch (error) {
    wrong(`${what}: ${error.message}`);
  }
}

/** Every byte, by the log's check and by what SQLite then reads. */
function everyByte({ folder, begin, end, appends, wrong }, step, count) {
  const torn = join(folder, 'torn');
  copyLog(join(folder, 'whole'), torn);
  const file = join(torn, 'log.db');
  const rows = appends.slice(0, -1).flat().length;
  for (let at = end - 1; at >= begin; at -= step) {
    truncateSync(`${file}-wal`, at);
    rmSync(`${file}-shm`, { force: true });
    const { droppedBytes, missingBytes } = checkWalOf(file);
    if (droppedBytes !== at - begin || missingBytes !== 0) wrong(`torn at ${at}: ${droppedBytes} bytes reported as dropped, ${missingBytes} as missing`);
    const db = new DatabaseSync(file, { readOnly: true });
    const { head } = db.prepare('SELECT max(position) AS head FROM events').get();
    db.close();
    if (head !== rows) wrong(`torn at ${at}: the log ends at position ${head}, not ${rows}`);
    count('torn bytes');
  }
}

export const fault = {
  name: 'torn',
  limitS: 300,
  async run({ random, short, folder, print, wrong, count }) {
    const { begin, end, appends } = await crashed(random, folder);
    const all = { folder, begin, end, appends, wrong };
    print(`the last commit has ${(end - begin) / FRAME} frames, ${end - begin} bytes`);
    const tears = Object.entries(TEARS);
    for (const [n, at] of [begin, begin + 1, begin + 23, begin + 24, begin + 25, end - FRAME, end - 1].entries()) {
      const tried = short ? [tears[n % tears.length]] : tears;
      for (const tear of tried) await open(all, at, tear);
      count('tears opened by the log', tried.length);
    }
    for (let n = 0; n < (short ? 5 : 150); n += 1) {
      await open(all, between(random, begin, end - 1), tears[n % tears.length]);
      count('tears opened by the log');
    }
    everyByte(all, short ? between(random, 20, 40) : 1, count);
  },
};
