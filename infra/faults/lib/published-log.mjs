// A log under constant writes whose events are published to Kafka by this process, without the rest of the program.
import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { appendNext } from '../../../backend/dist/testing/append-next.js';
import { kafkaOf } from '../../../backend/dist/testing/kafka-access.js';
import { KafkaPublisher } from '../../../backend/dist/platform/stream-out/kafka-publisher.js';
import { PublishToKafka } from '../../../backend/dist/platform/stream-out/publish-to-kafka.js';
import { EmbeddedVault } from '../../../backend/dist/platform/vault/embedded-vault.js';
import { EmbeddedEventStore } from './log-work.mjs';

export const TOPIC = 'roughmix.events';
const STREAMS = 60;
/** How many streams get an event at once, and the pause before the next ones do. */
const [AT_ONCE, ROUND_MS] = [20, 20];
const meta = { actorUid: null, at: 1_700_000_000_000, commandId: 'fault', correlationId: 'fault', causationId: null };
const aRating = () => ({ id: randomUUID(), type: 'CommentRated', data: { commentId: 'c1', from: null, to: 'likes' }, meta });

export class PublishedLog {
  appended = 0;
  /** Every warning and error of the publisher. */
  lines = [];
  #writing;
  #over = new AbortController();

  /** Opens log, vault and publisher; does not publish yet. @param {Record<string, string>} env the variables of Kafka */
  static async open(folder, env) {
    const log = Object.assign(new PublishedLog(), { folder });
    mkdirSync(folder, { recursive: true });
    log.store = await EmbeddedEventStore.open({ file: join(folder, 'log.db') });
    log.vault = await EmbeddedVault.open({ file: join(folder, 'vault.db') });
    const note = (facts, message) => void log.lines.push(`${message}${facts.err === undefined ? '' : `: ${facts.err.message}`}`);
    const logger = { debug: () => undefined, info: () => undefined, warn: note, error: note };
    log.publisher = await KafkaPublisher.open({ ...kafkaOf(env), topic: TOPIC, log: logger });
    log.loop = new PublishToKafka({ store: log.store, vault: log.vault, publisher: log.publisher, isKnown: () => true, log: logger });
    return log;
  }

  /** Appends an event each to several streams at once, so that a batch goes to all brokers. */
  async #round() {
    const streams = Array.from({ length: AT_ONCE }, (_, at) => `project-${(this.appended + at) % STREAMS}`);
    await Promise.all(streams.map((stream) => appendNext(this.store, stream, [aRating()])));
    this.appended += AT_ONCE;
  }

  /** Appends steadily until `end`, up to a thousand events a second. */
  write() {
    const { signal } = this.#over;
    this.#writing = (async () => {
      for (; !signal.aborted; await pause(ROUND_MS)) await this.#round();
    })();
  }

  async lag() {
    return (await this.loop.status()).lag;
  }

  /** Waits until everything that is now in the log is published. @returns the milliseconds it took. @throws after `milliseconds` */
  async caughtUp(milliseconds) {
    const from = performance.now();
    const head = await this.store.head();
    while ((await this.loop.status()).checkpoint < head) {
      if (performance.now() - from > milliseconds)
        throw new Error(`${await this.lag()} events were not published within ${milliseconds} ms: ${this.lines.at(-1)}`);
      await pause(20);
    }
    return performance.now() - from;
  }

  /** Ends the writing, waits for the publisher, and closes everything. */
  async end(milliseconds) {
    this.#over.abort();
    await this.#writing;
    await this.caughtUp(milliseconds);
    await this.loop.stop();
    for (const each of [this.publisher, this.store, this.vault]) await each.close();
  }
}
