import type { ParkedStream } from '@roughmix/contracts/admin/admin.view.js';
import type { StoredEvent } from '../../kernel/event.js';
import type { DocumentStore } from '../documents/documents.js';
import type { EventUnreadable } from '../streams/opened-events.js';
import { type Generation, parkedFact } from './projection-generations.js';
import type { Logger } from '../logger.js';

/** The streams that a batch parks. They are unparked again if the batch cannot be saved. */
export class Parking {
  private parks: ParkedStream[] = [];

  constructor(
    private readonly generation: Generation,
    private readonly log: Logger,
  ) {}

  /** Whether an event is at or after the one that parked its stream. Earlier events are still applied if they are delivered again. */
  isParked({ stream, position }: StoredEvent | EventUnreadable): boolean {
    const { parked } = this.generation;
    if (parked.size === 0) return false;
    const since = parked.get(stream);
    return since !== undefined && since.position <= position;
  }

  /** Parks the stream of an unreadable event if the projector handles its type, or if the type is unknown and could therefore concern every projector. */
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

  /** To be called once the batch is saved: its streams stay parked. */
  confirm(): void {
    this.parks = [];
  }

  undo(): void {
    for (const { stream } of this.parks) this.generation.parked.delete(stream);
  }

  private park(parked: ParkedStream, error: unknown): void {
    this.parks.push(parked);
    this.generation.parked.set(parked.stream, parked);
    this.log.error({ err: error, projector: this.generation.projector.name, ...parked }, 'stream parked');
  }
}
