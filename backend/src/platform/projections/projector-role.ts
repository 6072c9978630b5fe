import type { LeaseState, OtherReadModels, ProjectionStatus } from '@roughmix/contracts/admin/admin.view.js';
import type { Projector } from '../../kernel/projector.js';
import { endlessTerm, type Lease, LeaseLost, type Term, whenAborted } from '../leases/lease.js';
import type { OperatorRequests } from '../leases/operator-requests.js';
import { whileHolding } from '../leases/while-holding.js';
import { ProjectionRunner, type RunnerDeps } from './projection-runner.js';
import { storedStatus } from './projection-status.js';
import type { OtherEditions } from './other-editions.js';
import { GRACE_MS, ReadModelsFollower } from './read-models-follower.js';
import { ReadSide } from './read-side.js';

/** What is needed to build read models, the lease that decides which process builds them, and operator requests from other processes. */
export interface ProjectorRoleDeps extends Omit<RunnerDeps, 'readSide' | 'graceMs'> {
  readonly lease: Lease;
  readonly requests: OperatorRequests;
  /** Whether this process has the role projector. */
  readonly builds: boolean;
  /** The read models of other program versions; null if no other process shares the stores. */
  readonly editions: OtherEditions | null;
  /** How long reads wait for a write, in milliseconds; the default of the read side when missing. */
  readonly maxWaitMs?: number | undefined;
}

interface Building {
  readonly runner: ProjectionRunner;
  readonly term: Term;
}

/**
 * The read models of this process. While it holds the projectors' lease it builds them; otherwise it follows the process that does. Readers use `readSide`
 * and need not know which is the case.
 */
export class ProjectorRole {
  readonly readSide: ReadSide;
  private readonly stopping = new AbortController();
  private projectors: readonly Projector[] = [];
  private building: Building | null = null;
  private follower: ReadModelsFollower | null = null;
  private readonly work: Promise<void>[] = [];

  constructor(private readonly deps: ProjectorRoleDeps) {
    this.readSide = new ReadSide(() => this.follower?.pollSoon(), deps.maxWaitMs);
  }

  /**
   * In a single process, resolves when all read models have caught up with the log. One of several processes starts to follow them, and builds them once it
   * holds the lease; callers that need read models wait for `readSide.servedWithin`.
   */
  async start(projectors: readonly Projector[]): Promise<void> {
    this.projectors = projectors;
    if (this.deps.lease.isPermanent) {
      this.building = this.begin(endlessTerm(), 0);
      await this.building.runner.start(projectors);
      return;
    }
    const follower = this.follow(projectors);
    const { signal } = this.stopping;
    const { builds, editions } = this.deps;
    const isServed = (): boolean => this.readSide.isServed;
    this.work.push(follower.follow(signal));
    if (builds) this.work.push(this.buildWhileHolding(signal));
    if (editions !== null) this.work.push(builds ? editions.drop(isServed, signal) : this.standIn(editions, signal));
  }

  /** The current state if this process builds the read models, otherwise the stored one. */
  async status(): Promise<readonly ProjectionStatus[]> {
    if (this.building !== null && this.isBuilding()) return this.building.runner.status();
    return storedStatus(this.deps.documents, this.projectors, await this.deps.store.head());
  }

  /**
   * Starts a rebuild of a projector's documents, here or in the process that builds them. Returns the new generation's number; null if there is no such projector.
   * @throws Refused `role.away`, `role.busy`
   */
  async rebuild(name: string): Promise<number | null> {
    if (!this.projectors.some((projector) => projector.name === name)) return null;
    if (this.building !== null && this.isBuilding()) return this.building.runner.rebuild(name);
    return (await this.deps.requests.send({ rebuild: name })) as number | null;
  }

  /** Which process builds the read models: undefined if this is the only process, null if none does. @throws ServiceUnavailable */
  async heldBy(): Promise<LeaseState | null | undefined> {
    return this.deps.lease.isPermanent ? undefined : this.deps.lease.state();
  }

  /** Read models of other program versions in the same store. @throws ServiceUnavailable */
  async others(): Promise<readonly OtherReadModels[]> {
    return this.deps.editions === null ? [] : this.deps.editions.status();
  }

  /** Whether this process builds the read models and already serves them. */
  isBuilding(): boolean {
    return this.building !== null && this.building.runner.isServing && this.building.term.isHeld();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    if (this.deps.lease.isPermanent) await this.building?.runner.stop();
    await Promise.all(this.work);
    this.readSide.close();
  }

  private follow(projectors: readonly Projector[]): ReadModelsFollower {
    const { store, documents, reads, log } = this.deps;
    const follower = new ReadModelsFollower({ store, documents, reads, readSide: this.readSide, log }, { projectors, isPaused: () => this.isBuilding() });
    this.follower = follower;
    reads.withdraw(projectors.flatMap(({ collections }) => collections.map(({ name }) => name)));
    reads.pollWith(follower);
    return follower;
  }

  private async buildWhileHolding(signal: AbortSignal): Promise<void> {
    const onFailure = (error: unknown): void => this.deps.log.error({ err: error }, 'read models cannot be built, trying again');
    await whileHolding(this.deps.lease, (term) => this.build(term), { signal, onFailure });
  }

  /**
   * While there are read models of another version, this version may have no process with the role projector, because those are started before or ended
   * after the others. Then any process builds. It never drops other versions, so it builds until a process with the role is there to do that.
   */
  private async standIn(editions: OtherEditions, stopping: AbortSignal): Promise<void> {
    while (!stopping.aborted) {
      await editions.waitUntil({ exist: true }, stopping);
      const alone = new AbortController();
      const signal = AbortSignal.any([stopping, alone.signal]);
      await Promise.all([this.buildWhileHolding(signal), editions.waitUntil({ exist: false }, signal).then(() => alone.abort())]);
    }
  }

  private begin(term: Term, graceMs: number): Building {
    return { runner: new ProjectionRunner({ ...this.deps, readSide: this.readSide, graceMs }, term), term };
  }

  private async build(term: Term): Promise<void> {
    const { log, requests, lease } = this.deps;
    const { runner } = (this.building = this.begin(term, GRACE_MS));
    const ended = whenAborted(term.signal).then(() => runner.stop());
    log.info({ fence: term.fence, lease: lease.name }, 'this process now builds the read models');
    try {
      await runner.start(this.projectors);
      await requests.process(term.signal, ({ rebuild }) => startRebuild(runner, String(rebuild)));
      await ended;
    } finally {
      await runner.stop();
      this.building = null;
      log.info({ fence: term.fence, lease: lease.name }, 'this process no longer builds the read models');
    }
  }
}

/** @throws LeaseLost when the runner was stopped meanwhile */
async function startRebuild(runner: ProjectionRunner, projector: string): Promise<number> {
  const generation = await runner.rebuild(projector);
  if (generation === null) throw new LeaseLost(`no rebuild of ${projector} was started`);
  return generation;
}
