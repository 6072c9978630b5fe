import type { ReactorsAnswer, TimersStatus } from '@roughmix/contracts/admin/admin.view.js';
import { systemClock } from '../platform/clock.js';
import { storedReactors } from '../platform/reactors/stored-reactors.js';
import { storedTimers } from '../platform/timers/timer-status.js';
import { EmbeddedVault } from '../platform/vault/embedded-vault.js';
import type { OperationContext, Operation } from './operation.js';
import { askServer, dataFile, withLog } from './operation-helpers.js';
import { heldByLine, tableOf } from './table.js';

/** Shows the progress of every reactor and its pending timers. */
export const reactorsStatus: Operation = {
  name: 'reactors status',
  about: 'the progress of every reactor, pending timers, and parked reactions and timers with the reason',
  usage: '[--json]',
  options: { json: { type: 'boolean' } },
  async run(context) {
    const { reactors, timers, heldBy } = await reactorsOf(context);
    if (context.values.json === true) {
      await context.print(JSON.stringify({ reactors, timers, heldBy }));
      return 0;
    }
    if (heldBy !== undefined) await context.print(heldByLine(heldBy, { held: 'reactors run', none: 'no process is running the reactors' }));
    const rows = reactors.map(({ reactor, checkpoint, lag, parked }) => [reactor, checkpoint, lag, parked.length]);
    for (const line of tableOf(['reactor', 'checkpoint', 'lag', 'parked'], rows)) await context.print(line);
    const parked = reactors.flatMap(({ reactor, parked: all }) => all.map(({ position, stream, type, reason }) => [reactor, position, stream, type, reason]));
    if (parked.length > 0) for (const line of ['', ...tableOf(['reactor', 'position', 'stream', 'type', 'reason'], parked)]) await context.print(line);
    for (const line of timerLines(timers)) await context.print(line);
    return 0;
  },
};

function timerLines(timers: readonly TimersStatus[]): readonly string[] {
  if (timers.length === 0) return [];
  const rows = timers.map(({ kind, pending, due, next, parked }) => [kind, pending, due, next === null ? '-' : new Date(next).toISOString(), parked.length]);
  const parked = timers.flatMap(({ kind, parked: all }) => all.map(({ key, at, tries }) => [kind, key, new Date(at).toISOString(), tries]));
  return [
    '',
    ...tableOf(['timers', 'pending', 'due', 'next', 'parked'], rows),
    ...(parked.length === 0 ? [] : ['', ...tableOf(['timers', 'key', 'at', 'tries'], parked)]),
  ];
}

/** The state of all reactors and timers, from the running program, else from the vault. */
export async function reactorsOf(context: OperationContext): Promise<ReactorsAnswer> {
  const answer = await askServer<ReactorsAnswer>(context, { method: 'GET', path: '/reactors' });
  if (answer !== null) return answer;
  return withLog(context, async (head) => {
    const vault = await EmbeddedVault.open({ file: dataFile(context, 'vault.db') });
    try {
      return { reactors: await storedReactors(vault, head), timers: await storedTimers(vault, systemClock()) };
    } finally {
      await vault.close();
    }
  });
}
