import type { INestApplicationContext } from '@nestjs/common';
import { pino } from 'pino';
import type { Config } from '../platform/config/config.js';
import type { SecurityLog } from '../platform/security/security-log.js';
import { existingLog } from './log-file.js';

/** Runs on a data folder that no program has open, after the read models have caught up. @throws ServiceUnavailable if one has it open, OperationError if it has no log */
export async function withOfflineProgram<Answer>(
  config: Config,
  work: (program: INestApplicationContext) => Promise<Answer>,
  options: { readonly isRestoring?: boolean; readonly security?: SecurityLog } = {},
): Promise<Answer> {
  if (config.EVENTSTORE_URL === null) existingLog(config);
  // Loaded on demand: loading the program takes a second.
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
