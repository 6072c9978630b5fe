// Promise: every document equals the fold of the log
// Breaks: every batch delivered twice, checkpoints set back or beyond the log, read.db deleted
// Gate: backend/src/platform/projections/projection-runner.spec.ts "read models that are ahead of the log are rebuilt, with a log line"
// Gate: backend/src/platform/projections/projection-runner.spec.ts "deleted read models are rebuilt to the same content"
// Gate: backend/src/platform/projections/projection-runner.spec.ts "a save whose answer was lost is not projected a second time"
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { compareAll } from './lib/compare.mjs';
import { Ledger } from './lib/ledger.mjs';
import { startProgram } from './lib/program.mjs';
import { compareReadModels, loading, readModels, setCheckpoints, stopQuietly } from './lib/read-models.mjs';
import { between } from './lib/seeded.mjs';
import { Band } from './lib/work.mjs';

/** Changes to the checkpoints of a stopped program, and what the next start must log. */
const CHANGES = [
  { name: 'set back by some', change: (random) => (position) => Math.max(0, position - between(random, 1, 60)) },
  { name: 'set back to the start', change: () => () => 0 },
  { name: 'set beyond the log', change: () => (position) => position + 1_000, says: 'ahead of the log' },
];

export const fault = {
  name: 'batches',
  async run({ random, short, folder, print, wrong, count }) {
    const data = join(folder, 'data');
    const ledger = new Ledger();
    let program = await startProgram({ folder: data, nodeArgs: loading('deliver-twice.mjs') });
    const band = await Band.form(program, { size: short ? 2 : 4 });
    const work = async (milliseconds) => {
      const stop = new AbortController();
      const working = band.work(random, ledger, { writers: 8, signal: stop.signal });
      await pause(milliseconds);
      stop.abort();
      await working;
    };
    await work(short ? 1_500 : 6_000);
    await compareAll({ folder: data, ledger, people: band.people, wrong, count: () => undefined });
    await stopQuietly(program, wrong);
    const compared = await compareReadModels({ folder: data, scratch: join(folder, 'twice'), wrong });
    print(`every batch delivered twice: ${compared} documents compared`);
    for (const [at, { name, change, says }] of (short ? CHANGES.slice(0, 1) : CHANGES).entries()) {
      setCheckpoints(data, change(random));
      program = await startProgram({ folder: data, env: { LOG_LEVEL: 'info' } });
      if (says !== undefined && !program.output.includes(says)) wrong(`checkpoints ${name}: the program does not log it`);
      band.moveTo(program.url);
      await work(500);
      await stopQuietly(program, wrong);
      const documents = await compareReadModels({ folder: data, scratch: join(folder, `change-${at}`), wrong });
      print(`checkpoints ${name}: ${documents} documents compared`);
      count('documents compared', documents);
    }
    const before = readModels(data).documents;
    for (const end of ['', '-wal', '-shm']) await rm(join(data, `read.db${end}`), { force: true });
    program = await startProgram({ folder: data });
    await stopQuietly(program, wrong);
    const after = readModels(data).documents;
    for (const [id, document] of before) if (after.get(id) !== document) wrong(`document ${id} changed after read.db was deleted`);
    count('documents compared', compared + before.size);
    count('commands acknowledged', ledger.acknowledged.size);
  },
};
