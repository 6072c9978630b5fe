import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { physicalName } from '../platform/projections/projection-generations.js';
import { type TestStores, openTestStores } from '../testing/test-stores.js';
import { aProject, type ProjectHistory } from '../testing/project-history.js';
import { projectInto } from '../testing/projected-documents.js';
import { ProjectUserStreams } from './project-user-streams.queries.js';
import { MAX_LOSSES } from './projects.documents.js';
import { projectsProjector } from './projects.projector.js';

let stores: TestStores;
beforeEach(async () => {
  stores = await openTestStores();
});
afterEach(() => stores.close());

const started = (projectId: string, position: number): ProjectHistory => aProject(projectId).beginningAt(position).ownedBy('ana').withVersion('v1');

/** A user's streams, once these histories are in the read models. */
async function streamsOf(uid: string, after: number, ...histories: readonly ProjectHistory[]): Promise<readonly string[] | null> {
  await projectInto(
    stores.documents,
    projectsProjector,
    histories.map(({ events }) => events),
  );
  const { collections, version } = projectsProjector;
  stores.reads.serve(collections.map(({ name }) => [name, physicalName(name, version, 1)] as const));
  return (await new ProjectUserStreams(stores.reads).streamsOf(uid, after))?.toSorted() ?? null;
}

test('a user catches up from their projects that changed since, and from those they lost since', async () => {
  const unchanged = started('old', 1).sharedWith('bob');
  const changed = started('changed', 101).sharedWith('bob');
  const lost = started('lost', 201).sharedWith('bob').without('bob').sharedWith('carl');
  const lostBefore = started('gone', 11).sharedWith('bob').without('bob');
  const others = started('others', 301).sharedWith('carl');
  expect(await streamsOf('bob', 100, unchanged, changed, lost, lostBefore, others)).toEqual(['project-changed', 'project-lost']);
});

test('a user who lost more projects than are recorded has to reload', async () => {
  let often = started('p1', 1);
  for (let time = 0; time < MAX_LOSSES; time += 1) often = often.sharedWith('bob').without('bob');
  expect(await streamsOf('bob', 0, often)).toBeNull();
  expect(await streamsOf('bob', often.events.length - 2)).toEqual(['project-p1']);
});
