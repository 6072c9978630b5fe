import type { ReactorStatus, Replayed, Rewound } from '@roughmix/contracts/admin/admin.view.js';
import type { Position } from '@roughmix/contracts/shared/ids.js';
import type { StoredEvent } from '../../kernel/event.js';
import type { EventStore } from '../event-store/event-store.js';
import { headCovering } from '../event-store/head-covering.js';
import { restartOnFailure } from '../restart-on-failure.js';
import type { LogFollowingLoop } from '../reactors/background-loop.js';
import { ParkedReactions } from '../reactors/parked-reactions.js';
import type { Vault } from '../vault/vault.js';
import { batchesOf } from './batches.js';
import { type CloudEventOptions, cloudEventOf, outgoing, sourceOf } from './cloud-event.js';
import type { EventStreamPublisher } from './event-stream-publisher.js';
import type { PublisherLogger } from './kafka-log.js';
import { RetryingPublisher, type Sending, type StopSignals } from './retrying-publisher.js';
import { CheckpointLost, checkpointOf, rewindTo, TakenCheckpoint } from '../reactors/taken-checkpoint.js';

export interface PublishingDeps {
  readonly store: EventStore;
  readonly vault: Vault;
  readonly publisher: EventStreamPublisher;
  /** Whether the program knows an event type's fields. */
  readonly isKnown: CloudEventOptions['isKnown'];
  readonly log: PublisherLogger;
}

interface Running {
  readonly checkpoint: TakenCheckpoint;
  readonly stopping: AbortController;
  readonly cut: AbortController;
  readonly ended: Promise<void>;
}

/** The loop's name, which its checkpoint and its parked events are stored under. */
export const PUBLISH_TO_KAFKA = 'publish-to-kafka';

const PAGE = 300;
const BATCH_BYTES = 500_000;
/** How long stopping waits for the current send; events acknowledged by then are not sent again. */
const LAST_SEND_MS = 2_000;

/**
 * Publishes every event of the log, oldest first, at least once: the checkpoint moves when a batch is acknowledged. Events that can never be sent are
 * parked, as reactors do, and the rest is published.
 */
export class PublishToKafka implements LogFollowingLoop {
  readonly name = PUBLISH_TO_KAFKA;
  readonly #facts: CloudEventOptions;
  readonly #publisher: RetryingPublisher;
  #running: Running | undefined;
  /** Starting, stopping and rewinding happen one after the other. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(private readonly deps: PublishingDeps) {
    this.#facts = { source: sourceOf(deps.store.identity), isKnown: deps.isKnown };
    this.#publisher = new RetryingPublisher(deps.publisher, deps.log, (event, error) => this.#park(event, error));
  }

  /** Takes the checkpoint over, so a previous publisher can no longer move it and stops. */
  start(): Promise<void> {
    return this.#inTurn(async () => {
      if (this.#running !== undefined) return;
      const checkpoint = await TakenCheckpoint.take(this.deps.vault, this.name);
      await this.#clampToLog(checkpoint);
      this.#run(checkpoint);
    });
  }

  stop(): Promise<void> {
    return this.#inTurn(async () => void (await this.#halt()));
  }

  rewind(to: Position): Promise<Rewound | null> {
    return this.#inTurn(async () => {
      const checkpoint = await this.#halt();
      if (checkpoint === null) return null;
      try {
        return await rewindTo(checkpoint, to);
      } finally {
        this.#run(checkpoint);
      }
    });
  }

  async status(): Promise<ReactorStatus> {
    const { store, vault } = this.deps;
    const [head, checkpoint, parked] = await Promise.all([store.head(), checkpointOf(vault, this.name), ParkedReactions.open(vault)]);
    return { reactor: this.name, checkpoint, lag: Math.max(0, head - checkpoint), parked: await parked.of(this.name) };
  }

  async replay(position?: Position): Promise<Replayed> {
    const parked = await ParkedReactions.open(this.deps.vault);
    const [done, failed]: [Position[], Position[]] = [[], []];
    for (const reaction of await parked.of(this.name)) {
      if (position !== undefined && reaction.position !== position) continue;
      const isDone = await this.#publishAgain(reaction.position);
      if (isDone) await parked.done(this.name, reaction.position);
      (isDone ? done : failed).push(reaction.position);
    }
    return { done, failed };
  }

  /** A checkpoint beyond the log's end belongs to another log: publish only new events from here, as reactors do. */
  async #clampToLog(checkpoint: TakenCheckpoint): Promise<void> {
    const position = await checkpoint.position();
    const head = await headCovering(this.deps.store, position);
    if (position <= head) return;
    this.deps.log.error({ reactor: this.name, checkpoint: position, head }, 'a reactor is ahead of the log: continuing from its end');
    await checkpoint.move(head);
  }

  #inTurn<Answer>(work: () => Promise<Answer>): Promise<Answer> {
    const mine = this.#turn.then(work);
    this.#turn = mine.catch(() => undefined);
    return mine;
  }

  #run(checkpoint: TakenCheckpoint): void {
    const [stopping, cut] = [new AbortController(), new AbortController()];
    const signals = { stopping: stopping.signal, cut: cut.signal };
    const onFailure = (error: unknown): void => this.deps.log.error({ err: error, reactor: this.name }, 'publishing failed, retrying');
    const ended = restartOnFailure(() => this.#followUntilLost(checkpoint, signals), { signal: stopping.signal, onFailure });
    this.#running = { checkpoint, stopping, cut, ended };
  }

  /** @returns the checkpoint to continue from; null when it was not running */
  async #halt(): Promise<TakenCheckpoint | null> {
    const running = this.#running;
    if (running === undefined) return null;
    running.stopping.abort();
    const timer = setTimeout(() => running.cut.abort(), LAST_SEND_MS);
    await running.ended;
    clearTimeout(timer);
    this.#running = undefined;
    return running.checkpoint;
  }

  async #followUntilLost(checkpoint: TakenCheckpoint, signals: StopSignals): Promise<void> {
    try {
      await this.#follow(checkpoint, signals);
    } catch (error) {
      if (!(error instanceof CheckpointLost)) throw error;
      this.deps.log.error({ reactor: this.name }, 'another process has taken over publishing; stopping here');
    }
  }

  async #follow(checkpoint: TakenCheckpoint, signals: StopSignals): Promise<void> {
    const after = await checkpoint.position();
    if (!(await this.#publisher.connect(signals))) return;
    for await (const page of this.deps.store.subscribe({ after, signal: signals.stopping, limit: PAGE })) {
      for (const batch of batchesOf(page, { most: PAGE, weight: BATCH_BYTES, weigh: roughBytes })) {
        await checkpoint.position();
        if (!(await this.#publisher.publish(await this.#sendable(batch), signals))) return;
        await checkpoint.move(batch.at(-1)?.position ?? after);
      }
    }
  }

  /** Converts a batch to outgoing events and parks those that cannot be converted. */
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
    this.deps.log.error({ err: error, reactor: this.name, ...reaction }, 'reaction parked');
    await (await ParkedReactions.open(this.deps.vault)).park(this.name, reaction);
  }

  /** False if it failed again. An event that is no longer in the log counts as done. */
  async #publishAgain(position: Position): Promise<boolean> {
    const [event] = await this.deps.store.readAll({ after: position - 1, limit: 1 });
    if (event?.position !== position) return true;
    try {
      await this.deps.publisher.publish([outgoing(cloudEventOf(event, this.#facts))], AbortSignal.timeout(LAST_SEND_MS * 5));
      return true;
    } catch (error) {
      this.deps.log.error({ err: error, reactor: this.name, position, type: event.type }, 'a parked event failed again');
      return false;
    }
  }
}

/** A rough size to keep batches small; it includes sealed fields, which are not sent. */
const roughBytes = ({ data }: StoredEvent): number => JSON.stringify(data).length;
