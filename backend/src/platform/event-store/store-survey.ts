import type { Position } from '@roughmix/contracts/shared/ids.js';
import type { StoredEvent } from '../../kernel/event.js';
import type { EventStore } from './event-store.js';

/** The result of reading a whole log. */
export interface StoreSurvey {
  readonly events: number;
  readonly streams: number;
  /** The newest position. */
  readonly head: Position;
  /** Problems found, as sentences; the first {@link MAX_REPORTED}. */
  readonly wrong: readonly string[];
  /** Number of further problems. */
  readonly more: number;
}

const MAX_REPORTED = 20;
const PAGE = 500;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Reads a whole log without changing it and checks that revisions are gapless from 0, positions rise, ids are unique and every event is well-formed.
 * Keeps every id in memory: about 100 bytes per event.
 * @throws ServiceUnavailable
 */
export async function surveyStore(store: Pick<EventStore, 'readAll'>, signal: AbortSignal): Promise<StoreSurvey> {
  const survey = new Survey();
  for (let after = 0; !signal.aborted;) {
    const page = await store.readAll({ after, limit: PAGE });
    const last = page.at(-1);
    if (last === undefined) break;
    for (const event of page) survey.check(event);
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

  check(event: StoredEvent): void {
    const { stream, revision, position, id } = event;
    const location = `position ${position}, ${stream} at revision ${revision}`;
    const expected = this.next.get(stream) ?? 0;
    if (revision !== expected) this.note(`${location}: expected revision ${expected}`);
    if (position <= this.head) this.note(`${location}: its position is not after ${this.head}`);
    if (this.ids.has(id)) this.note(`${location}: the id ${id} occurs twice`);
    const shape = shapeProblem(event);
    if (shape !== null) this.note(`${location}: ${shape}`);
    this.next.set(stream, revision + 1);
    this.ids.add(id);
    this.events += 1;
    this.head = Math.max(this.head, position);
  }

  private note(sentence: string): void {
    if (this.wrong.length < MAX_REPORTED) this.wrong.push(sentence);
    else this.more += 1;
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';
const isTextOrNull = (value: unknown): boolean => value === null || isText(value);

/** Why this program cannot have written an event; null if it may have. */
function shapeProblem({ id, type, data, meta }: StoredEvent): string | null {
  if (!UUID.test(id)) return `its id is not a UUID: ${id}`;
  if (!isText(type)) return 'it has no type';
  if (!isObject(data)) return 'its data is not a JSON object';
  const fields: unknown = meta;
  if (!isObject(fields)) return 'it has no metadata';
  const isWhole =
    isTextOrNull(fields['actorUid']) &&
    typeof fields['at'] === 'number' &&
    isText(fields['commandId']) &&
    isText(fields['correlationId']) &&
    isTextOrNull(fields['causationId']);
  return isWhole ? null : 'its metadata is incomplete';
}
