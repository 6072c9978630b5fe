import { setTimeout as pause } from 'node:timers/promises';
import type { Position } from '@roughmix/contracts/shared/ids.js';
import type { StoredEvent } from '../kernel/event.js';
import type { Reactor } from '../kernel/reactor.js';
import type { EventStore } from './event-store/event-store.js';
import { keepGoing } from './keep-going.js';
import type { OpenedEvents } from './opened-events.js';
import type { ProjectionLog } from './projection-runner.js';
import type { Vault } from './vault/vault.js';

const COLLECTION = 'reactor-checkpoints';
const PARKED = 'parked-reactions';
const PAGE = 200;
const TRIES = 5;
const FIRST_PAUSE_MS = 200;

/** Delivers the log to reactors, each in its own loop from its own checkpoint, at least once and in order. */
export class ReactorRunner {
  private readonly stopping = new AbortController();
  private readonly loops: Promise<void>[] = [];
  private readonly positions = new Map<string, Position>();

  constructor(
    private readonly store: EventStore,
    private readonly vault: Vault,
    private readonly opened: OpenedEvents,
    private readonly log: ProjectionLog,
  ) {}

  async start(reactors: readonly Reactor[]): Promise<void> {
    await this.vault.declare({ name: COLLECTION });
    await this.vault.declare({ name: PARKED });
    for (const reactor of reactors) {
      this.positions.set(reactor.name, await this.checkpoint(reactor));
      const onFailure = (error: unknown): void => this.log.error({ err: error, reactor: reactor.name }, 'reactor failed, trying again');
      this.loops.push(keepGoing(() => this.follow(reactor), { signal: this.stopping.signal, onFailure }));
    }
  }

  /** How many positions each reactor is behind the log. */
  async lags(): Promise<ReadonlyMap<string, number>> {
    const head = await this.store.head();
    return new Map([...this.positions].map(([name, position]) => [name, Math.max(0, head - position)]));
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await Promise.all(this.loops);
  }

  private async checkpoint(reactor: Reactor): Promise<Position> {
    const record = await this.vault.get<{ position: Position }>(COLLECTION, reactor.name);
    if (record !== null) return record.body.position;
    const position = reactor.startsAt === 'end' ? await this.store.head() : 0;
    await this.vault.insert(COLLECTION, reactor.name, { position });
    return position;
  }

  private async follow(reactor: Reactor): Promise<void> {
    const from = await this.checkpoint(reactor);
    for await (const page of this.store.subscribe({ after: from, signal: this.stopping.signal, limit: PAGE })) {
      const mine = page.filter((event) => reactor.handles.has(event.type));
      for (const event of await this.opened.open(mine)) {
        await this.react(reactor, event);
        if (this.stopping.signal.aborted) return;
        await this.vault.put(COLLECTION, reactor.name, { position: event.position });
      }
      const last = page.at(-1);
      if (last !== undefined) this.positions.set(reactor.name, last.position);
      if (last !== undefined && mine.length === 0 && page.length === PAGE) await this.vault.put(COLLECTION, reactor.name, { position: last.position });
    }
  }

  /** An event that fails again and again is parked: noted in the vault and in the log, and the rest goes on. */
  private async react(reactor: Reactor, event: StoredEvent): Promise<void> {
    for (let tried = 1; ; tried += 1) {
      try {
        await reactor.react(event, this.stopping.signal);
        return;
      } catch (error) {
        if (this.stopping.signal.aborted) return;
        const facts = { err: error, reactor: reactor.name, position: event.position, type: event.type, tried };
        this.log.error(facts, tried < TRIES ? 'reaction failed, trying again' : 'reaction parked');
        if (tried >= TRIES) {
          await this.vault.put(PARKED, `${reactor.name}-${event.id}`, { reactor: reactor.name, position: event.position });
          return;
        }
        await pause(FIRST_PAUSE_MS * 2 ** tried, undefined, { signal: this.stopping.signal }).catch(() => undefined);
      }
    }
  }
}
