import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { RegionView } from '@roughmix/contracts/regions/region.view.js';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, render, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { RemovalsProvider } from '../../shared/removals/removals-provider';
import { Toasts } from '../../shared/ui/toasts';
import '../../testing/surfaces';
import { regionLive } from './region.live';
import { RegionPanel } from './region-panel';
import { RegionLayer } from './region-layer';
import { regionsOf, useRegions } from './regions.queries';
import { aPerson, aRegion, aVersion, aViewer } from './testing';
import { useRegionEditor } from './use-region-editor';
import { useRegionKeys } from './use-region-keys';

interface SentRequest {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
}

const realFetch = globalThis.fetch;
let requests: SentRequest[] = [];
let answer: (call: SentRequest) => Response = () => Response.json({});

beforeEach(() => {
  requests = [];
  globalThis.fetch = async (address, init) => {
    const body: unknown = typeof init?.body === 'string' ? JSON.parse(init.body) : undefined;
    const call = { method: init?.method ?? 'GET', path: new URL(address instanceof Request ? address.url : address).pathname, body };
    requests.push(call);
    return answer(call);
  };
});
afterEach(() => {
  globalThis.fetch = realFetch;
});

const versions = [aVersion('v1'), aVersion('v2')];
const scale = { duration: 100, pxPerSecond: 10, toX: (seconds: number) => seconds * 10 };
const still = { get: () => 0, subscribe: () => () => undefined };

function aPage(regions: readonly RegionView[], { uid = 'ana', comment = true, position = 50 } = {}) {
  const cache = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: Number.POSITIVE_INFINITY } } });
  cache.setQueryData(regionsOf('p1').queryKey, regions);
  const viewer = aViewer(uid, comment);
  const played: string[] = [];
  const revealed: number[] = [];
  function Page() {
    const data = useRegions('p1') ?? [];
    const editor = useRegionEditor({ projectId: 'p1', versions, version: versions[1] ?? null, viewer, regions: data });
    useRegionKeys(editor, () => position, 100);
    const view = {
      scale,
      renderedSpan: { start: 0, end: 100 },
      scroll: still,
      zoomTo: () => void played.push('zoom'),
      reveal: (seconds: number) => void revealed.push(seconds),
    };
    return (
      <>
        <RegionLayer editor={editor} view={view} />
        <RegionPanel editor={editor} view={view} loop={{ isOn: false, onToggle: () => undefined }} onPlay={({ id }) => void played.push(id)} />
      </>
    );
  }
  render(
    <QueryClientProvider client={cache}>
      <Toasts>
        <RemovalsProvider>
          <Page />
        </RemovalsProvider>
      </Toasts>
    </QueryClientProvider>,
  );
  return { cache, played, revealed, user: userEvent.setup() };
}

const labels = () =>
  within(screen.getByRole('list', { name: 'Regions' }))
    .queryAllByRole('button')
    .map((label) => label.getAttribute('aria-label'));

describe('on the wave', () => {
  test('regions are buttons in time order, with label, category and span', () => {
    aPage([aRegion('b', { start: 30, end: 40, tag: 'mix', label: 'Kick' }), aRegion('a', { start: 10, end: 14 }), aRegion('old', { versionId: 'v1' })]);

    expect(labels()).toEqual(['General, General, 0:10.0 to 0:14.0', 'Kick, Mix, 0:30.0 to 0:40.0']);
  });

  test('hundreds of regions are all rendered', () => {
    aPage(Array.from({ length: 120 }, (_, index) => aRegion(`r${index}`, { start: index / 2, end: index / 2 + 1 })));

    expect(labels()).toHaveLength(120);
  });

  test('a region far from the visible part is in the list, and scrolls into view when it is focused', () => {
    const { revealed } = aPage([aRegion('a', { start: 10, end: 14 }), aRegion('far', { start: 300, end: 310, label: 'Coda' })]);
    act(() => screen.getByRole('button', { name: /^Coda/ }).focus());

    expect(labels()).toEqual(['General, General, 0:10.0 to 0:14.0', 'Coda, General, 5:00.0 to 5:10.0']);
    expect(revealed).toEqual([300]);
  });

  test('only the creator gets grips and edit controls', async () => {
    const { user } = aPage([aRegion('a', { user: aPerson('bob'), label: 'Kick' })]);
    await user.click(screen.getByRole('button', { name: /^Kick/ }));

    expect(screen.getByRole('group', { name: 'Region: Kick' })).toBeInTheDocument();
    expect(screen.queryByRole('slider', { name: 'Region start' })).toBeNull();
    expect(screen.queryByRole('button', { name: 'Double, ×2' })).toBeNull();
    expect(screen.queryByRole('button', { name: 'Remove region' })).toBeNull();
    expect(screen.getByRole('button', { name: 'Copy link to this region' })).toBeInTheDocument();
  });

  test('selecting another region deselects the first, Escape clears the selection, and a double click zooms', async () => {
    const { user, played } = aPage([aRegion('a', { label: 'Kick' }), aRegion('b', { start: 30, end: 40, label: 'Snare' })]);
    await user.click(screen.getByRole('button', { name: /^Kick/ }));
    await user.dblClick(screen.getByRole('button', { name: /^Snare/ }));
    expect(screen.getAllByRole('button', { pressed: true }).map((label) => label.getAttribute('aria-label'))).toEqual(['Snare, General, 0:30.0 to 0:40.0']);
    expect(played).toEqual(['zoom']);

    await user.keyboard('{Escape}');
    expect(screen.queryByRole('group', { name: /^Region:/ })).toBeNull();
  });

  test('"Play it" plays the region', async () => {
    const { user, played } = aPage([aRegion('a', { label: 'Kick' })]);
    await user.click(screen.getByRole('button', { name: /^Kick/ }));
    await user.click(screen.getByRole('button', { name: 'Play it' }));

    expect(played).toEqual(['a']);
  });
});

describe('the user’s own region', () => {
  test('shows an edit immediately, and keeps the server’s version', async () => {
    answer = () => Response.json({ updatedRegion: aRegion('a', { label: 'Kick', start: 10, end: 18, position: 9 }), updatedProject: {} });
    const { user } = aPage([aRegion('a', { label: 'Kick' })]);
    await user.click(screen.getByRole('button', { name: /^Kick/ }));
    await user.click(screen.getByRole('button', { name: 'Double, ×2' }));

    expect(labels()).toEqual(['Kick, General, 0:10.0 to 0:18.0']);
    await waitFor(() => expect(requests).toEqual([{ method: 'PUT', path: '/api/regions/a', body: { projectId: 'p1', submission: { start: 10, end: 18 } } }]));
  });

  test('is restored if the server refuses the edit, and the reason is shown', async () => {
    answer = () =>
      Response.json(
        { type: 'about:blank', title: 'Forbidden', status: 403, code: 'region.not-yours', detail: 'Cannot edit region: insufficient permissions' },
        { status: 403, headers: { 'Content-Type': 'application/problem+json' } },
      );
    const { user } = aPage([aRegion('a', { label: 'Kick' })]);
    await user.click(screen.getByRole('button', { name: /^Kick/ }));
    await user.click(screen.getByRole('button', { name: 'Halve, ½' }));

    expect(await screen.findByText(/The region was not changed. Cannot edit region: insufficient permissions/)).toBeInTheDocument();
    expect(labels()).toEqual(['Kick, General, 0:10.0 to 0:14.0']);
  });

  test('is shown again if the server refuses the removal, and the reason is shown', async () => {
    answer = () =>
      Response.json(
        { type: 'about:blank', title: 'Forbidden', status: 403, code: 'region.not-yours', detail: 'Permission denied' },
        { status: 403, headers: { 'Content-Type': 'application/problem+json' } },
      );
    const { user } = aPage([aRegion('a', { label: 'Kick' })]);
    await user.click(screen.getByRole('button', { name: /^Kick/ }));
    await user.click(screen.getByRole('button', { name: 'Remove region' }));
    await user.click(await screen.findByRole('button', { name: 'Dismiss' }));
    expect(await screen.findByText('The region was not removed. Permission denied')).toBeInTheDocument();
    expect(labels()).toEqual(['Kick, General, 0:10.0 to 0:14.0']);
  });

  test('cannot be moved out of the track', async () => {
    const { user } = aPage([aRegion('a', { label: 'Kick', start: 1, end: 4 })]);
    await user.click(screen.getByRole('button', { name: /^Kick/ }));
    await user.click(screen.getByRole('button', { name: 'Move left by its length' }));

    expect(requests).toEqual([]);
    expect(labels()).toEqual(['Kick, General, 0:01.0 to 0:04.0']);
  });

  test('gets a new label on Enter, and keeps the old one on Escape', async () => {
    answer = () => Response.json({ updatedRegion: aRegion('a', { label: 'Snare', position: 9 }), updatedProject: {} });
    const { user } = aPage([aRegion('a', { label: 'Kick' })]);
    await user.click(screen.getByRole('button', { name: /^Kick/ }));
    await user.click(screen.getByRole('button', { name: /^Label: Kick/ }));
    await user.keyboard('Hat{Escape}');
    expect(requests).toEqual([]);

    await user.click(screen.getByRole('button', { name: /^Label: Kick/ }));
    await user.keyboard('Snare{Enter}');
    await waitFor(() => expect(requests.map(({ body }) => body)).toEqual([{ projectId: 'p1', submission: { label: 'Snare' } }]));
    expect(labels()).toEqual(['Snare, General, 0:10.0 to 0:14.0']);
  });

  test('disappears when it is removed, is selected again by Undo, and is removed on the server once the message is dismissed', async () => {
    answer = () => Response.json({ updatedProject: {} });
    const { user } = aPage([aRegion('a', { label: 'Kick' })]);
    const remove = async () => user.click(screen.getByRole('button', { name: 'Remove region' }));
    await user.click(screen.getByRole('button', { name: /^Kick/ }));
    await remove();
    expect(labels()).toEqual([]);
    await user.click(await screen.findByRole('button', { name: 'Undo' }));
    expect(labels()).toEqual(['Kick, General, 0:10.0 to 0:14.0']);

    await remove();
    await user.click(await screen.findByRole('button', { name: 'Dismiss' }));
    await waitFor(() => expect(requests).toEqual([{ method: 'POST', path: '/api/regions/a', body: { projectId: 'p1' } }]));
    expect(labels()).toEqual([]);
  });
});

describe('a new region', () => {
  test('starts at the playhead and is a draft until saved', async () => {
    answer = () => Response.json({ newRegion: aRegion('new', { start: 50, end: 54, position: 9 }), updatedProject: {} }, { status: 201 });
    const { user } = aPage([]);
    await user.keyboard('[[');
    expect(labels()).toEqual(['New general region, General, 0:50.0 to 0:54.0']);
    expect(requests).toEqual([]);

    await user.click(screen.getByRole('button', { name: 'Save region' }));
    await waitFor(() => expect(labels()).toEqual(['General, General, 0:50.0 to 0:54.0']));
    expect(requests.map(({ method, path, body }) => [method, path, body])).toEqual([
      ['POST', '/api/regions', { projectId: 'p1', submission: { versionId: 'v2', start: 50, end: 54, tag: 'general', label: null } }],
    ]);
  });

  test('has a link to its range before it is saved', async () => {
    const { user } = aPage([]);
    await user.keyboard('[[');
    await user.click(screen.getByRole('button', { name: 'Copy link to this range' }));
    expect(new URL(await navigator.clipboard.readText()).search).toBe('?v=v2&t=50-54');
  });

  test('is discarded by Escape', async () => {
    const { user } = aPage([]);
    await user.keyboard(']');
    expect(labels()).toEqual(['New general region, General, 0:46.0 to 0:50.0']);

    await user.keyboard('{Escape}');
    expect(within(screen.getByRole('list', { name: 'Regions' })).queryAllByRole('button')).toEqual([]);
  });

  test('cannot be created by users who may not comment', async () => {
    const { user } = aPage([], { comment: false });
    await user.keyboard('[[');

    expect(within(screen.getByRole('list', { name: 'Regions' })).queryAllByRole('button')).toEqual([]);
    expect(screen.getByText('Press a label over the wave to see what its region is about.')).toBeInTheDocument();
  });
});

describe('live', () => {
  const push = { projectId: 'p1', actorUid: 'bob', commandId: null } as const;

  test('regions that others add, edit and remove are updated on the wave', async () => {
    const { cache } = aPage([aRegion('a', { label: 'Kick' })]);
    regionLive.RegionAdded(cache, { view: aRegion('b', { start: 1, end: 2, label: 'Hat', position: 5 }) });
    await waitFor(() => expect(labels()).toHaveLength(2));

    regionLive.RegionEdited(cache, { view: aRegion('b', { start: 1, end: 2, label: 'Ride', position: 7 }) });
    regionLive.RegionEdited(cache, { view: aRegion('b', { start: 1, end: 2, label: 'late', position: 6 }) });
    await waitFor(() => expect(labels()[0]).toBe('Ride, General, 0:01.0 to 0:02.0'));

    regionLive.RegionRemoved(cache, { ...push, type: 'RegionRemoved', ids: ['b'], position: 8 });
    await waitFor(() => expect(labels()).toEqual(['Kick, General, 0:10.0 to 0:14.0']));
  });
});
