// Promise: a damaged log is refused with file and offset, nothing is changed, and verify reports the location
// Breaks: a flipped bit in the log or its write-ahead log
// Gate: backend/src/platform/event-store/embedded-faults.spec.ts "a flipped byte in the middle of the write-ahead log prevents the start, names the offset and changes nothing"
// Gate: backend/src/platform/event-store/embedded-faults.spec.ts "a changed row prevents the start, and the file is left unchanged"
import { cpSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { changesIn, contentsOf, copyLog, LOG_FILES } from './lib/log-work.mjs';
import { operate, refusedStart, startProgram } from './lib/program.mjs';
import { between, oneOf } from './lib/seeded.mjs';
import { Ledger } from './lib/ledger.mjs';
import { Band } from './lib/work.mjs';

const PAGE = 4096;
const FRAME = 24 + PAGE;
/** The locations tested in a short run. */
const IN_SHORT = new Set([0, 2, 6, 9]);

/** Two data folders: `stopped` of a closed program, and `killed` of one killed a little later, with its last writes in the write-ahead log. */
async function dataFolders({ random, folder, count }) {
  const [killed, stopped] = [join(folder, 'killed'), join(folder, 'stopped')];
  let program = await startProgram({ folder: killed });
  const ledger = new Ledger();
  const band = await Band.form(program, { size: 2 });
  for (let n = 0; n < 120; n += 1) await band.command(random, ledger);
  await program.stop();
  cpSync(killed, stopped, { recursive: true });
  program = await startProgram({ folder: killed });
  band.moveTo(program.url);
  for (let n = 0; n < 20; n += 1) await band.command(random, ledger);
  await program.kill();
  count('commands acknowledged before', ledger.acknowledged.size);
  return { killed, stopped };
}

/** The layout of the log file, read from a copy. */
function layoutOf(data, folder) {
  const copy = join(folder, 'layout');
  copyLog(data, copy, ['log.db']);
  const db = new DatabaseSync(join(copy, 'log.db'), { readOnly: true });
  const pagesOf = (name) => db.prepare('SELECT pageno, pagetype, pgoffset, payload FROM dbstat WHERE name = ?').all(name);
  try {
    return { table: pagesOf('events'), index: pagesOf('events_of_stream'), streams: pagesOf('streams') };
  } catch {
    // Without dbstat in this SQLite build, root pages are enough.
    const roots = new Map(
      db
        .prepare('SELECT name, rootpage FROM sqlite_schema')
        .all()
        .map(({ name, rootpage }) => [name, [{ pageno: rootpage }]]),
    );
    return { table: roots.get('events'), index: roots.get('events_of_stream'), streams: roots.get('streams') };
  } finally {
    db.close();
  }
}

const flip = (file, offset) => {
  const bytes = readFileSync(file);
  bytes[offset] ^= 0x20;
  writeFileSync(file, bytes);
};

/** Locations to damage: the file, an offset, and the offset that must be reported (null: any). */
function placesIn({ killed, stopped, layout, random }) {
  const log = join(stopped, 'log.db');
  const wal = join(killed, 'log.db-wal');
  const frames = Math.floor((statSync(wal).size - 32) / FRAME);
  const frame = (number) => 32 + number * FRAME;
  const page = ({ pageno }) => (pageno - 1) * PAGE;
  const bodies = [
    ...readFileSync(log)
      .toString('latin1')
      .matchAll(/\{"id":"[0-9a-f-]{36}","type"/g),
  ].map((match) => match.index);
  const body = oneOf(random, bodies);
  const middle = between(random, 1, frames - 2);
  return [
    ['the header of the write-ahead log', wal, between(random, 0, 31), 0],
    ['the first frame', wal, frame(0) + between(random, 0, 23), frame(0)],
    ['the body of a middle frame', wal, frame(middle) + 24 + between(random, 0, PAGE - 1), frame(middle)],
    ['the header of a middle frame', wal, frame(middle) + between(random, 8, 23), frame(middle)],
    ['the last frame', wal, frame(frames - 1) + 24 + between(random, 0, PAGE - 1), frame(frames - 1)],
    ["the file's header", log, between(random, 0, 15), 0],
    ["a row's body", log, body + between(random, 10, 40), null],
    ['the head of a page of the table', log, page(oneOf(random, layout.table)) + between(random, 0, 7), null],
    ['the head of a page of the index', log, page(oneOf(random, layout.index)) + between(random, 0, 7), null],
    ['an entry of the index', log, page(oneOf(random, layout.index)) + PAGE - between(random, 1, 12), null],
    ['the names of streams', log, page(oneOf(random, layout.streams)) + PAGE - between(random, 1, 40), null],
  ];
}

async function damage({ wrong, count, print, verify }, [what, file, offset, expected]) {
  const data = dirname(file);
  const kept = LOG_FILES.map((name) => join(data, name))
    .filter((path) => existsSync(path))
    .map((path) => [path, readFileSync(path)]);
  flip(file, offset);
  const before = contentsOf(data);
  const { code: ended, hasStarted, output } = await refusedStart({ folder: data, env: { LOG_LEVEL: 'fatal' } });
  if (ended === 0 || hasStarted) wrong(`${what}: the program ${hasStarted ? 'started' : 'exited with 0'}`);
  const changed = changesIn(before, contentsOf(data));
  if (changed.length > 0) wrong(`${what}: the refused start changed ${changed.join(' ')}`);
  const reported = new RegExp(`${file} is damaged(?: at byte (\\d+))?`).exec(output);
  if (reported === null) wrong(`${what} at ${offset}: the refusal does not name ${file}: ${output.slice(0, 300)}`);
  else if (expected !== null && Number(reported[1] ?? 0) !== expected) wrong(`${what} at ${offset}: byte ${reported[1]} was reported, not ${expected}`);
  else if (expected === null && reported[1] !== undefined && Math.floor(Number(reported[1]) / PAGE) !== Math.floor(offset / PAGE)) {
    print(`${what} at ${offset}: the page at ${reported[1]} was reported, where the damage shows`);
  }
  if (verify) {
    const { code, out } = await operate(data, ['events', 'verify']);
    if (code !== 1) wrong(`${what}: events verify exited with ${code}`);
    if (!out.includes(file)) wrong(`${what}: events verify does not name ${file}: ${out.slice(0, 300)}`);
    count('verifications that found it');
  }
  for (const name of LOG_FILES) rmSync(join(data, name), { force: true });
  for (const [path, bytes] of kept) writeFileSync(path, bytes);
  count('refused starts');
}

export const fault = {
  name: 'damage',
  async run(tools) {
    const { random, short, folder, wrong, count } = tools;
    const folders = await dataFolders(tools);
    const layout = layoutOf(folders.stopped, folder);
    for (let round = 0; round < (short ? 1 : 2); round += 1) {
      const places = placesIn({ ...folders, layout, random });
      for (const [n, place] of places.entries()) {
        if (short && !IN_SHORT.has(n)) continue;
        await damage({ ...tools, verify: !short || n === 2 }, place);
      }
    }
    for (const data of Object.values(folders)) {
      const program = await startProgram({ folder: data });
      await program.stop();
      const { code, out } = await operate(data, ['events', 'verify']);
      if (code !== 0) wrong(`events verify of the undamaged log exited with ${code}: ${out}`);
      count('verifications of the undamaged log');
    }
  },
};
