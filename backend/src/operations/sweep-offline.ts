import { Sweeper, type SweepResult } from '../media/sweeper.js';
import { Trash } from '../media/trash.js';
import type { BlobStore } from '../platform/blobs/blobs.js';
import type { Clock } from '../platform/clock.js';
import type { Config } from '../platform/config/config.js';
import { Timers } from '../platform/timers/timers.js';
import { BLOBS, CLOCK, LOG, VAULT } from '../platform/tokens.js';
import { Uploads } from '../platform/uploads/uploads.js';
import type { Vault } from '../platform/vault/vault.js';
import { ProjectStreams } from '../projects/project.streams.js';
import { UnfinishedProjects } from '../projects/unfinished-projects.queries.js';
import { UserStreams } from '../users/user.streams.js';
import { withOfflineProgram } from './offline-program.js';
import type { Logger } from '../platform/logger.js';

/** Sweeps a data folder that no program has open. @throws ServiceUnavailable if one has */
export const sweepOffline = (config: Config, options: { readonly all: boolean }): Promise<SweepResult> =>
  withOfflineProgram(config, async (program) => {
    const blobs = program.get<BlobStore>(BLOBS);
    const clock = program.get<Clock>(CLOCK);
    const trash = new Trash(program.get<Vault>(VAULT), blobs, config, program.get(Timers));
    await trash.declare();
    const sweeper = new Sweeper(
      program.get(Uploads),
      program.get(ProjectStreams),
      program.get(UserStreams),
      program.get(UnfinishedProjects),
      trash,
      clock,
      program.get<Logger>(LOG),
    );
    return sweeper.sweep(options);
  });
