import { type Abstract, Injectable, Module, type OnModuleInit } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { UnsubscribeTokens } from '../mailings/unsubscribe-tokens.js';
import { AUDIO_WORKER } from '../media/audio-probe.js';
import type { AudioWorker } from '../media/audio-worker.js';
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
import { childInProcess } from './child-in-process.js';
import { idleThreads } from './idle-threads.js';
import { SLOW_MACHINE_MS } from './slow-machine.js';

/** Parts of a running program that specs reach into. */
export interface Inside {
  readonly timers: Timers;
  readonly vault: Vault;
  readonly tokens: UnsubscribeTokens;
  readonly pushes: PushQueue;
  readonly audio: AudioWorker;
}

export interface TestedProgram extends RunningProgram {
  readonly inside: Inside;
}

export interface TestedOptions extends Omit<StartOptions, 'slices' | 'startChild'> {
  /** Slices besides the program's own. */
  readonly manifests?: readonly Slice[];
  /** Whether audio and pictures are read in processes of their own, as in the product. */
  readonly hasChildProcesses?: boolean;
}

/** They outlive programs: the compiled program's last as long as its Jest worker. */
const threads = idleThreads();

/** The whole program with cheap passwords and the patience that a busy machine needs. */
export async function startTested(
  environment: NodeJS.ProcessEnv,
  { manifests = [], hasChildProcesses = false, ...options }: TestedOptions,
): Promise<TestedProgram> {
  let inside: Inside | undefined;
  @Injectable()
  class InsideParts implements OnModuleInit {
    constructor(private readonly modules: ModuleRef) {}

    onModuleInit(): void {
      const part = <Part>(token: Abstract<Part> | symbol): Part => this.modules.get<Part>(token, { strict: false });
      const [timers, pushes, vault, audio] = [part(Timers), part(PushQueue), part<Vault>(VAULT), part<AudioWorker>(AUDIO_WORKER)];
      inside = { timers, vault, pushes, audio, tokens: new UnsubscribeTokens(part(VaultKeys)) };
    }
  }
  @Module({ providers: [InsideParts] })
  class InsideModule {}
  const own = { name: 'inside', load: () => Promise.resolve({ parts: { module: InsideModule } }) };
  const all = composeSlices([...slices.manifests, own, ...manifests]);
  const cheap = { passwords: cheapPasswords(), maxWaitMs: SLOW_MACHINE_MS, threads, ...(hasChildProcesses ? {} : { startChild: childInProcess }) };
  const program = await startProgram(environment, { ...cheap, ...options, slices: all });
  if (inside === undefined) throw new Error('the program started without its parts');
  return { ...program, inside };
}
