import type { ProjectStreamEvent } from '@roughmix/contracts/projects/project.events.js';
import type { RegionEvents, RegionSpan } from '@roughmix/contracts/regions/region.events.js';
import { describe, test } from '@jest/globals';
import type { ProjectCommand } from '../projects/project.decider.js';
import { given } from '../testing/given.js';
import { aProject } from '../testing/project-history.js';

const shared = aProject()
  .ownedBy('ana')
  .sharedWith('bob')
  .sharedWith('v0', { access: 0 })
  .sharedWith('carl', { write: true })
  .withVersion('v1', { duration: 60 });
const drawn = shared.withRegion('r1', { by: 'bob' });
const span: RegionSpan = { start: 10, end: 20, tag: 'mix', label: null };

const add = (change: Partial<RegionSpan> = {}, versionId = 'v1'): ProjectCommand => ({
  type: 'AddRegion',
  data: { regionId: 'r1', versionId, span: { ...span, ...change } },
});
const edit = (change: Partial<RegionSpan>): ProjectCommand => ({ type: 'EditRegion', data: { regionId: 'r1', change } });
const removed = (facts: Partial<RegionEvents['RegionRemoved.v2']> = {}): ProjectStreamEvent => ({
  type: 'RegionRemoved.v2',
  data: { regionId: 'r1', parentRegionId: null, childIds: [], commentIds: [], todoIds: [], ...facts },
});
const removal: ProjectCommand = { type: 'RemoveRegion', data: { regionId: 'r1' } };

describe('drawing a region', () => {
  test.each(['ana', 'bob', 'carl'])('%s may', (uid) =>
    given(shared)
      .when(add(), uid)
      .then([{ type: 'RegionAdded', data: { regionId: 'r1', versionId: 'v1', span } }]),
  );

  test('happens once, however late the command is repeated', () => given(shared.withRegion('r1')).when(add(), 'bob').thenNothing());

  test('users who may not comment may not draw', () => {
    given(shared).when(add(), 'v0').thenRefused('project.not-allowed');
    given(shared.made('public')).when(add(), 'zoe').thenRefused('project.not-allowed');
    given(shared).when(add(), 'zoe').thenRefused('project.not-found');
  });

  test.each([
    ['an unknown one', shared, 'v9'],
    ['a removed one', shared.withoutVersion('v1'), 'v1'],
  ])('on %s: version not found', (_what, history, versionId) => given(history).when(add({}, versionId), 'bob').thenRefused('version.not-found'));

  test.each([
    [0, 60],
    [0, 0.05],
    [59.95, 60],
    [60, 60.05],
    [1.1, 1.15],
  ])('from %p to %p is within a track of 60 seconds', (start, end) => {
    given(shared)
      .when(add({ start, end }), 'bob')
      .then([{ type: 'RegionAdded', data: { regionId: 'r1', versionId: 'v1', span: { ...span, start, end } } }]);
  });

  test.each([
    [-0.001, 1],
    [0, 0.049],
    [10, 10],
    [20, 10],
    [59, 60.051],
    [61, 62],
  ])('from %p to %p is not', (start, end) => given(shared).when(add({ start, end }), 'bob').thenRefused('region.out-of-bounds'));

  test.each([
    [2.3, 2.35],
    [3.0006, 3.051],
  ])('the tolerance is exact to the millisecond: a track of %p s accepts an end at %p', (duration, end) => {
    const history = aProject().ownedBy('ana').withVersion('v1', { duration });
    given(history)
      .when(add({ start: 0, end }), 'ana')
      .then([{ type: 'RegionAdded', data: { regionId: 'r1', versionId: 'v1', span: { ...span, start: 0, end } } }]);
    given(history)
      .when(add({ start: 0, end: end + 0.001 }), 'ana')
      .thenRefused('region.out-of-bounds');
  });
});

describe('editing a region', () => {
  test.each<[string, Partial<RegionSpan>]>([
    ['one end', { end: 30 }],
    ['both ends', { start: 1, end: 2 }],
    ['its category', { tag: 'style' }],
    ['its label', { label: 'Vocals' }],
  ])('%s changes, the rest stays', (_what, change) => {
    given(drawn)
      .when(edit(change), 'bob')
      .then([{ type: 'RegionEdited', data: { regionId: 'r1', from: span, to: { ...span, ...change } } }]);
  });

  test('an edit without a difference is no event', () => {
    given(drawn).when(edit({}), 'bob').thenNothing();
    given(drawn).when(edit(span), 'bob').thenNothing();
  });

  test('only its author may, not even the owner', () => {
    for (const uid of ['ana', 'carl', 'v0'])
      given(drawn)
        .when(edit({ end: 30 }), uid)
        .thenRefused('region.not-yours');
  });

  test('only while they may still draw', () => {
    const silenced = drawn.withPermissions('bob', { access: 1, write: false }, { access: 2, write: false });
    given(silenced)
      .when(edit({ end: 30 }), 'bob')
      .thenRefused('region.not-yours');
    given(silenced).when(removal, 'bob').thenRefused('region.not-yours', { detail: 'Permission denied' });
    given(drawn.without('bob'))
      .when(edit({ end: 30 }), 'bob')
      .thenRefused('project.not-found');
  });

  test('the edited region must be within the track', () =>
    given(drawn)
      .when(edit({ start: 19.96 }), 'bob')
      .thenRefused('region.out-of-bounds'));

  test('a region of a removed version cannot be edited', () =>
    given(drawn.withoutVersion('v1'))
      .when(edit({ end: 30 }), 'bob')
      .thenRefused('version.not-found'));

  test('an unknown region is not found', () => {
    given(shared)
      .when(edit({ end: 30 }), 'bob')
      .thenRefused('region.not-found');
    given(drawn.withoutRegion('r1', { by: 'bob' }))
      .when(edit({ end: 30 }), 'bob')
      .thenRefused('region.not-found');
  });
});

describe('removing a region', () => {
  test('its author may', () => given(drawn).when(removal, 'bob').then([removed()]));

  test('the comments tagged with it lose the tag', () =>
    given(drawn.withComment('c1', { by: 'bob', tags: ['r1'] }).withComment('c2', { by: 'bob' }))
      .when(removal, 'bob')
      .then([removed({ commentIds: ['c1'] })]));

  test('other users may not', () => {
    for (const uid of ['ana', 'carl', 'v0']) given(drawn).when(removal, uid).thenRefused('region.not-yours', { detail: 'Permission denied' });
  });

  test('a second removal is refused as not found', () =>
    given(drawn.withoutRegion('r1', { by: 'bob' }))
      .when(removal, 'bob')
      .thenRefused('region.not-found'));
});
