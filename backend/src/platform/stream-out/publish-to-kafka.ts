import type { ReactorStatus, Replayed } from '@roughmix/contracts/admin/admin.view.js';
import type { Position } from '@roughmix/contracts/shared/ids.js';
import type { StoredEvent } from '../../kernel/event.js';
import type { EventStore } from '../event-store/event-store.js';
import { keepGoing } from '../keep-going.js';
import type { LogFollowingLoop } from '../reactors/background-loop.js';
import { ParkedReactions } from '../reactors/parked-reactions.js';
import type { Vault } from '../vault/vault.js';
import { batchesOf } from './batches.js';
import { type CloudEventFacts, cloudEventOf, outgoing, sourceOf } from './cloud-event.js';
import type { EventStreamPublisher } from './event-stream-publisher.js';
import type { PublisherLog } from './kafka-log.js';
import { PatientPublisher, type Sending, type StopSignals } from './patient-publisher.js';
import { CheckpointLost, checkpointOf, TakenCheckpoint } from '../reactors/taken-checkpoint.js';

/** What the publishing needs. */
export interface PublishingParts {
  readonly store: EventStore;
  readonly vault: Vault;
  readonly publisher: EventStreamPublisher;
  /** Whether the program knows what a type of event holds. */
  readonly isKnown: CloudEventFacts['isKnown'];
  readonly log: PublisherLog;
}

interface Running {
  readonly stopping: AbortController;
  readonly cut: AbortController;
  readonly ended: Promise<void>;
}

const PAGE = 300;
const BATCH_BYTES = 500_000;
/** How long a send under way may go on when the loop stops: what is acknowledged by then is not sent again. */
const LAST_SEND_MS = 2_000;

/**
 * Publishes every event of the log, oldest first, at least once: the checkpoint moves when a batch is acknowledged. Nobody waits for it. What can never
 * be sent is parked, as reactors park, and the rest goes on.
 */
export class PublishToKafka implements LogFollowingLoop {
  readonly name = 'publish-to-kafka';
  readonly #facts: CloudEventFacts;
  readonly #patient: PatientPublisher;
  #running: Running | undefined;

  constructor(private readonly parts: PublishingParts) {
    this.#facts = { source: sourceOf(parts.store.identity), isKnown: parts.isKnown };
    this.#patient = new PatientPublisher(parts.publisher, parts.log, (event, error) => this.#park(event, error));
  }

  /** From here on whoever published before moves the checkpoint no more, and stops. */
  async start(): Promise<void> {
    if (this.#running !== undefined) return;
    const checkpoint = await TakenCheckpoint.take(this.parts.vault, this.name);
    await this.#backInLog(checkpoint);
    const [stopping, cut] = [new AbortController(), new AbortController()];
    const signals = { stopping: stopping.signal, cut: cut.signal };
    const onFailure = (error: unknown): void => this.parts.log.error({ err: error, reactor: this.name }, 'publishing failed, trying again');
    this.#running = { stopping, cut, ended: keepGoing(() => this.#whileMine(checkpoint, signals), { signal: stopping.signal, onFailure }) };
  }

  async stop(): Promise<void> {
    const running = this.#running;
    if (running === undefined) return;
    running.stopping.abort();
    const timer = setTimeout(() => running.cut.abort(), LAST_SEND_MS);
    await running.ended;
    clearTimeout(timer);
    this.#running = undefined;
  }

  async status(): Promise<ReactorStatus> {
    const { store, vault } = this.parts;
    const [head, checkpoint, parked] = await Promise.all([store.head(), checkpointOf(vault, this.name), ParkedReactions.open(vault)]);
    return { reactor: this.name, checkpoint, lag: Math.max(0, head - checkpoint), parked: await parked.of(this.name) };
  }

  async replay(position?: Position): Promise<Replayed> {
    const parked = await ParkedReactions.open(this.parts.vault);
    const [done, failed]: [Position[], Position[]] = [[], []];
    for (const reaction of await parked.of(this.name)) {
      if (position !== undefined && reaction.position !== position) continue;
      const isDone = await this.#publishAgain(reaction.position);
      if (isDone) await parked.done(this.name, reaction.position);
      (isDone ? done : failed).push(reaction.position);
    }
    return { done, failed };
  }

  /** A checkpoint beyond the log's end is of another log: what comes now is published, as reactors do it. */
  async #backInLog(checkpoint: TakenCheckpoint): Promise<void> {
    const [head, position] = [await this.parts.store.head(), await checkpoint.position()];
    if (position <= head) return;
    this.parts.log.error({ reactor: this.name, checkpoint: position, head }, 'a reactor is ahead of the log: continuing from its end');
    await checkpoint.move(head);
  }

  async #whileMine(checkpoint: TakenCheckpoint, signals: StopSignals): Promise<void> {
    try {
      await this.#follow(checkpoint, signals);
    } catch (error) {
      if (!(error instanceof CheckpointLost)) throw error;
      this.parts.log.error({ reactor: this.name }, 'another process publishes: this one stops');
    }
  }

  async #follow(checkpoint: TakenCheckpoint, signals: StopSignals): Promise<void> {
    const after = await checkpoint.position();
    for await (const page of this.parts.store.subscribe({ after, signal: signals.stopping, limit: PAGE })) {
      for (const batch of batchesOf(page, { most: PAGE, weight: BATCH_BYTES, weigh: roughBytes })) {
        await checkpoint.position();
        if (!(await this.#patient.publish(await this.#sendable(batch), signals))) return;
        await checkpoint.move(batch.at(-1)?.position ?? after);
      }
    }
  }

  /** What of a batch can be told; an event that cannot is parked. */
  async #sendable(batch: readonly StoredEvent[]): Promise<readonly Sending[]> {
    const sendings: Sending[] = [];
    for (const event of batch) {
      try {
        sendings.push({ event, out: outgoing(cloudEventOf(event, this.#facts)) });
      } catch (error) {
        await this.#park(event, error);
      }
    }
    return sendings;
  }

  async #park({ position, stream, type }: StoredEvent, error: unknown): Promise<void> {
    const reaction = { position, stream, type, reason: 'reaction' } as const;
    this.parts.log.error({ err: error, reactor: this.name, ...reaction }, 'reaction parked');
    await (await ParkedReactions.open(this.parts.vault)).park(this.name, reaction);
  }

  /** False when it failed again; an event that the log does not hold any more needs no answer. */
  async #publishAgain(position: Position): Promise<boolean> {
    const [event] = await this.parts.store.readAll({ after: position - 1, limit: 1 });
    if (event?.position !== position) return true;
    try {
      await this.parts.publisher.publish([outgoing(cloudEventOf(event, this.#facts))], AbortSignal.timeout(LAST_SEND_MS * 5));
      return true;
    } catch (error) {
      this.parts.log.error({ err: error, reactor: this.name, position, type: event.type }, 'parked reaction failed again');
      return false;
    }
  }
}

/** Enough to keep batches small; sealed fields, which are not sent, count too. */
const roughBytes = ({ data }: StoredEvent): number => JSON.stringify(data).length;
