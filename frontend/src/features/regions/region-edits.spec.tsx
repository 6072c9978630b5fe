import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { RegionView } from '@roughmix/contracts/regions/region.view.js';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { RemovalsProvider } from '../../shared/removals/removals-provider';
import { Toasts } from '../../shared/ui/toasts';
import '../../testing/surfaces';
import { regionLive } from './region.live';
import { RegionLayer } from './region-layer';
import { regionsOf, useRegions } from './regions.queries';
import { aRegion, aVersion, aViewer } from './testing';
import { useRegionEditor } from './use-region-editor';

const versions = [aVersion('v2')];
const scale = { duration: 100, pxPerSecond: 10, toX: (seconds: number) => seconds * 10 };
const refused = (detail: string) =>
  Response.json(
    { type: 'about:blank', title: 'Forbidden', status: 403, code: 'region.not-yours', detail },
    { status: 403, headers: { 'Content-Type': 'application/problem+json' } },
  );
const saved = (facts: Partial<RegionView>) => Response.json({ updatedRegion: aRegion('a', facts), updatedProject: {} });

interface Call {
  readonly submission: unknown;
  readonly answer: (response: Response) => void;
}

const realFetch = globalThis.fetch;
let calls: Call[] = [];
let cache: QueryClient;
beforeEach(() => {
  calls = [];
  globalThis.fetch = (_address, init) =>
    new Promise((resolve) => {
      const { submission } = JSON.parse(typeof init?.body === 'string' ? init.body : '{}') as { readonly submission?: unknown };
      calls.push({ submission, answer: resolve });
    });
});
afterEach(() => {
  globalThis.fetch = realFetch;
});

function Page() {
  const editor = useRegionEditor({ projectId: 'p1', versions, version: versions[0] ?? null, viewer: aViewer('ana'), regions: useRegions('p1') ?? [] });
  const region = editor.all[0];
  const change = (bounds: { readonly start: number; readonly end: number }) => region && editor.change(region, bounds);
  return (
    <>
      <RegionLayer editor={editor} view={{ scale, renderedSpan: { start: 0, end: 100 }, zoomTo: () => undefined, reveal: () => undefined }} />
      <button type="button" onClick={() => change({ start: 20, end: 24 })}>
        to 20
      </button>
      <button type="button" onClick={() => change({ start: 30, end: 34 })}>
        to 30
      </button>
      <button type="button" onClick={() => change({ start: 40, end: 44 })}>
        to 40
      </button>
    </>
  );
}

function openPage() {
  cache = new QueryClient();
  cache.setQueryData(regionsOf('p1').queryKey, [aRegion('a', { label: 'Kick' })]);
  render(
    <QueryClientProvider client={cache}>
      <Toasts>
        <RemovalsProvider>
          <Page />
        </RemovalsProvider>
      </Toasts>
    </QueryClientProvider>,
  );
  return userEvent.setup();
}

const label = () => screen.getByRole('button', { name: /^Kick/ }).getAttribute('aria-label');
const press = (name: string) => void fireEvent.click(screen.getByRole('button', { name }));
/** Responds to the call with this index once it has been sent. */
async function answerNext(index: number, response: Response) {
  await waitFor(() => expect(calls.length).toBeGreaterThan(index));
  calls[index]?.answer(response);
}
const toasts = () => screen.queryAllByText(/The region was not changed\./);

describe('edits of the user’s own region', () => {
  test('that all fail restore the server’s copy and show one toast', async () => {
    openPage();
    for (const name of ['to 20', 'to 30', 'to 40']) press(name);
    await waitFor(() => expect(label()).toBe('Kick, General, 0:40.0 to 0:44.0'));
    for (const index of [0, 1, 2]) await answerNext(index, refused(`No ${index}.`));
    await waitFor(() => expect(toasts()).toHaveLength(1));
    expect(toasts()[0]).toHaveTextContent('The region was not changed. No 2.');
    await waitFor(() => expect(label()).toBe('Kick, General, 0:10.0 to 0:14.0'));
  });

  test('that were saved remain when a later one fails', async () => {
    openPage();
    press('to 20');
    press('to 30');
    await answerNext(0, saved({ label: 'Kick', start: 20, end: 24, position: 61 }));
    await answerNext(1, refused('No.'));
    await waitFor(() => expect(toasts()).toHaveLength(1));
    await waitFor(() => expect(label()).toBe('Kick, General, 0:20.0 to 0:24.0'));
  });

  test('that fail show changes made by others meanwhile', async () => {
    openPage();
    press('to 20');
    await waitFor(() => expect(label()).toBe('Kick, General, 0:20.0 to 0:24.0'));
    act(() => regionLive.RegionEdited(cache, { view: aRegion('a', { label: 'Kick 2', position: 61 }) }));
    await waitFor(() => expect(label()).toBe('Kick 2, General, 0:20.0 to 0:24.0'));
    await answerNext(0, refused('No.'));
    await waitFor(() => expect(label()).toBe('Kick 2, General, 0:10.0 to 0:14.0'));
  });

  test('are retried as one command with the latest state', async () => {
    openPage();
    press('to 20');
    press('to 30');
    await answerNext(0, refused('No.'));
    await answerNext(1, refused('No.'));
    await waitFor(() => expect(toasts()).toHaveLength(1));
    press('Retry');
    await answerNext(2, saved({ label: 'Kick', start: 30, end: 34, position: 61 }));
    await waitFor(() => expect(cache.getQueryData(regionsOf('p1').queryKey)?.[0]?.start).toBe(30));
    expect(calls.map(({ submission }) => submission)).toEqual([
      { start: 20, end: 24 },
      { start: 30, end: 34 },
      { start: 30, end: 34 },
    ]);
  });
});

describe('an edge moved with the arrow keys', () => {
  const openGrips = async () => {
    const user = openPage();
    await user.click(screen.getByRole('button', { name: /^Kick/ }));
    return { user, grip: screen.getByRole('slider', { name: 'Region end' }) };
  };

  test('follows a held arrow key, and is sent as one command when the key is released', async () => {
    const { user, grip } = await openGrips();
    act(() => grip.focus());
    await user.keyboard('{ArrowRight>5}');
    expect(label()).toBe('Kick, General, 0:10.0 to 0:14.5');
    expect(calls).toHaveLength(0);
    await user.keyboard('{/ArrowRight}');
    await waitFor(() => expect(calls.map(({ submission }) => submission)).toEqual([{ start: 10, end: 14.5 }]));
    expect(label()).toBe('Kick, General, 0:10.0 to 0:14.5');
  });

  test('is sent if the grip loses focus while the key is held', async () => {
    const { user, grip } = await openGrips();
    act(() => grip.focus());
    await user.keyboard('{ArrowLeft>2}');
    act(() => grip.blur());
    await waitFor(() => expect(calls.map(({ submission }) => submission)).toEqual([{ start: 10, end: 13.8 }]));
    await user.keyboard('{/ArrowLeft}');
    expect(calls).toHaveLength(1);
  });

  test('that returns to its position sends nothing', async () => {
    const { user, grip } = await openGrips();
    act(() => grip.focus());
    await user.keyboard('{ArrowLeft>}{ArrowRight>}{/ArrowRight}{/ArrowLeft}');
    expect(calls).toHaveLength(0);
    expect(within(screen.getByRole('list', { name: 'Regions' })).getAllByRole('button')).toHaveLength(1);
  });
});
