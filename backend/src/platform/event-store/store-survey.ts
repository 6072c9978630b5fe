import type { Position } from '@roughmix/contracts/shared/ids.js';
import type { StoredEvent } from '../../kernel/event.js';
import type { EventStore } from './event-store.js';

/** What reading a whole log showed. */
export interface StoreSurvey {
  readonly events: number;
  readonly streams: number;
  /** The newest position. */
  readonly head: Position;
  /** What is not as it was written, as sentences; the first {@link MOST_TOLD}. */
  readonly wrong: readonly string[];
  /** How many sentences are not told. */
  readonly more: number;
}

const MOST_TOLD = 20;
const PAGE = 500;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Reads a log from end to end as programs do, and changes nothing: each stream dense from revision 0, positions rising, ids once, every event of the shape
 * that programs write. It remembers every id and where each stream is: some 100 bytes for each event.
 * @throws StoreAway
 */
export async function surveyStore(store: Pick<EventStore, 'readAll'>, signal: AbortSignal): Promise<StoreSurvey> {
  const survey = new Survey();
  for (let after = 0; !signal.aborted;) {
    const page = await store.readAll({ after, limit: PAGE });
    const last = page.at(-1);
    if (last === undefined) break;
    for (const event of page) survey.see(event);
    if (last.position <= after) break;
    after = last.position;
  }
  return survey;
}

class Survey implements StoreSurvey {
  events = 0;
  head = 0;
  more = 0;
  readonly wrong: string[] = [];
  private readonly next = new Map<string, number>();
  private readonly ids = new Set<string>();

  get streams(): number {
    return this.next.size;
  }

  see(event: StoredEvent): void {
    const { stream, revision, position, id } = event;
    const place = `position ${position}, ${stream} at revision ${revision}`;
    const expected = this.next.get(stream) ?? 0;
    if (revision !== expected) this.note(`${place}: revision ${expected} should be here`);
    if (position <= this.head) this.note(`${place}: it lies behind position ${this.head}`);
    if (this.ids.has(id)) this.note(`${place}: the id ${id} is another event's too`);
    const shape = shapeProblem(event);
    if (shape !== null) this.note(`${place}: ${shape}`);
    this.next.set(stream, revision + 1);
    this.ids.add(id);
    this.events += 1;
    this.head = Math.max(this.head, position);
  }

  private note(sentence: string): void {
    if (this.wrong.length < MOST_TOLD) this.wrong.push(sentence);
    else this.more += 1;
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';
const isTextOrNull = (value: unknown): boolean => value === null || isText(value);

/** Why an event is none that this program could have written; null when it may be. */
function shapeProblem({ id, type, data, meta }: StoredEvent): string | null {
  if (!UUID.test(id)) return `its id is no UUID: ${id}`;
  if (!isText(type)) return 'it has no type';
  if (!isObject(data)) return 'its data is no JSON object';
  const said: unknown = meta;
  if (!isObject(said)) return 'nothing is said of who caused it';
  const isWhole =
    isTextOrNull(said['actorUid']) &&
    typeof said['at'] === 'number' &&
    isText(said['commandId']) &&
    isText(said['correlationId']) &&
    isTextOrNull(said['causationId']);
  return isWhole ? null : 'what is said of who caused it is not whole';
}
