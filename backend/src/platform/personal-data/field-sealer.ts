import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import type { FieldClass, FieldClasses } from '@roughmix/contracts/shared/field-classes.js';
import type { NewEvent, StoredEvent } from '../../kernel/event.js';
import type { DataKeys } from './data-keys.js';
import { classOf, mapLeaves, replaceLeaves, valueAt } from './leaves.js';
import { isSealed, type Sealed } from './sealed.js';
import { StoreAway, StoreDamaged } from '../store-errors.js';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

function seal(key: Buffer, aad: string, value: unknown): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(aad));
  const body = Buffer.concat([cipher.update(JSON.stringify(value), 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url');
}

/** Ready keys save a quarter of what opening a short text costs; they go when the key itself does. */
const readyKeys = new WeakMap<Buffer, KeyObject>();

function readyKey(key: Buffer): KeyObject {
  const known = readyKeys.get(key);
  if (known !== undefined) return known;
  const made = createSecretKey(key);
  readyKeys.set(key, made);
  return made;
}

function unseal(key: Buffer, aad: string, sealed: string): unknown {
  const bytes = Buffer.from(sealed, 'base64url');
  const decipher = createDecipheriv('aes-256-gcm', readyKey(key), bytes.subarray(0, NONCE_BYTES)).setAAD(Buffer.from(aad));
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  const body = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
  // Holds no more text in this mode, and throws when the tag does not fit.
  decipher.final();
  return JSON.parse(body.toString('utf8'));
}

/**
 * Stands between deciders and the log: seals each field of an event by its declared class with AES-256-GCM before it is stored, and opens
 * it again. A field whose key was destroyed opens as an empty string.
 */
export class FieldSealer {
  constructor(
    private readonly classes: ReadonlyMap<string, FieldClasses>,
    private readonly keys: DataKeys,
  ) {}

  /** @throws Error when the event or one of its fields is not declared: nothing undeclared reaches the log. */
  async seal<Event extends NewEvent>(stream: string, event: Event): Promise<NewEvent> {
    const classes = this.classes.get(event.type);
    if (classes === undefined) throw new Error(`no field classes are declared for ${event.type}`);
    const keys = new Map<string, Buffer>();
    for (const subject of this.subjects(classes, stream, event.data)) keys.set(subject, await this.keys.forSealing(subject));
    const data = mapLeaves(event.data, (path, value) => {
      const fieldClass = classOf(classes, path);
      if (fieldClass === undefined) throw new Error(`${event.type}.${path} has no field class`);
      const by = subjectOf(fieldClass, stream, event.data);
      const key = by === null ? undefined : keys.get(by);
      if (by === null || key === undefined || value === null || value === '') return value;
      return { $sealed: seal(key, `${event.id}:${path}`, value), by } satisfies Sealed;
    });
    return { ...event, data };
  }

  /** Whether the program knows what this type of event holds. */
  knows(type: string): boolean {
    return this.classes.has(type);
  }

  /**
   * Opens each event by itself: one whose key does not unwrap, or whose sealed text is not what was stored, is an Error in its place.
   * @throws StoreAway when the keys cannot be read at the moment
   */
  async openEach(events: readonly StoredEvent[]): Promise<readonly (StoredEvent | Error)[]> {
    const subjects = new Set<string>();
    for (const event of events) addSubjects(event.data, subjects);
    const keys = new Map<string, Buffer | Error | null>();
    for (const subject of subjects) keys.set(subject, await this.keyFor(subject));
    return events.map((event) => {
      try {
        return opened(event, keys);
      } catch (error) {
        return error instanceof Error ? error : new Error(String(error));
      }
    });
  }

  private async keyFor(subject: string): Promise<Buffer | Error | null> {
    try {
      return await this.keys.forOpening(subject);
    } catch (error) {
      if (!(error instanceof Error) || error instanceof StoreAway || error instanceof StoreDamaged) throw error;
      return error;
    }
  }

  private subjects(classes: FieldClasses, stream: string, data: unknown): ReadonlySet<string> {
    return new Set(Object.values(classes).flatMap((fieldClass) => subjectOf(fieldClass, stream, data) ?? []));
  }
}

function opened(event: StoredEvent, keys: ReadonlyMap<string, Buffer | Error | null>): StoredEvent {
  const data = replaceLeaves(event.data, isSealed, (path, { by, $sealed }) => {
    const key = keys.get(by) ?? null;
    if (key instanceof Error) throw key;
    return key === null ? '' : unseal(key, `${event.id}:${path}`, $sealed);
  });
  return data === event.data ? event : { ...event, data };
}

function subjectOf(fieldClass: FieldClass, stream: string, data: unknown): string | null {
  if (fieldClass === 'plain') return null;
  if (fieldClass === 'content') return stream;
  const uid = valueAt(data, fieldClass.personal);
  if (typeof uid !== 'string' || uid === '') throw new Error(`no uid at ${fieldClass.personal}`);
  return `user-${uid}`;
}

/** Adds what the sealed leaves of plain JSON are sealed by. */
function addSubjects(data: unknown, subjects: Set<string>): void {
  if (typeof data !== 'object' || data === null) return;
  if (isSealed(data)) subjects.add(data.by);
  else if (Array.isArray(data)) for (const member of data) addSubjects(member, subjects);
  else for (const name of Object.keys(data)) addSubjects((data as Readonly<Record<string, unknown>>)[name], subjects);
}
