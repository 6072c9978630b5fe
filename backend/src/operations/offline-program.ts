import { type DynamicModule, type INestApplicationContext, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { pino } from 'pino';
import { PlatformModule } from '../app.module.js';
import { DoorsModule } from '../doors.module.js';
import { AuthModule } from '../platform/auth/auth.module.js';
import type { Config } from '../platform/config.js';
import { openPlatform } from '../platform/platform.js';
import { slices } from '../slices.js';
import { UsersModule } from '../users/users.module.js';

export { Accounts } from '../users/accounts.js';
export { Erasures } from '../users/erasures.js';

/** The parts of the program that an operator's command needs: no doors to the outside, no reactors. */
@Module({})
class OfflineModule {
  static of(platform: Parameters<typeof PlatformModule.of>[0]): DynamicModule {
    return { module: OfflineModule, imports: [PlatformModule.of(platform), AuthModule, DoorsModule, UsersModule] };
  }
}

/** Runs on a data folder that no program has open; the read models are caught up with the log first. @throws StoreAway when one has */
export async function withOfflineProgram<Answer>(
  config: Config,
  work: (program: INestApplicationContext) => Promise<Answer>,
  options: { readonly isRestoring?: boolean } = {},
): Promise<Answer> {
  const log = pino({ level: 'warn' }, process.stderr);
  const platform = await openPlatform(config, slices, log, options);
  try {
    const program = await NestFactory.createApplicationContext(OfflineModule.of(platform), { logger: false, abortOnError: false });
    try {
      return await work(program);
    } finally {
      await program.close();
    }
  } finally {
    await platform.close();
  }
}
