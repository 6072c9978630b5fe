import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import type { Decider } from '../../kernel/decider.js';
import type { DomainEvent } from '../../kernel/event.js';
import type { DocumentStore } from '../documents/documents.js';
import type { KeyEpoch } from '../personal-data/key-epoch.js';
import { decrypt, encrypt } from '../personal-data/aes-gcm.js';
import type { FoldedStream, NamedDecider, RememberedCommand } from './folded-stream.js';
import { ServiceUnavailable } from '../store-errors.js';
import type { Logger } from '../logger.js';
import { foldHash } from './fold-hash.js';

/** How many new events a stream needs before its next snapshot. */
export const SNAPSHOT_EVERY = 500;

const COLLECTION = 'snapshots';
const SOURCE_FACT = 'snapshots of';
/** Characters in one document: small enough that a write does not delay others. */
const PIECE = 256 * 1024;
/** Lets the answer go out first, and takes one snapshot after a burst of commands. */
const PAUSE_MS = 100;

/**
 * Identifies a complete snapshot: its source, where its pieces are stored, how many there are, and their checksum. With several processes: the key
 * epoch in which it was sealed, and its revision.
 */
interface Head {
  readonly source: string;
  readonly place: number | string;
  readonly pieces: number;
  readonly sum: number;
  readonly epoch?: string;
  readonly revision?: number;
}

/** The content of the joined pieces, as JSON. */
interface Kept {
  readonly revision: number;
  readonly position: number;
  readonly lastEventId: string;
  readonly lastAt: number;
  readonly commands: readonly (readonly [string, RememberedCommand])[];
  readonly state: unknown;
}

interface Waiting {
  readonly decider: NamedDecider;
  readonly fold: FoldedStream<unknown>;
}

/** What snapshots depend on besides the events. */
export interface SnapshotOptions {
  /** Where other processes store snapshots in the same place; null when there is none. */
  readonly epoch?: KeyEpoch | null;
  /** Identifies the code that folds; by default that of this program. */
  readonly fold?: string;
}

/**
 * Snapshots of long streams, stored beside the read models, so a cold command reads only new events. They can be lost at any time. One that is damaged, of
 * another log or folded by other code is ignored. Where several processes store them, they are sealed under the epoch's key: one that a slow
 * process stores after a person was erased can no longer be read.
 */
export class Snapshots {
  private readonly waiting = new Map<string, Waiting>();
  private readonly places = new Map<string, number>();
  private readonly closing = new AbortController();
  private work: Promise<void> = Promise.resolve();
  private isScheduled = false;

  private constructor(
    private readonly documents: DocumentStore,
    /** The log that is folded, and the code that folds it. */
    private readonly source: string,
    private readonly log: Logger,
    private readonly epoch: KeyEpoch | null,
  ) {
    epoch?.onChange(() => this.waiting.clear());
  }

  /** @param identity of the log that is folded; snapshots of another log, or of code that folds differently, are dropped */
  static async open(documents: DocumentStore, identity: string, log: Logger, { epoch = null, fold = foldHash() }: SnapshotOptions = {}): Promise<Snapshots> {
    const source = `${identity} ${fold}`;
    if ((await documents.fact(SOURCE_FACT)) !== source) await documents.drop(COLLECTION);
    await documents.declare({ name: COLLECTION, indexes: [] });
    await documents.setFact(SOURCE_FACT, source);
    return new Snapshots(documents, source, log, epoch);
  }

  /** The fold that was kept of a stream, null without a whole one. Whether the log still holds its last event is for the caller to see. */
  async load<State, Command, Event extends DomainEvent>(decider: Decider<State, Command, Event>, stream: string): Promise<FoldedStream<State> | null> {
    try {
      const text = await this.text(keyOf(decider, stream));
      if (text === null) return null;
      const { commands, state, ...facts } = JSON.parse(text) as Kept;
      return { ...facts, keptRevision: facts.revision, stream, state: decider.thaw?.(state) ?? (state as State), commands: new Map(commands) };
    } catch (error) {
      if (error instanceof ServiceUnavailable) {
        this.log.error({ err: error, stream }, 'a snapshot could not be read: the stream is folded from its first event');
        return null;
      }
      this.log.error({ err: error, stream }, 'a snapshot could not be read: all snapshots are dropped and streams are folded from their first events');
      // A snapshot at the same position could not be replaced.
      this.dropAll().catch((again: unknown) => this.log.error({ err: again }, 'snapshots could not be dropped'));
      return null;
    }
  }

  /** Stores a snapshot of a fold soon, after pending answers, one at a time, in its state of that moment. */
  offer(decider: NamedDecider, fold: FoldedStream<unknown>): void {
    if (this.closing.signal.aborted) return;
    this.waiting.set(keyOf(decider, fold.stream), { decider, fold });
    if (this.isScheduled) return;
    this.isScheduled = true;
    void this.inTurn(async () => {
      // An abort ends the pause with an error: waiting snapshots are stored at once.
      await pause(PAUSE_MS, undefined, { signal: this.closing.signal }).catch(() => undefined);
      this.isScheduled = false;
      await this.keepWaiting();
    });
  }

  /** Resolves when every offered snapshot is stored. */
  async settled(): Promise<void> {
    await this.work;
  }

  /** Drops every snapshot, pending ones too: a key was destroyed, and folds hold texts that were sealed with it. */
  async dropAll(): Promise<void> {
    this.waiting.clear();
    await this.inTurn(async () => {
      this.waiting.clear();
      await this.documents.drop(COLLECTION);
      await this.documents.declare({ name: COLLECTION, indexes: [] });
    });
  }

  /** Stores waiting snapshots and ends. */
  async close(): Promise<void> {
    this.closing.abort();
    await this.work;
  }

  private inTurn(work: () => Promise<void>): Promise<void> {
    const mine = this.work.then(work);
    this.work = mine.catch(() => undefined);
    return mine;
  }

  private async keepWaiting(): Promise<void> {
    for (const [key, { fold }] of this.waiting) {
      this.waiting.delete(key);
      try {
        await this.keep(key, fold);
      } catch (error) {
        this.log.error({ err: error, stream: fold.stream }, 'a snapshot could not be stored');
      }
    }
  }

  private async keep(key: string, fold: FoldedStream<unknown>): Promise<void> {
    // The key of this moment: a snapshot sealed under a later key must not hold texts that were erased before that key.
    const epoch = this.epoch === null ? null : { id: this.epoch.id, key: this.epoch.key };
    const before = epoch === null ? null : await this.head(key);
    // Commands continue to change this fold, so all of its fields are read at one moment.
    const { state, revision, position, lastEventId, lastAt, commands } = fold;
    if (before?.revision !== undefined && revision - before.revision < SNAPSHOT_EVERY / 2) return;
    const kept: Kept = { revision, position, lastEventId, lastAt, commands: [...commands], state };
    const json = JSON.stringify(kept);
    const text = epoch === null ? json : encrypt(epoch.key, key, Buffer.from(json));
    const place = epoch === null ? 1 - Number(this.places.get(key) ?? (await this.head(key))?.place ?? 1) : randomUUID().slice(0, 8);
    const pieces = Math.ceil(text.length / PIECE);
    for (let at = 0; at < pieces; at += 1) await this.save(pieceKey(key, place, at), { text: text.slice(at * PIECE, (at + 1) * PIECE) }, position);
    const head: Head = { source: this.source, place, pieces, sum: crc32(text), ...(epoch === null ? {} : { epoch: epoch.id, revision }) };
    await this.save(key, { ...head }, position);
    if (typeof place === 'number') this.places.set(key, place);
    else for (const spent of piecesOf(key, before)) await this.save(spent, null, position);
  }

  private save(id: string, body: Readonly<Record<string, unknown>> | null, position: number): Promise<void> {
    return this.documents.save({ projector: COLLECTION, checkpoint: position, writes: [{ collection: COLLECTION, id, body, position }] });
  }

  private async head(key: string): Promise<Head | null> {
    const head = (await this.documents.get(COLLECTION, key)) as Head | null;
    return head?.source === this.source && head.epoch === this.epoch?.id ? head : null;
  }

  private async text(key: string): Promise<string | null> {
    for (let last: Head | null = null; ;) {
      const head = await this.head(key);
      if (head === null) return null;
      // Read once at a start: cached, they would evict the documents that people look at.
      const pieces = await this.documents.load(piecesOf(key, head).map((id) => ({ collection: COLLECTION, id })));
      const text = pieces.map(({ body }) => String(body?.['text'])).join('');
      if (crc32(text) === head.sum) return this.unsealed(key, text);
      // Another process may have stored a newer one while this was read.
      if (this.epoch === null || last?.place === head.place) throw new Error('its pieces are not those that were kept together');
      last = head;
    }
  }

  private unsealed(key: string, text: string): string {
    return this.epoch === null ? text : decrypt(this.epoch.key, key, text).toString('utf8');
  }
}

const keyOf = (decider: NamedDecider, stream: string): string => `${decider.name}/${stream}`;
const pieceKey = (key: string, place: number | string, at: number): string => `${key}/${place}/${at}`;
const piecesOf = (key: string, head: Head | null): readonly string[] =>
  head === null ? [] : Array.from({ length: head.pieces }, (_, at) => pieceKey(key, head.place, at));
