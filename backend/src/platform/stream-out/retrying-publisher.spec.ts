import { expect, test } from '@jest/globals';
import { storedEvent } from '../../testing/stored-event.js';
import { ServiceUnavailable } from '../store-errors.js';
import { PublishingRefused } from './event-stream-publisher.js';
import { RetryingPublisher } from './retrying-publisher.js';

const event = storedEvent({ type: 'Said', data: {} }, { stream: 'talk', revision: 0, position: 1 });
const batch = [{ event, out: { key: event.stream, id: event.id, type: event.type, body: '{}' } }];
const patient = new AbortController().signal;
const signals = { stopping: patient, cut: patient };

test('what an operator must change is logged once for each reason, also when it comes up during an outage', async () => {
  const [user, topic] = ['Kafka: the user is wrong', 'Kafka: the topic is missing'].map((sentence) => new PublishingRefused(sentence));
  const answers: (Error | undefined)[] = [new ServiceUnavailable('no broker'), user, user, topic];
  const answer = (): Promise<void> => {
    const next = answers.shift();
    return next === undefined ? Promise.resolve() : Promise.reject(next);
  };
  const lines: string[] = [];
  const note = (_facts: object, message: string): void => void lines.push(message);
  const publisher = { publish: answer, connect: answer, close: () => Promise.resolve() };
  const retrying = new RetryingPublisher(publisher, { debug: note, info: note, warn: note, error: note }, () => Promise.reject(new Error('given up')));
  expect(await retrying.publish(batch, signals)).toBe(true);
  answers.push(topic);
  expect(await retrying.publish(batch, signals)).toBe(true);
  expect(lines).toEqual([
    'Kafka is unavailable; events remain in the log until it is back',
    'events are not published. Kafka: the user is wrong',
    'events are not published. Kafka: the topic is missing',
    'Kafka is back; publishing continues',
    'events are not published. Kafka: the topic is missing',
    'Kafka is back; publishing continues',
  ]);
});
