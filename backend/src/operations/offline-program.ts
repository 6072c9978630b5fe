import type { INestApplicationContext } from '@nestjs/common';
import { pino } from 'pino';
import type { Config } from '../platform/config/config.js';
import { existingLog } from './log-of.js';

/** Runs on a data folder that no program has open; the read models are caught up with the log first. @throws StoreAway when one has, OperationError when there is no log in it */
export async function withOfflineProgram<Answer>(
  config: Config,
  work: (program: INestApplicationContext) => Promise<Answer>,
  options: { readonly isRestoring?: boolean } = {},
): Promise<Answer> {
  if (config.EVENTSTORE_URL === null) existingLog(config);
  // The program itself takes a second to load: only where it is needed.
  const [{ openPlatform }, { slices }, { startOffline }] = await Promise.all([
    import('../platform/platform.js'),
    import('../slices.js'),
    import('./offline-module.js'),
  ]);
  const platform = await openPlatform(config, slices, pino({ level: 'warn' }, process.stderr), options);
  try {
    const program = await startOffline(platform);
    try {
      return await work(program);
    } finally {
      await program.close();
    }
  } finally {
    await platform.close();
  }
}
