import type { NewEvent } from '../../kernel/event.js';
import type { EventStore } from '../event-store/event-store.js';
import type { Vault } from '../vault/vault.js';

const COLLECTION = 'written-types';
const PAGE = 1_000;

/** Which version wrote the first event of a type; the record's id is the type. */
type WrittenType = { readonly version: string };

/** The log has events of types that this program does not know. Nothing was changed. */
export class LogIsNewer extends Error {
  override readonly name = 'LogIsNewer';
}

export interface WrittenTypesOptions {
  /** Whether this program can read events of a type. */
  readonly isKnown: (type: string) => boolean;
  /** What this program calls itself in the records and in its refusal. */
  readonly version: string;
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
  static async open(vault: Vault, { isKnown, version }: WrittenTypesOptions): Promise<WrittenTypes> {
    await vault.declare({ name: COLLECTION });
    const records = await vault.find<WrittenType>(COLLECTION, { limit: PAGE });
    const [unknown] = records.filter(({ id }) => !isKnown(id));
    if (unknown !== undefined) throw new LogIsNewer(refusalOf(unknown.body.version, unknown.id, version));
    return new WrittenTypes(vault, version, new Set(records.map(({ id }) => id)));
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
      await this.vault.insert(COLLECTION, type, { version: this.version } satisfies WrittenType);
      this.recorded.add(type);
    }
  }
}

const refusalOf = (writer: string, type: string, own: string): string =>
  `the log was written by a newer Roughmix: ${writer} wrote events of the type ${type}, which this version, ${own}, does not know; nothing was changed. ` +
  'Start the newer version again, or restore a backup from before the update (docs/operating.md, "Going back")';
