import { expect, test } from '@jest/globals';
import { weaknessOf } from './kafka-topic.js';

const away = { replication: null, minIsr: null, isLoopback: false };

test.each([
  ['a single broker elsewhere', { replication: 1, minIsr: 1 }, away, 'its replication factor is 1: events are lost with their broker'],
  [
    'a single acknowledgement elsewhere',
    { replication: 3, minIsr: 1 },
    away,
    'its min.insync.replicas is 1: events acknowledged by one broker may be lost with it',
  ],
  ['three brokers, two of which acknowledge', { replication: 3, minIsr: 2 }, away, null],
  ['a single broker on this machine', { replication: 1, minIsr: 1 }, { ...away, isLoopback: true }, null],
  ['fewer copies than asked for', { replication: 2, minIsr: 2 }, { ...away, replication: 3 }, 'its replication factor is 2, but KAFKA_REPLICATION is 3'],
  [
    'fewer acknowledgements than asked for',
    { replication: 3, minIsr: 1 },
    { ...away, replication: 3, minIsr: 2 },
    'its min.insync.replicas is 1, but KAFKA_MIN_ISR is 2',
  ],
  ['as much as asked for', { replication: 1, minIsr: 1 }, { replication: 1, minIsr: 1, isLoopback: true }, null],
])('%s', (_, found, wanted, weakness) => {
  expect(weaknessOf(found, wanted)).toBe(weakness);
});
