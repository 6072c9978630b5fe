import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { ProjectionRunner } from '../platform/projections/projection-runner.js';
import { type TestStores, openTestStores } from '../testing/test-stores.js';
import { UserStreams } from './user.streams.js';
import { usersProjector } from './users.projector.js';
import { UsersQueries } from './users.queries.js';

let ground: TestStores;
let projections: ProjectionRunner;

beforeEach(async () => {
  ground = await openTestStores();
  projections = ground.projections();
  await projections.start([usersProjector]);
});
afterEach(async () => {
  await projections.stop();
  await ground.close();
});

test('an unknown uid is shown as [unknown user], a known one with its name', async () => {
  const streams = new UserStreams(ground.streams(), projections.parts.readSide, () => ground.time.now);
  await streams.register({ uid: 'u1', username: 'Jo', firstName: 'Jo', lastName: 'Bell', guest: false });
  const people = await new UsersQueries(ground.reads).people(['u1', 'gone', 'u1']);
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
