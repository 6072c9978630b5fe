import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { BACKWARDS, END, EventStoreDBClient, jsonEvent, NO_STREAM, WrongExpectedVersionError } from '@eventstore/db-client';
import { within } from '../health/deadline.js';
import { StoreAway } from '../store-errors.js';

/** The stream whose newest event names the log. */
export const NAMING_STREAM = 'roughmix-log';
const NAMED = 'LogNamed';
const CALL_MS = 3_000;
const AGAIN_MS = 50;

/** What gave a log its name: the event, and where it lies in its stream. */
export interface Naming {
  readonly id: string;
  readonly revision: number;
  readonly identity: string;
}

/** The newest naming of a log, made where there is none: one, also when several processes open a new log at the same time. @throws StoreAway, what the client throws */
export async function namingOf(client: EventStoreDBClient): Promise<Naming> {
  const known = await newest(client);
  if (known !== null) return known;
  await name(client, { id: randomUUID(), revision: 0, identity: randomUUID() }).catch((error: unknown) => {
    if (!(error instanceof WrongExpectedVersionError)) throw error;
  });
  // What another process is naming it in this moment is not to be read at once.
  for (const until = performance.now() + CALL_MS; performance.now() < until; await pause(AGAIN_MS)) {
    const made = await newest(client);
    if (made !== null) return made;
  }
  throw new StoreAway('the log could not be named');
}

/** Writes a naming; writing it again changes nothing. @throws WrongExpectedVersionError when another lies there, what the client throws */
export async function name(client: EventStoreDBClient, { id, revision, identity }: Naming): Promise<void> {
  const expectedRevision = revision === 0 ? NO_STREAM : BigInt(revision - 1);
  await within(CALL_MS, client.appendToStream(NAMING_STREAM, jsonEvent({ id, type: NAMED, data: { identity } }), { expectedRevision }));
}

/**
 * Gives a log another identity, which every program that is started from now on sees. Again with the same `id` nothing changes.
 * @param id of the event that is written, a UUID @throws StoreAway
 */
export async function renewIdentity(url: string, { id, identity }: Omit<Naming, 'revision'>): Promise<void> {
  const client = EventStoreDBClient.connectionString(url);
  try {
    const { id: known, revision } = await namingOf(client);
    if (known !== id) await name(client, { id, revision: revision + 1, identity });
  } catch (error) {
    throw error instanceof StoreAway ? error : new StoreAway('EventStoreDB did not take another identity of the log: try again', { cause: error });
  } finally {
    // The client waits for the end of calls that were broken off, which may never come.
    await within(CALL_MS, client.dispose()).catch(() => undefined);
  }
}

const newest = (client: EventStoreDBClient): Promise<Naming | null> => within(CALL_MS, read(client));

async function read(client: EventStoreDBClient): Promise<Naming | null> {
  try {
    for await (const { event } of client.readStream(NAMING_STREAM, { direction: BACKWARDS, fromRevision: END, maxCount: 1 })) {
      if (event !== undefined) return { id: event.id, revision: Number(event.revision), identity: (event.data as { identity: string }).identity };
    }
  } catch (error) {
    if (!(error instanceof Error && 'type' in error && error.type === 'stream-not-found')) throw error;
  }
  return null;
}
