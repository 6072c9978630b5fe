import type { Config } from '../platform/config/config.js';
import { ReadSide } from '../platform/projections/read-side.js';
import { withOfflineProgram } from './offline-program.js';
import type { Asked } from './operation.js';

const LOOK_MS = 1_000;

/** Before anything is served: who was erased goes again, and accounts that are younger than the log give their names back. */
export async function settleData(config: Config, { signal, tell }: { readonly signal: AbortSignal; readonly tell: (line: string) => void }): Promise<void> {
  const [{ Accounts }, { Erasures }] = await Promise.all([import('../users/accounts.js'), import('../users/erasures.js')]);
  await withOfflineProgram(
    // What works for others has no place here: nothing is sent or published.
    { ...config, ROLES: ['projector'], KAFKA_BROKERS: null, METRICS_PORT: null },
    async (program) => {
      const reads = program.get(ReadSide);
      while (!(await reads.servedWithin(LOOK_MS))) signal.throwIfAborted();
      const erased = await program.get(Erasures).applyList();
      const doubted = await program.get(Accounts).doubtUnregistered();
      tell(`${erased} erased people stay erased; ${doubted} accounts are younger than the log and were freed`);
    },
    { isRestoring: true },
  );
}

/** What an operation does it with. */
export const settlingOf = (asked: Asked) => ({ signal: asked.signal, tell: (line: string): void => asked.tell(line) });
