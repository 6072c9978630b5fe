import type { NewEvent } from '../../kernel/event.js';
import { newestTypeWith } from '../../kernel/upcast.js';
import type { EventStore } from '../event-store/event-store.js';
import type { Slices } from '../slice.js';
import type { Vault, VaultRecord } from '../vault/vault.js';
import { buildName } from '../version.js';

/** The kind of the records in the vault. A record's id is the type. */
export const WRITTEN_TYPES = 'written-types';
/** More than the program will ever have. */
const MOST_TYPES = 1_000;

/** Which version wrote the first event of a type. */
type WrittenType = { readonly version: string };

/** The log has events of types that this program does not know. Nothing was changed. */
export class LogIsNewer extends Error {
  override readonly name = 'LogIsNewer';
}

/** What a program can read. */
export interface ReadableTypes {
  /** Whether it can read events of a type. */
  readonly isKnown: (type: string) => boolean;
  /** What it calls itself in the records and when it refuses a log. */
  readonly version: string;
}

/** What this program can read: types in an old shape or the newest. */
export function readableTypes({ fieldClasses, upcasters }: Pick<Slices, 'fieldClasses' | 'upcasters'>): ReadableTypes {
  const newestType = newestTypeWith(upcasters);
  return { isKnown: (type) => fieldClasses.has(newestType(type)), version: buildName() };
}

/** Why a program cannot read a log with these records, as the beginning of a sentence; null if it can. */
export function newerThan({ isKnown, version }: ReadableTypes, records: readonly Pick<VaultRecord, 'id' | 'body'>[]): string | null {
  const unknown = records.find(({ id }) => !isKnown(id));
  if (unknown === undefined) return null;
  const writer = String(unknown.body['version']);
  return `the log was written by a newer Roughmix: ${writer} wrote events of the type ${unknown.id}, which this version, ${version}, does not know; nothing was changed`;
}

/** The records of a vault. */
export async function writtenTypesIn(vault: Vault): Promise<readonly VaultRecord<WrittenType>[]> {
  await vault.declare({ name: WRITTEN_TYPES });
  return vault.find<WrittenType>(WRITTEN_TYPES, { limit: MOST_TYPES });
}

/**
 * The types of events in the log, recorded in the vault before the first event of each is appended. So a program finds out at its start, without reading the
 * log, that a newer one has written to it.
 */
export class WrittenTypes {
  private constructor(
    private readonly vault: Vault,
    private readonly version: string,
    private readonly recorded: Set<string>,
  ) {}

  /** @throws LogIsNewer when a type is recorded that this program does not know; ServiceUnavailable */
  static async open(vault: Vault, readable: ReadableTypes): Promise<WrittenTypes> {
    const records = await writtenTypesIn(vault);
    const problem = newerThan(readable, records);
    if (problem !== null)
      throw new LogIsNewer(`${problem}. Start the newer version again, or restore a backup from before the update (docs/operating.md, "Going back")`);
    return new WrittenTypes(vault, readable.version, new Set(records.map(({ id }) => id)));
  }

  /** Appends as the store does, and records new types before. */
  before(store: Pick<EventStore, 'append'>): Pick<EventStore, 'append'> {
    return {
      append: async (stream, expected, events) => {
        await this.record(events);
        return store.append(stream, expected, events);
      },
    };
  }

  private async record(events: readonly NewEvent[]): Promise<void> {
    const types = new Set(events.map(({ type }) => type).filter((type) => !this.recorded.has(type)));
    for (const type of types) {
      await this.vault.insert(WRITTEN_TYPES, type, { version: this.version } satisfies WrittenType);
      this.recorded.add(type);
    }
  }
}
