import { expect, test } from '@jest/globals';
import { runOn } from './support/ground';
import { cameInBy, hasServers, onServers } from './support/on-servers';

const onThem = hasServers ? test : test.skip;

// The same journey as on the embedded default, from the same source.
if (hasServers) {
  runOn(onServers);
  await import('./first-song.journey');
}

onThem('all that ran on EventStoreDB, MongoDB, S3 and Kafka, each browser at a web process of its own until the first of them was killed', () =>
  expect(cameInBy()).toEqual([[0, 1], [1]]),
);
