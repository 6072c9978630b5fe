import { expect, test } from '@jest/globals';
import { runOnSite } from './support/test-site';
import { connectedProcesses, hasServers, onServers } from './support/on-servers';

const onThem = hasServers ? test : test.skip;

// The same journey as on the embedded stores.
if (hasServers) {
  runOnSite(onServers);
  await import('./first-song.journey');
}

onThem('the journey ran on EventStoreDB, MongoDB, S3 and Kafka, with a web process per browser until the first was killed', () =>
  expect(connectedProcesses()).toEqual([[0, 1], [1]]),
);
