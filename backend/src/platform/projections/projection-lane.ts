import type { GenerationStatus } from '@roughmix/contracts/admin/admin.view.js';
import type { Position } from '@roughmix/contracts/shared/ids.js';
import type { Projector } from '../../kernel/projector.js';
import type { Opened } from '../streams/opened-events.js';
import type { LogTail } from './log-tail.js';
import { type Generation, type Generations, physicalName } from './projection-generations.js';
import type { ProjectionPages } from './projection-pages.js';
import { statusOf } from './projection-status.js';
import type { ReadModels, ServedCollection } from './read-models.js';
import type { ReadSide } from './read-side.js';
import type { Logger } from '../logger.js';

/** The services that all lanes share. */
export interface LaneDeps {
  readonly pages: ProjectionPages;
  readonly reads: ReadModels;
  readonly readSide: ReadSide;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/** Page and batch size while requests wait for read models. */
export const PAGE = 200;

/** Follows the log for one projector at its own pace, with its served generation and one that is being built. A slow projector delays only itself. */
export class ProjectionLane {
  building: Generation | null = null;
  private turn: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly deps: LaneDeps,
    readonly projector: Projector,
    public served: Generation,
  ) {}

  /** Its collections with their physical names and progress. */
  get collections(): readonly ServedCollection[] {
    const { projector, number } = this.served;
    return projector.collections.map(({ name }) => [name, physicalName(name, projector.version, number), this.deps.readSide.of(name)]);
  }

  status(head: Position): GenerationStatus & { readonly rebuild: GenerationStatus | null } {
    return { ...statusOf(this.served, head), rebuild: this.building === null ? null : statusOf(this.building, head) };
  }

  /** Makes the queries of this process read its served generation. */
  serve(): void {
    const { reads, readSide } = this.deps;
    readSide.parkedBy(this.projector.name, this.served.parked);
    reads.serve(this.collections);
    readSide.reach(this.projector.name, this.served.checkpoint);
  }

  /** Applies new events until the signal aborts. @throws errors of reading the log and of saving; call it again to continue at the checkpoint */
  async follow(tail: LogTail, onSaved: () => void): Promise<void> {
    await this.inTurn(() => this.deps.pages.resync(this.served));
    for (;;) {
      const events = await tail.next(this.projector.name, this.served.checkpoint);
      if (events === null) return;
      await this.inTurn(() => this.apply(events));
      onSaved();
    }
  }

  /** Advances a new generation to the checkpoint of the served one, then replaces the served one with it. */
  async build(generations: Generations, building: Generation): Promise<void> {
    const { pages, signal, log } = this.deps;
    if (this.served === building) return;
    await pages.resync(building);
    await pages.advance([building], { page: PAGE, batch: PAGE, signal });
    await this.inTurn(async () => {
      if (!signal.aborted) await pages.advance([building], { page: PAGE, batch: PAGE, signal, until: this.served.checkpoint });
      if (signal.aborted) return;
      await generations.serve(building);
      this.served = building;
      this.building = null;
      this.serve();
      log.info({ projector: this.projector.name, generation: building.number, checkpoint: building.checkpoint }, 'now serving the rebuilt read model');
    });
  }

  /** Runs one step at a time: applying a page, starting a rebuild, or replacing the served generation. */
  inTurn<Answer>(work: () => Promise<Answer>): Promise<Answer> {
    const mine = this.turn.then(work, work);
    this.turn = mine.catch(() => undefined);
    return mine;
  }

  private async apply(events: readonly Opened[]): Promise<void> {
    await this.deps.pages.apply([this.served], events);
    this.deps.readSide.reach(this.projector.name, this.served.checkpoint);
  }
}
