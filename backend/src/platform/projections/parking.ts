import type { ParkedStream } from '@roughmix/contracts/admin/admin.view.js';
import type { StoredEvent } from '../../kernel/event.js';
import type { DocumentStore } from '../documents/documents.js';
import type { EventUnreadable } from '../streams/opened-events.js';
import { type Generation, parkedFact } from './projection-generations.js';
import type { Logger } from '../logger.js';

/** The streams that a batch parks; undone if the batch is not saved. */
export class Parking {
  private parks: ParkedStream[] = [];

  constructor(
    private readonly generation: Generation,
    private readonly log: Logger,
  ) {}

  /** Whether an event follows the one that parked its stream. Earlier events are still applied when they are delivered again. */
  isParked({ stream, position }: StoredEvent | EventUnreadable): boolean {
    const { parked } = this.generation;
    if (parked.size === 0) return false;
    const since = parked.get(stream);
    return since !== undefined && since.position <= position;
  }

  /** Parks the stream of an unreadable event. One of an unknown type may concern every projector, others concern those that handle their type. */
  unreadable(failure: EventUnreadable): void {
    const { stream, position, type, reason } = failure;
    const concerns = reason === 'unknown-type' || this.generation.projector.handles.has(type);
    if (concerns && !this.isParked(failure)) this.park({ stream, position, type, reason }, failure);
  }

  failed({ stream, position, type }: StoredEvent, error: unknown): void {
    this.park({ stream, position, type, reason: 'projection' }, error);
  }

  /** Must be called before the batch that skips the events is saved. */
  async save(documents: DocumentStore): Promise<void> {
    const { key, parked } = this.generation;
    if (this.parks.length > 0) await documents.setFact(parkedFact(key), JSON.stringify([...parked.values()]));
  }

  /** The batch was saved: parked streams stay parked. */
  keep(): void {
    this.parks = [];
  }

  giveUp(): void {
    for (const { stream } of this.parks) this.generation.parked.delete(stream);
  }

  private park(parked: ParkedStream, error: unknown): void {
    this.parks.push(parked);
    this.generation.parked.set(parked.stream, parked);
    this.log.error({ err: error, projector: this.generation.projector.name, ...parked }, 'stream parked');
  }
}
