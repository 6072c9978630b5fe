import { expect, test } from '@jest/globals';
import { addressOf } from './eventstoredb-address.js';

const ADDED = 'keepAliveTimeout=3000&gossipTimeout=1';
const connectionTo = (url: string): string => addressOf(url).connectionString;

test('a node that does not answer costs a second while the client looks for the leader, whatever the address says', () => {
  expect(connectionTo('esdb://one:2113?tls=false')).toBe(`esdb://one:2113?tls=false&${ADDED}`);
  expect(connectionTo('esdb+discover://ana:secret@cluster:2113?gossipTimeout=9')).toBe(`esdb+discover://ana:secret@cluster:2113?gossipTimeout=9&${ADDED}`);
});

test('all listed nodes are asked for the leader, also after +discover, where the client would only ask the first', () => {
  const expected = `esdb://ana:secret@one:2113,two:2113,three:2113?${ADDED}`;
  expect(connectionTo('esdb://ana:secret@one:2113,two:2113,three:2113')).toBe(expected);
  expect(connectionTo('esdb+discover://ana:secret@one:2113,two:2113,three:2113')).toBe(expected);
});
