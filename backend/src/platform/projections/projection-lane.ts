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

/** What a lane works with. */
export interface LaneParts {
  readonly pages: ProjectionPages;
  readonly reads: ReadModels;
  readonly readSide: ReadSide;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/** As many events at a time while answers wait. */
export const PAGE = 200;

/** One projector's way along the log, at its own pace: what it serves, and what is built beside that. A slow one costs its own lag. */
export class ProjectionLane {
  building: Generation | null = null;
  private turn: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly parts: LaneParts,
    readonly projector: Projector,
    public served: Generation,
  ) {}

  /** Where its collections are read. */
  get collections(): readonly ServedCollection[] {
    const { projector, number } = this.served;
    return projector.collections.map(({ name }) => [name, physicalName(name, projector.version, number), this.parts.readSide.of(name)]);
  }

  status(head: Position): GenerationStatus & { readonly rebuild: GenerationStatus | null } {
    return { ...statusOf(this.served, head), rebuild: this.building === null ? null : statusOf(this.building, head) };
  }

  /** From now on, what it built is what queries of this process read. */
  serve(): void {
    const { reads, readSide } = this.parts;
    readSide.parkedBy(this.projector.name, this.served.parked);
    reads.serve(this.collections);
    readSide.reach(this.projector.name, this.served.checkpoint);
  }

  /** Applies what comes until the signal aborts. @throws what reading the log and saving throw: called again it goes on from its checkpoint */
  async follow(tail: LogTail, onSaved: () => void): Promise<void> {
    for (;;) {
      const events = await tail.next(this.projector.name, this.served.checkpoint);
      if (events === null) return;
      await this.inTurn(() => this.apply(events));
      onSaved();
    }
  }

  /** Brings a generation to where the served one is, and lets it take its place. */
  async build(generations: Generations, building: Generation): Promise<void> {
    const { pages, signal, log } = this.parts;
    await pages.advance([building], { page: PAGE, batch: PAGE, signal });
    await this.inTurn(async () => {
      if (!signal.aborted) await pages.advance([building], { page: PAGE, batch: PAGE, signal, until: this.served.checkpoint });
      if (signal.aborted) return;
      await generations.serve(building);
      this.served = building;
      this.building = null;
      this.serve();
      log.info({ projector: this.projector.name, generation: building.number, checkpoint: building.checkpoint }, 'rebuilt read model is served');
    });
  }

  /** One at a time: a page is applied, a rebuild is begun, or a rebuilt generation takes its place. */
  inTurn<Answer>(work: () => Promise<Answer>): Promise<Answer> {
    const mine = this.turn.then(work, work);
    this.turn = mine.catch(() => undefined);
    return mine;
  }

  private async apply(events: readonly Opened[]): Promise<void> {
    await this.parts.pages.apply([this.served], events);
    this.parts.readSide.reach(this.projector.name, this.served.checkpoint);
  }
}
