/** Partitions of a new topic, so how many consumers can share it. If an operator adds more, a stream's events end up in two partitions. */
export const PARTITIONS = 6;

/** The structured mode of the Kafka protocol binding (CloudEvents 1.0.2, 3.3). */
export const CONTENT_TYPE = 'application/cloudevents+json; charset=UTF-8';
