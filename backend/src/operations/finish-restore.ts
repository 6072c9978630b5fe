import type { Config } from '../platform/config/config.js';
import { ReadSide } from '../platform/projections/read-side.js';
import { withOfflineProgram } from './offline-program.js';
import type { OperationContext } from './operation.js';

const POLL_MS = 1_000;

interface RestoreOptions extends Pick<OperationContext, 'signal' | 'security'> {
  readonly report: (line: string) => void;
}

/** Finishes a restore before anything is served: erases users on the list again and releases the names of accounts that were created after the log ends. */
export async function finishRestore(config: Config, { signal, report, security }: RestoreOptions): Promise<void> {
  const [{ Accounts }, { Erasures }] = await Promise.all([import('../users/accounts.js'), import('../users/erasures.js')]);
  await withOfflineProgram(
    // Only what the restore needs: nothing is sent or published.
    { ...config, ROLES: ['projector'], KAFKA_BROKERS: null, METRICS_PORT: null },
    async (program) => {
      const reads = program.get(ReadSide);
      while (!(await reads.servedWithin(POLL_MS))) signal.throwIfAborted();
      const { erased, unfinished } = await program.get(Erasures).applyList();
      const unconfirmed = await program.get(Accounts).unconfirmUnregistered();
      report(`re-erased ${erased} users; released the names of ${unconfirmed} accounts created after the restored log ends`);
      if (unfinished > 0) report(`${unfinished} of them are left in projects that cannot be read; the started program tries again and logs why`);
    },
    { isRestoring: true, security },
  );
}

/** An operation's abort signal, progress output and security log. */
export const progressOptions = (context: OperationContext): RestoreOptions => ({
  signal: context.signal,
  security: context.security,
  report: (line) => context.log(line),
});
