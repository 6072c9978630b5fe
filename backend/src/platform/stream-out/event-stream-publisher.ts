/** An event as it leaves: a whole JSON text, and what brokers and readers go by without parsing it. */
export interface OutgoingEvent {
  /** The stream's name: events of one stream keep the order of the log. */
  readonly key: string;
  readonly id: string;
  /** The CloudEvent's type. */
  readonly type: string;
  /** A CloudEvent 1.0 in its JSON format. */
  readonly body: string;
}

/** The broker refuses these events for their size: sending them again is of no use, fewer at once may be. */
export class EventsTooLarge extends Error {
  override readonly name = 'EventsTooLarge';
}

/** Hands events to readers outside. */
export interface EventStreamPublisher {
  /**
   * Resolves when all of them are acknowledged, in this order for each key; one call at a time is worked on, in the order of the calls. After a failure
   * some or all may have arrived: whoever wants at least once sends the same again.
   * @throws StoreAway when that is not so within the deadline, or the signal aborts; EventsTooLarge
   */
  publish(events: readonly OutgoingEvent[], signal: AbortSignal): Promise<void>;
  /** Ends what is under way. Later calls throw StoreAway. */
  close(): Promise<void>;
}
