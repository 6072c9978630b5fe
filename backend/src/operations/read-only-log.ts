import { setTimeout as pause } from 'node:timers/promises';
import type { Position } from '@roughmix/contracts/shared/ids.js';
import { pino } from 'pino';
import type { StoredEvent } from '../kernel/event.js';
import type { Config } from '../platform/config/config.js';
import type { EventStore } from '../platform/event-store/event-store.js';
import type { LogReader } from '../platform/event-store/log-reader.js';
import { openLogReader } from '../platform/event-store/log-survey.js';
import { logFileOf } from './log-file.js';

const PAGE = 500;
const POLL_MS = 250;

/** A read-only log for operators, usable while the program is writing to it. */
export interface ReadOnlyLog {
  /** The newest events, oldest first. */
  newest(limit: number): Promise<readonly StoredEvent[]>;
  /** A page of events after a position, [] at the end. */
  after(position: Position): Promise<readonly StoredEvent[]>;
  /** Events after a position, then new ones, until the signal aborts. */
  follow(position: Position, signal: AbortSignal): AsyncIterable<readonly StoredEvent[]>;
  close(): Promise<void>;
}

/** Opens the environment's log read-only: EventStoreDB if configured, else the data folder's. @throws ServiceUnavailable, StoreDamaged */
export async function openReadOnlyLog(config: Config): Promise<ReadOnlyLog> {
  if (config.EVENTSTORE_URL === null) return readOnlyFile(await openLogReader(logFileOf(config)));
  return readOnlyStore(await openServerLog(config));
}

/** The log on the configured server. @throws ServiceUnavailable */
export async function openServerLog(config: Config): Promise<EventStore> {
  const { openLog } = await import('../platform/stores.js');
  return openLog(config, pino({ level: 'warn' }, process.stderr));
}

function readOnlyFile(log: LogReader): ReadOnlyLog {
  return {
    newest: (limit) => Promise.resolve(log.newest(limit)),
    after: (position) => Promise.resolve(log.all(position, PAGE)),
    async *follow(position, signal) {
      for (let reached = position; !signal.aborted;) {
        const page = log.all(reached, PAGE);
        reached = page.at(-1)?.position ?? reached;
        if (page.length > 0) yield page;
        // An abort rejects the pause, which ends the loop.
        else await pause(POLL_MS, undefined, { signal }).catch(() => undefined);
      }
    },
    close: () => Promise.resolve(log.close()),
  };
}

const readOnlyStore = (store: EventStore): ReadOnlyLog => ({
  newest: (limit) => store.readNewest(limit),
  after: (position) => store.readAll({ after: position, limit: PAGE }),
  follow: (position, signal) => store.subscribe({ after: position, signal }),
  close: () => store.close(),
});
