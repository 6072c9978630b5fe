import { expect, test } from '@jest/globals';
import { runOn } from './support/ground';
import { cameInBy, hasServers, onServers } from './support/on-servers';

const onThem = hasServers ? test : test.skip;

// The same journey as on the embedded stores.
if (hasServers) {
  runOn(onServers);
  await import('./first-song.journey');
}

onThem('the journey ran on EventStoreDB, MongoDB, S3 and Kafka, with a web process per browser until the first was killed', () =>
  expect(cameInBy()).toEqual([[0, 1], [1]]),
);
