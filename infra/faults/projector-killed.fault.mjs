// Promise: every document equals the fold of the log, and no collection is left over
// Breaks: the program is killed before or after any step of a projection or rebuild
// Gate: backend/src/platform/projections/projection-rebuild.spec.ts "continues after a restart that interrupted it"
// Gate: backend/src/platform/projections/projection-pages.spec.ts "when save %i fails, later changes are discarded, and after the next attempt everything is as if no save had failed"
// Gate: backend/src/platform/projections/projection-generations.spec.ts "dropped documents that a late save recreated are dropped again; served ones, those being built and those of other projectors stay"
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Ledger } from './lib/ledger.mjs';
import { startProgram, tryProgram } from './lib/program.mjs';
import { beginRebuild, compareReadModels, loading, projectionsOf, readModels, stopQuietly } from './lib/read-models.mjs';
import { between } from './lib/seeded.mjs';
import { Band } from './lib/work.mjs';

/** Generous: the steps are spread over the load, and a busy machine takes longer. */
const DEATH_MS = 60_000;

/** Starts a program that kills itself at a step, and waits until it listens or has exited. */
const doomed = (folder, step) => tryProgram({ folder, nodeArgs: loading('die-between-steps.mjs'), env: { DIE_AT: String(step) } });

/** Checks that no collections of dropped generations remain. */
function leftovers(folder, wrong) {
  const { projectors, collections } = readModels(folder);
  const known = new Set();
  for (const { served, building } of Object.values(projectors)) {
    for (const each of [served, building]) for (const name of each?.collections ?? []) known.add(`${name}_v${each.version}_g${each.number}`);
  }
  for (const name of collections) if (/_g\d+$/.test(name) && !known.has(name)) wrong(`the collection ${name} belongs to no generation and was not dropped`);
}

export const fault = {
  name: 'projector-killed',
  async run({ random, short, folder, print, wrong, count }) {
    const data = join(folder, 'data');
    const ledger = new Ledger();
    let program = await startProgram({ folder: data });
    const band = await Band.form(program, { size: 2 });
    await stopQuietly(program, wrong);
    const rounds = short ? 2 : 6;
    for (let round = 1; round <= rounds; round += 1) {
      // The first steps are those of the start, then come those of a rebuild and of every batch.
      const step = between(random, 1, round % 2 === 0 ? 30 : 150);
      program = await doomed(data, step);
      if (program.isAlive && program.url !== '') {
        band.moveTo(program.url);
        const stop = new AbortController();
        const working = band.work(random, ledger, { writers: 4, signal: stop.signal });
        // It may die during the call.
        for (const { projector } of await projectionsOf(program).catch(() => [])) await beginRebuild(program, projector).catch(() => null);
        for (const until = Date.now() + DEATH_MS; program.isAlive && Date.now() < until;) await pause(20);
        stop.abort();
        await working;
      }
      if (program.isAlive) wrong(`round ${round}: it did not die at step ${step}`);
      await program.kill();
      program = await startProgram({ folder: data });
      band.moveTo(program.url);
      await stopQuietly(program, wrong);
      leftovers(data, wrong);
      count('documents compared', await compareReadModels({ folder: data, scratch: join(folder, `round-${round}`), wrong }));
      count('kills');
      print(`round ${round}: killed at step ${step}, ${ledger.acknowledged.size} commands acknowledged so far`);
    }
  },
};
