import { pino } from 'pino';
import type { Replayed } from '@roughmix/contracts/admin/admin.view.js';
import type { Position } from '@roughmix/contracts/shared/ids.js';
import { type Asked, type Operation, OperationError } from './operation.js';
import { askServer, dataFile, theOne } from './read-models-desk.js';

/** Runs parked reactions again. */
export const reactorsReplay: Operation = {
  name: 'reactors replay',
  about:
    'replays the parked reactions of a reactor in the order of the log and removes those that succeed; for a kind of timers: makes the parked ones due again',
  usage: '<reactor> [--position N]',
  options: { position: { type: 'string' } },
  takesNames: true,
  async run(asked) {
    const reactor = theOne(asked, 'reactors replay: name one reactor, as reactors status tells them');
    const position = positionIn(asked);
    const body = position === undefined ? {} : { position };
    const path = `/reactors/${encodeURIComponent(reactor)}/replay`;
    const { done, failed, timers } = (await askServer<Replayed>(asked, { path, body })) ?? (await replayOffline(asked, reactor, position));
    if (timers !== undefined) await asked.say(`${reactor}: ${timers} parked timers are due again`);
    else if (done.length + failed.length === 0) await asked.say(`${reactor}: nothing is parked${position === undefined ? '' : ` at position ${position}`}`);
    else await asked.say(`${reactor}: ${done.length} done, ${failed.length} failed again${failed.length === 0 ? '' : ` (${failed.join(', ')})`}`);
    return failed.length === 0 ? 0 : 1;
  },
};

function positionIn({ values }: Asked): Position | undefined {
  if (typeof values.position !== 'string') return undefined;
  const position = Number(values.position);
  if (!Number.isSafeInteger(position) || position < 1) throw new OperationError('reactors replay: a position is a whole number from 1 on');
  return position;
}

/** The whole program, without its doors open: what reacts belongs to many slices. */
async function replayOffline(asked: Asked, reactor: string, position: Position | undefined): Promise<Replayed> {
  dataFile(asked, 'vault.db');
  // The program itself takes a second to load: only where it is needed.
  const [{ makeHttpApp }, { openPlatform }, { ReactorRole }, { slices }] = await Promise.all([
    import('../http-app.js'),
    import('../platform/platform.js'),
    import('../platform/reactors/reactor-role.js'),
    import('../slices.js'),
  ]);
  const platform = await openPlatform(asked.config, slices, pino({ level: 'warn' }, process.stderr));
  try {
    const program = await makeHttpApp(platform);
    try {
      await program.init();
      const replayed = await program.get(ReactorRole).replay(reactor, position);
      if (replayed === null) throw new OperationError(`reactors replay: there is no ${reactor}`);
      return replayed;
    } finally {
      await program.close();
    }
  } finally {
    await platform.close();
  }
}
