import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { ProjectionRunner } from '../platform/projections/projection-runner.js';
import { silentSecurityLog } from '../testing/silent-security-log.js';
import { type TestStores, openTestStores } from '../testing/test-stores.js';
import { UserStreams } from './user.streams.js';
import { usersProjector } from './users.projector.js';
import { BlocksQueries } from '../blocks/blocks.queries.js';
import { ConnectionsQueries } from '../profiles/connections.queries.js';
import { UsersQueries } from './users.queries.js';

let stores: TestStores;
let projections: ProjectionRunner;

beforeEach(async () => {
  stores = await openTestStores();
  projections = stores.projections();
  await projections.start([usersProjector]);
});
afterEach(async () => {
  await projections.stop();
  await stores.close();
});

test('an unknown uid is shown as [unknown user], a known one with its name', async () => {
  const streams = new UserStreams(stores.streams(), projections.deps.readSide, silentSecurityLog(), () => stores.time.now);
  await streams.register({ uid: 'u1', username: 'Jo', firstName: 'Jo', lastName: 'Bell', guest: false });
  const people = await new UsersQueries(stores.reads, new ConnectionsQueries(stores.reads), new BlocksQueries(stores.reads)).people(['u1', 'gone', 'u1']);
  const photo = '/api/users/gone/photo';
  expect(people('u1')).toMatchObject({ uid: 'u1', username: 'Jo', firstName: 'Jo', lastName: 'Bell' });
  expect(people('gone')).toEqual({
    _id: 'gone',
    uid: 'gone',
    username: '[unknown user]',
    firstName: '',
    lastName: '',
    smallPhoto: photo,
    largePhoto: photo,
    photoURL: photo,
  });
});
