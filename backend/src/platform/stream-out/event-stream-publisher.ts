import { ServiceUnavailable } from '../store-errors.js';

/** An event to publish: its JSON text, and the metadata brokers and consumers need without parsing it. */
export interface OutgoingEvent {
  /** The stream's name: events of one stream keep the order of the log. */
  readonly key: string;
  readonly id: string;
  /** The CloudEvent's type. */
  readonly type: string;
  /** A CloudEvent 1.0 in its JSON format. */
  readonly body: string;
}

/** The broker refuses these events because of their size. Retrying does not help, but smaller batches may. */
export class EventsTooLarge extends Error {
  override readonly name = 'EventsTooLarge';
}

/** The brokers take no events until an operator changes something: a right, a user, a certificate. The message says what. */
export class PublishingRefused extends ServiceUnavailable {}

/** Publishes events to external consumers. */
export interface EventStreamPublisher {
  /** Connects and checks the target ahead of the first publish; warns about a target that may lose events. @throws ServiceUnavailable as {@link publish} */
  connect(signal: AbortSignal): Promise<void>;
  /**
   * Resolves when all events are acknowledged, in this order for each key. Calls are processed one at a time, in order. After a failure some or all events
   * may have arrived; send the same events again for at-least-once delivery.
   * @throws ServiceUnavailable at the deadline or when the signal aborts; PublishingRefused; EventsTooLarge
   */
  publish(events: readonly OutgoingEvent[], signal: AbortSignal): Promise<void>;
  /** Ends calls in progress. Later calls throw ServiceUnavailable. */
  close(): Promise<void>;
}
