import { pino } from 'pino';
import type { Replayed } from '@roughmix/contracts/admin/admin.view.js';
import type { Position } from '@roughmix/contracts/shared/ids.js';
import { type OperationContext, type Operation, OperationError } from './operation.js';
import { askServer, dataFile, singleArgument } from './operation-helpers.js';

/** Retries parked reactions. */
export const reactorsReplay: Operation = {
  name: 'reactors replay',
  about:
    'replays the parked reactions of a reactor in the order of the log and removes those that succeed; for a kind of timers: makes the parked ones due again',
  usage: '<reactor> [--position N]',
  options: { position: { type: 'string' } },
  takesNames: true,
  async run(context) {
    const reactor = singleArgument(context, 'reactors replay: name one reactor from reactors status');
    const position = positionIn(context);
    const body = position === undefined ? {} : { position };
    const path = `/reactors/${encodeURIComponent(reactor)}/replay`;
    const { done, failed, timers } = (await askServer<Replayed>(context, { path, body })) ?? (await replayOffline(context, reactor, position));
    if (timers !== undefined) await context.print(`${reactor}: ${timers} parked timers are due again`);
    else if (done.length + failed.length === 0) await context.print(`${reactor}: nothing is parked${position === undefined ? '' : ` at position ${position}`}`);
    else await context.print(`${reactor}: ${done.length} done, ${failed.length} failed again${failed.length === 0 ? '' : ` (${failed.join(', ')})`}`);
    return failed.length === 0 ? 0 : 1;
  },
};

function positionIn({ values }: OperationContext): Position | undefined {
  if (typeof values.position !== 'string') return undefined;
  const position = Number(values.position);
  if (!Number.isSafeInteger(position) || position < 1) throw new OperationError('reactors replay: a position is a whole number from 1 on');
  return position;
}

/** Loads the whole program without HTTP, because reactors belong to many slices. */
async function replayOffline(context: OperationContext, reactor: string, position: Position | undefined): Promise<Replayed> {
  dataFile(context, 'vault.db');
  // Loaded on demand: loading the program takes a second.
  const [{ makeHttpApp }, { openPlatform }, { ReactorRole }, { slices }] = await Promise.all([
    import('../http-app.js'),
    import('../platform/platform.js'),
    import('../platform/reactors/reactor-role.js'),
    import('../slices.js'),
  ]);
  const platform = await openPlatform(context.config, slices, pino({ level: 'warn' }, process.stderr));
  try {
    const program = await makeHttpApp(platform);
    try {
      await program.init();
      const replayed = await program.get(ReactorRole).replay(reactor, position);
      if (replayed === null) throw new OperationError(`reactors replay: unknown reactor ${reactor}`);
      return replayed;
    } finally {
      await program.close();
    }
  } finally {
    await platform.close();
  }
}
