import { expect, test } from '@jest/globals';
import { projectTopic, type Push, type Topic, userTopic } from '@roughmix/contracts/live.js';
import type { StoredEvent } from '../../kernel/event.js';
import { Refused } from '../../kernel/refusal.js';
import type { LiveStep, PushSource } from './live-message.js';
import { PushBuilder } from './push-builder.js';

const event: StoredEvent = {
  id: 'e1',
  stream: 'project-p1',
  revision: 0,
  position: 7,
  type: 'RegionRemoved',
  data: {},
  meta: { actorUid: 'ana', at: 1, commandId: 'c', correlationId: 'c', causationId: null },
};
const push: Push = { type: 'RegionRemoved', projectId: 'p1', ids: ['r1'], actorUid: 'ana', commandId: 'c', position: 7 };
const emission = (topics: readonly Topic[], build: () => Promise<readonly Push[]> = () => Promise.resolve([push])): LiveStep => ({
  kind: 'emit',
  topics,
  channel: 'regions',
  build,
});
const source = (...steps: readonly LiveStep[]): PushSource => ({ steps: () => steps });
const all = (): boolean => true;

function builderOf(...sources: readonly PushSource[]): { readonly builder: PushBuilder; readonly logged: string[] } {
  const logged: string[] = [];
  const log = { info: () => undefined, error: (_fields: object, message: string) => void logged.push(message) };
  return { builder: new PushBuilder(sources, log), logged };
}

test('only wanted topics are built, and evictions are kept even with no socket connected', async () => {
  const [members, ana] = [projectTopic('p1'), userTopic('ana')];
  const evict: LiveStep = { kind: 'evict', topic: members, uids: ['bob'] };
  let builds = 0;
  const steps = [emission([members, ana]), evict, emission([members], () => Promise.reject(new Error(`built ${(builds += 1)}`)))];
  const { builder } = builderOf();
  const built = await builder.build(steps, ({ kind }) => kind === 'user');
  expect(built).toEqual({ steps: [{ kind: 'built', topics: [ana], channel: 'regions', pushes: [push] }, evict], skipped: [members, members], failed: [] });
  expect(builds).toBe(0);
});

test('a failing build loses only its own topics, and is logged', async () => {
  const { builder, logged } = builderOf();
  const steps = [emission([projectTopic('p1')], () => Promise.reject(new Error('no view'))), emission([userTopic('ana')])];
  expect(await builder.build(steps, all)).toMatchObject({ steps: [{ topics: [userTopic('ana')] }], failed: [projectTopic('p1')] });
  expect(logged).toEqual(['push could not be built']);
});

test('a failing source loses only its own steps, and is logged', async () => {
  const failing: PushSource = { steps: () => Promise.reject(new Error('no topic')) };
  const { builder, logged } = builderOf(failing, source(emission([userTopic('ana')])));
  expect(await builder.stepsOf(event)).toMatchObject({ steps: [{ topics: [userTopic('ana')] }], failed: true });
  expect(logged).toEqual(['push source failed; its pushes of this event are lost']);
});

test('a lane pushes only to the topic kinds it names', async () => {
  const stray: PushSource = { lane: { name: 'slow', kinds: ['user'] }, ...source(emission([projectTopic('p1')])) };
  const { builder, logged } = builderOf(stray);
  expect(await builder.stepsOf(event)).toEqual({ steps: [], failed: true });
  expect(logged).toHaveLength(1);
});

test('read models that lag are reported, not logged as a failure: the same work succeeds later', async () => {
  const lag = (): Promise<never> => Promise.reject(new Refused('store.away'));
  const { builder, logged } = builderOf({ steps: lag });
  await expect(builder.stepsOf(event)).rejects.toThrow('store.away');
  await expect(builder.build([emission([userTopic('ana')], lag)], all)).rejects.toThrow('store.away');
  expect(logged).toEqual([]);
});
