import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { RemovalsProvider } from '../../shared/removals/removals-provider';
import { Toasts } from '../../shared/ui/toasts';
import type { RegionChange } from './shown-region';
import { aPerson, aRegion, aVersion, aViewer } from './testing';
import { useRegionEditor } from './use-region-editor';

const realFetch = globalThis.fetch;
let sent = 0;
let answers: () => Promise<Response>;
beforeEach(() => {
  sent = 0;
  globalThis.fetch = () => {
    sent += 1;
    return answers();
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
