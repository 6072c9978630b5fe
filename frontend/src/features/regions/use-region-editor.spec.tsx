import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { RegionView } from '@roughmix/contracts/regions/region.view.js';
import { act, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { RemovalsProvider } from '../../shared/removals/removals-provider';
import { Toasts } from '../../shared/ui/toasts';
import type { RegionChange } from './shown-region';
import { aPerson, aRegion, aVersion, aViewer } from './testing';
import { type RegionEditor, useRegionEditor } from './use-region-editor';
import { regionsOf, useRegions } from './regions.queries';

const realFetch = globalThis.fetch;
let sent = 0;
interface RequestBody {
  readonly submission: unknown;
}
let bodies: RequestBody[];
let answers: (method: string, body: RequestBody) => Promise<Response>;
beforeEach(() => {
  sent = 0;
  bodies = [];
  globalThis.fetch = (_url, init) => {
    sent += 1;
    const body = JSON.parse(init?.body as string) as RequestBody;
    bodies.push(body);
    return answers(init?.method ?? 'GET', body);
  };
});
afterEach(() => {
  globalThis.fetch = realFetch;
});

const version = aVersion('v2');
const options = { projectId: 'p1', versions: [version], version, viewer: aViewer('ana'), regions: [] };
const cache = new QueryClient();
const wrapper = ({ children }: { readonly children: ReactNode }) => (
  <QueryClientProvider client={cache}>
    <Toasts>
      <RemovalsProvider>{children}</RemovalsProvider>
    </Toasts>
  </QueryClientProvider>
);

/** An editor with a draft. */
function drawn() {
  const { result } = renderHook(() => useRegionEditor(options), { wrapper });
  act(() => result.current.setDraft({ start: 10, end: 14 }));
  return result;
}

test('a comment sent while its region is being saved does not save the region twice', async () => {
  let answer = (): void => undefined;
  const answered = new Promise<void>((resolve) => (answer = resolve));
  answers = () => answered.then(() => Response.json({ newRegion: aRegion('new', { start: 10, end: 14 }), updatedProject: {} }, { status: 201 }));
  const editor = drawn();
  const { save } = editor.current;
  const saved = act(() => Promise.all([save(), save()]));
  answer();
  expect((await saved).map(({ _id }) => _id)).toEqual(['new', 'new']);
  expect((await act(() => save()))._id).toBe('new');
  expect(sent).toBe(1);
});

test('a refused region can be saved again', async () => {
  const problem = { type: 'about:blank', title: 'Forbidden', status: 403, code: 'project.forbidden', detail: 'You may not do this in this project.' };
  answers = () => Promise.resolve(Response.json(problem, { status: 403, headers: { 'content-type': 'application/problem+json' } }));
  const editor = drawn();
  await act(() => expect(editor.current.save()).rejects.toMatchObject({ problem: { status: 403 } }));
  answers = () => Promise.resolve(Response.json({ newRegion: aRegion('new'), updatedProject: {} }, { status: 201 }));
  expect((await act(() => editor.current.save()))._id).toBe('new');
  expect(sent).toBe(2);
});

describe('while the region is being saved', () => {
  const updatedProject = {};
  let finish: () => Promise<void>;

  /** An editor whose draft is being saved until `finish` is called; its list follows the cache. */
  function saving() {
    cache.setQueryData(regionsOf('p1').queryKey, []);
    let answer = (): void => undefined;
    const answered = new Promise<void>((resolve) => (answer = resolve));
    answers = (method, body) => {
      const submission = body.submission as Partial<RegionView>;
      if (method === 'PUT') return Promise.resolve(Response.json({ updatedRegion: aRegion('new', { ...submission, position: 3 }), updatedProject }));
      return answered.then(() => Response.json({ newRegion: aRegion('new', { ...submission, position: 2 }), updatedProject }, { status: 201 }));
    };
    const { result } = renderHook(() => useRegionEditor({ ...options, regions: useRegions('p1') ?? [] }), { wrapper });
    act(() => result.current.setDraft({ start: 10, end: 14 }));
    const saved = result.current.save();
    finish = async () => {
      await act(async () => {
        answer();
        await saved;
      });
      await waitFor(() => expect(result.current.all.map(({ id }) => id)).toEqual(['new']));
    };
    return result;
  }
  const changeSelected = (editor: { readonly current: RegionEditor }, changes: RegionChange) =>
    act(() => {
      if (editor.current.selected) editor.current.change(editor.current.selected, changes);
    });

  test('what is moved or labelled is kept, and sent once it is saved', async () => {
    const editor = saving();
    changeSelected(editor, { start: 11 });
    changeSelected(editor, { label: 'Kick' });
    const key = editor.current.keyOf('temp_region');
    await finish();
    expect(editor.current.shown).toMatchObject([{ id: 'new', start: 11, end: 14, label: 'Kick' }]);
    expect([editor.current.selectedId, editor.current.keyOf('new')]).toEqual(['new', key]);
    await waitFor(() =>
      expect(bodies.map(({ submission }) => submission)).toEqual([expect.objectContaining({ start: 10, label: null }), { start: 11, label: 'Kick' }]),
    );
  });

  test('a region that is drawn stays the draft, and selected', async () => {
    const editor = saving();
    act(() => editor.current.setDraft({ start: 30, end: 33 }));
    act(() => editor.current.setDraft({ start: 30, end: 34 }));
    await finish();
    expect(editor.current.shown).toMatchObject([
      { id: 'new', start: 10, end: 14 },
      { id: 'temp_region', start: 30, end: 34 },
    ]);
    expect([editor.current.selectedId, bodies.length]).toEqual(['temp_region', 1]);
  });

  test('a selection that is ended or moved on stays as it is', async () => {
    const editor = saving();
    act(() => editor.current.select(null));
    await finish();
    expect(editor.current.shown).toMatchObject([{ id: 'new', start: 10, end: 14 }]);
    expect(editor.current.selectedId).toBeNull();
  });

  test('it does not become the draft again when it is removed', async () => {
    const editor = saving();
    await finish();
    act(() => void cache.setQueryData(regionsOf('p1').queryKey, []));
    await waitFor(() => expect(editor.current.shown).toEqual([]));
  });
});

describe('a region that posts are being tagged with', () => {
  const regions = [aRegion('r1', { user: aPerson('bob') })];
  const tagging = (viewer = aViewer('ana')) => {
    const { result } = renderHook(() => useRegionEditor({ ...options, regions, viewer }), { wrapper });
    const r1 = () => result.current.shown[0];
    const change = (changes: RegionChange) =>
      act(() => {
        const region = r1();
        if (region) result.current.change(region, changes);
      });
    return { tagging: () => result.current.tagging, r1, change };
  };

  test('shows the change of the box that was opened last; the others keep theirs', () => {
    const { tagging: now, r1, change } = tagging();
    act(() => now().begin('new comment', 'r1'));
    change({ end: 20 });
    act(() => now().begin('edited comment', 'r1'));
    expect(r1()).toMatchObject({ end: 14, isAdjustable: true, isOwn: false });
    change({ start: 12 });
    expect([r1(), now().current?.change]).toMatchObject([{ start: 12, end: 14 }, { start: 12 }]);
    act(() => now().end('edited comment'));
    expect([r1(), now().current?.change]).toMatchObject([{ start: 10, end: 20 }, { end: 20 }]);
    act(() => now().end('new comment'));
    expect(r1()).toMatchObject({ start: 10, end: 14, isAdjustable: false });
    expect(sent).toBe(0);
  });

  test('a field that is changed back counts as unchanged', () => {
    const { tagging: now, change } = tagging();
    act(() => now().begin('new comment', 'r1'));
    change({ start: 12, tag: 'mix' });
    change({ start: 10 });
    expect(now().current?.change).toEqual({ tag: 'mix' });
  });

  test('cannot be changed by viewers who may not draw', () => {
    const { tagging: now, r1 } = tagging(aViewer('ana', false));
    act(() => now().begin('new comment', 'r1'));
    expect(r1()).toMatchObject({ isAdjustable: false });
  });
});
