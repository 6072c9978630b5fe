import { randomUUID } from 'node:crypto';
import type { NewEvent } from '../kernel/event.js';
import { slices } from '../slices.js';
import { type TestStores, openTestStores } from './test-stores.js';
import { aProject, type ProjectHistory, PROJECT_ID } from './project-history.js';
import { documentsOf } from './projected-documents.js';
import type { ProjectionRunner } from '../platform/projections/projection-runner.js';

const VERSION = slices.projectors.find((each) => each.name === 'projects')?.version ?? 0;
/** The collection that holds a generation's projects and its checkpoint. */
export const stored = (generation: number): string => `projects_v${VERSION}_g${generation}`;

export const renamed = (history: ProjectHistory, to: string) => history.and({ type: 'ProjectRenamed', data: { from: '', to } });
export const started = aProject()
  .ownedBy('ana')
  .withVersion('v1')
  .sharedWith('bob')
  .withRegion('r1', { by: 'bob' })
  .withComment('c1', { by: 'bob', tags: ['r1'] });

export const until = async (condition: () => Promise<boolean>): Promise<void> => {
  while (!(await condition())) await new Promise((resolve) => setImmediate(resolve));
};

/** An event log, its read models and the runner that builds them. */
export class ProjectionsFixture {
  private constructor(
    readonly testStores: TestStores,
    public runner: ProjectionRunner,
  ) {}

  static async open(): Promise<ProjectionsFixture> {
    const testStores = await openTestStores();
    return new ProjectionsFixture(testStores, testStores.projections());
  }

  async close(): Promise<void> {
    await this.runner.stop();
    await this.testStores.close();
  }

  /** Appends a history's events as the log stores them, each with a new id. */
  async append(history: ProjectHistory, from = 0, expected: number | 'none' = from === 0 ? 'none' : from - 1): Promise<number> {
    const events = history.events.slice(from).map(({ type, data, meta }): NewEvent => ({ id: randomUUID(), type, data, meta }));
    const stream = history.events[0]?.stream ?? '';
    const sealed = await Promise.all(events.map((event) => this.testStores.sealer.seal(stream, event)));
    return (await this.testStores.store.append(stream, expected, sealed)).position;
  }

  async name(projectId = PROJECT_ID): Promise<string | undefined> {
    return (await this.testStores.reads.get<{ projectName: string }>('projects', projectId))?.projectName;
  }

  /** Every document of a generation. */
  async everything(generation = 1) {
    const events = await this.testStores.opened.open(await this.testStores.store.readAll({ after: 0 }));
    return Promise.all(slices.projectors.map((each) => documentsOf(this.testStores.documents, each, events, generation)));
  }

  /** Replaces the runner, as a restart of the program does. */
  async restarted(projectors = slices.projectors): Promise<void> {
    await this.runner.stop();
    this.runner = this.testStores.projections();
    await this.runner.start(projectors);
  }

  /** Rebuilds a projector and waits until the new generation is served and the old one is deleted. */
  async rebuilt(which: string): Promise<void> {
    const generation = await this.runner.rebuild(which);
    await until(async () => (await this.runner.status()).some((each) => each.projector === which && each.generation === generation));
    await until(async () => !(await this.testStores.documents.fact('generations'))?.includes('"discarded":[{'));
  }
}
