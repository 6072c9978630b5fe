import { setTimeout as pause } from 'node:timers/promises';
import type { Position } from '@roughmix/contracts/shared/ids.js';
import { pino } from 'pino';
import type { StoredEvent } from '../kernel/event.js';
import type { Config } from '../platform/config/config.js';
import type { EventStore } from '../platform/event-store/event-store.js';
import type { LogReader } from '../platform/event-store/log-reader.js';
import { openLogReader } from '../platform/event-store/log-survey.js';
import { logOf } from './log-of.js';

const PAGE = 500;
const POLL_MS = 250;

/** A log as operators read it, beside whoever writes it. */
export interface LogReading {
  /** The newest events, oldest first. */
  newest(limit: number): Promise<readonly StoredEvent[]>;
  /** A page of what lies behind a position, [] at the end. */
  after(position: Position): Promise<readonly StoredEvent[]>;
  /** What lies behind a position and what comes, until the signal aborts. */
  follow(position: Position, signal: AbortSignal): AsyncIterable<readonly StoredEvent[]>;
  close(): Promise<void>;
}

/** Opens the log of the environment for reading alone: that of EventStoreDB where it is named, else that of the data folder. @throws StoreAway, StoreDamaged */
export async function openLogReading(config: Config): Promise<LogReading> {
  if (config.EVENTSTORE_URL === null) return readingOfFile(await openLogReader(logOf(config)));
  return readingOfStore(await openServerLog(config));
}

/** The log of the server that the environment names. @throws StoreAway */
export async function openServerLog(config: Config): Promise<EventStore> {
  const { openLog } = await import('../platform/stores.js');
  return openLog(config, pino({ level: 'warn' }, process.stderr));
}

function readingOfFile(log: LogReader): LogReading {
  return {
    newest: (limit) => Promise.resolve(log.newest(limit)),
    after: (position) => Promise.resolve(log.all(position, PAGE)),
    async *follow(position, signal) {
      for (let reached = position; !signal.aborted;) {
        const page = log.all(reached, PAGE);
        reached = page.at(-1)?.position ?? reached;
        if (page.length > 0) yield page;
        // An abort ends the pause with an error, and the loop.
        else await pause(POLL_MS, undefined, { signal }).catch(() => undefined);
      }
    },
    close: () => Promise.resolve(log.close()),
  };
}

const readingOfStore = (store: EventStore): LogReading => ({
  newest: (limit) => store.readNewest(limit),
  after: (position) => store.readAll({ after: position, limit: PAGE }),
  follow: (position, signal) => store.subscribe({ after: position, signal }),
  close: () => store.close(),
});
