// Promise: no acknowledged command is lost, and none is stored twice or in part
// Breaks: kill -9 at random moments under load
// Gate: short form
import { setTimeout as pause } from 'node:timers/promises';
import { compareAll } from './lib/compare.mjs';
import { Ledger } from './lib/ledger.mjs';
import { startProgram } from './lib/program.mjs';
import { between } from './lib/seeded.mjs';
import { Band } from './lib/work.mjs';

export const fault = {
  name: 'kill',
  async run({ random, short, folder, print, wrong, count }) {
    let program = await startProgram({ folder });
    const ledger = new Ledger();
    const band = await Band.form(program, { size: short ? 2 : 4, isLarge: true });
    // Drawn before the concurrent writers use the same generator in an unpredictable order.
    const moments = Array.from({ length: short ? 1 : 8 }, () => between(random, 200, 1_500));
    for (const [at, milliseconds] of moments.entries()) {
      const stop = new AbortController();
      const working = band.work(random, ledger, { writers: 8, signal: stop.signal });
      await pause(milliseconds);
      await program.kill();
      stop.abort();
      const sent = await working;
      program = await startProgram({ folder });
      band.moveTo(program.url);
      const events = await compareAll({ folder, ledger, people: band.people, wrong, count: () => undefined });
      print(
        `round ${at + 1}: killed after ${milliseconds} ms and ${sent} commands; ${ledger.acknowledged.size} acknowledged so far, ${events.length} events in the log`,
      );
      count('kills');
    }
    const { code } = await program.stop();
    if (code !== 0) wrong(`the program exited with ${code} after SIGTERM`);
    count('commands acknowledged', ledger.acknowledged.size);
    count('commands without an answer', ledger.unknown.size);
    const events = await compareStopped({ folder, band, ledger, wrong, count });
    count('versions', events.filter(({ type }) => type === 'VersionAdded').length);
    count('commands of several events', events.filter(({ type }) => type === 'ProjectRenamed').length);
  },
};

async function compareStopped({ folder, band, ledger, wrong, count }) {
  const program = await startProgram({ folder });
  band.moveTo(program.url);
  const events = await compareAll({ folder, ledger, people: band.people, wrong, count });
  await program.stop();
  return events;
}
