/** How many readers can share a topic that is made. More can be added by the operator; events of a stream then lie in two partitions. */
export const PARTITIONS = 6;

/** The structured mode of the Kafka protocol binding (CloudEvents 1.0.2, 3.3). */
export const CONTENT_TYPE = 'application/cloudevents+json; charset=UTF-8';
