import { expect, test } from '@jest/globals';
import { addressOf } from './eventstoredb-address.js';

const targetsOf = async (url: string): Promise<readonly string[]> => (await addressOf(url).nodes()).map(({ target }) => target);
const authorizationOf = (url: string): readonly unknown[] => addressOf(url).metadata.get('authorization');

test.each([
  ['esdb://one?tls=false', ['one:2113']],
  ['esdb://one:1113/?tls=false', ['one:1113']],
  ['esdb://ana:secret@one:2113,two,[::1]:3113', ['one:2113', 'two:2113', '[::1]:3113']],
  ['esdb+discover://ana:secret@one:2113,two:2113', ['one:2113', 'two:2113']],
  ['kurrentdb://one?tls=false', ['one:2113']],
])('%s lists these nodes', async (url, targets) => {
  expect(await targetsOf(url)).toEqual(targets);
});

test('after +discover, one name means all of its addresses, whose certificates have that name', async () => {
  const nodes = await addressOf('esdb+discover://ana:secret@localhost:3113').nodes();
  expect(nodes).toContainEqual({ target: '127.0.0.1:3113', certificateName: 'localhost' });
});

test('the user and the password are sent with TLS only', () => {
  expect(authorizationOf('esdb://a%20na:se%3Acret@one')).toEqual([`Basic ${Buffer.from('a na:se:cret').toString('base64')}`]);
  expect(authorizationOf('esdb://ana:secret@one?tls=false')).toEqual([]);
});

test.each([
  ['esdb://', 'must look like esdb:'],
  ['http://one', 'must look like esdb:'],
  ['esdb://one:99999?tls=false', 'must look like esdb:'],
  ['esdb://one,,two?tls=false', 'must look like esdb:'],
  ['esdb://one', 'needs a user and a password with TLS'],
  ['esdb://ana:secret@one?tlsCAFile=/no/such.pem', 'the file of tlsCAFile cannot be read'],
  ['esdb://ana:secret@one?userCertFile=package.json', 'userCertFile and userKeyFile need each other'],
])('%s is refused', (url, message) => {
  expect(() => addressOf(url)).toThrow(message);
});
