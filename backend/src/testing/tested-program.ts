import { Inject, Injectable, Module } from '@nestjs/common';
import { UnsubscribeTokens } from '../mailings/unsubscribe-tokens.js';
import { VaultKeys } from '../platform/auth/vault-keys.js';
import { PushQueue } from '../platform/push/push-queue.js';
import { composeSlices, type Slice } from '../platform/slice.js';
import { Timers } from '../platform/timers/timers.js';
import { VAULT } from '../platform/tokens.js';
import type { Vault } from '../platform/vault/vault.js';
import { type StartOptions, startProgram } from '../run.js';
import type { RunningProgram } from '../running-program.js';
import { slices } from '../slices.js';
import { cheapPasswords } from './cheap-passwords.js';
import { idleThreads } from './idle-threads.js';
import { SLOW_MACHINE_MS } from './slow-machine.js';

/** Parts of a running program that specs reach into. */
export interface Inside {
  readonly timers: Timers;
  readonly vault: Vault;
  readonly tokens: UnsubscribeTokens;
  readonly pushes: PushQueue;
}

export interface TestedProgram extends RunningProgram {
  readonly inside: Inside;
}

export interface TestedOptions extends Omit<StartOptions, 'slices'> {
  /** Slices besides the program's own. */
  readonly manifests?: readonly Slice[];
}

/** They outlive programs: the compiled program's last as long as its Jest worker. */
const threads = idleThreads();

/** The whole program with cheap passwords and the patience that a busy machine needs. */
export async function startTested(environment: NodeJS.ProcessEnv, { manifests = [], ...options }: TestedOptions): Promise<TestedProgram> {
  let inside: Inside | undefined;
  @Injectable()
  class InsideParts {
    constructor(timers: Timers, keys: VaultKeys, pushes: PushQueue, @Inject(VAULT) vault: Vault) {
      inside = { timers, vault, pushes, tokens: new UnsubscribeTokens(keys) };
    }
  }
  @Module({ providers: [InsideParts] })
  class InsideModule {}
  const own = { name: 'inside', load: () => Promise.resolve({ parts: { module: InsideModule } }) };
  const all = composeSlices([...slices.manifests, own, ...manifests]);
  const program = await startProgram(environment, { passwords: cheapPasswords(), maxWaitMs: SLOW_MACHINE_MS, threads, ...options, slices: all });
  if (inside === undefined) throw new Error('the program started without its parts');
  return { ...program, inside };
}
