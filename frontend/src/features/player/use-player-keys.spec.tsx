import { expect, test } from '@jest/globals';
import { act, render, renderHook } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { aPlayer, playing } from './player-fixture';
import type { PlayerStore } from './player-state';
import { type SelectedSpan, toggleLoop, usePlayerActions, usePlayerKeys } from './use-player-keys';

const region: SelectedSpan = { id: 'r1', start: 10, end: 14 };
const moment: SelectedSpan = { id: 'c1', start: 30, end: 34, isMoment: true };

/** A player paused at 5 s of 100. */
function aPage(selected: SelectedSpan | null) {
  const { media, store } = playing();
  store.pause();
  store.seek(5);
  const page = renderHook(
    (props: { readonly selected: SelectedSpan | null; readonly versionId: string }) => usePlayerActions(store, props.selected, props.versionId),
    {
      initialProps: { selected, versionId: 'v1' },
    },
  );
  const press = (key: 'Space' | 'L') => act(() => (key === 'Space' ? page.result.current.onPlay() : page.result.current.onLoop()));
  const select = (next: SelectedSpan | null, versionId = 'v1') => page.rerender({ selected: next, versionId });
  const facts = () => {
    const { playing: isPlaying, position, loop } = store.getSnapshot();
    return { isPlaying, position, loop };
  };
  return { media, press, select, facts };
}

test('Space plays the selected region from its start and stops at its end', () => {
  const { media, press, facts } = aPage(region);
  press('Space');
  expect(facts()).toEqual({ isPlaying: true, position: 10, loop: null });
  media.advanceTo(14.01);
  expect(facts()).toEqual({ isPlaying: false, position: 14, loop: null });
});

test('Space plays from the selected moment', () => {
  const { media, press, facts } = aPage(moment);
  press('Space');
  expect(facts()).toEqual({ isPlaying: true, position: 30, loop: null });
  media.advanceTo(40);
  expect(facts()).toEqual({ isPlaying: true, position: 40, loop: null });
  press('Space');
  expect(facts().isPlaying).toBe(false);
  press('Space');
  expect(facts()).toEqual({ isPlaying: true, position: 30, loop: null });
});

test('Space resumes inside the selection up to its end, and anywhere without one', () => {
  const { media, press, select, facts } = aPage(region);
  press('Space');
  media.advanceTo(12);
  press('Space');
  press('Space');
  expect(facts()).toEqual({ isPlaying: true, position: 12, loop: null });
  media.advanceTo(14.01);
  expect(facts()).toEqual({ isPlaying: false, position: 14, loop: null });
  press('Space');
  media.advanceTo(12);
  press('Space');
  select(null);
  press('Space');
  expect(facts()).toEqual({ isPlaying: true, position: 12, loop: null });
});

test.each([
  ['region', region, { start: 10, end: 14 }],
  ['moment of a post', moment, { start: 30, end: 34 }],
  ['whole track without a selection', null, { start: 0, end: 100 }],
])('L loops the %s, and ends the loop', (_, selected, span) => {
  const { press, facts } = aPage(selected);
  press('L');
  expect(facts().loop).toEqual(span);
  press('L');
  expect(facts().loop).toBeNull();
});

test('the loop follows the bounds of the selection, and ends with it', () => {
  const { press, select, facts } = aPage(region);
  press('L');
  select({ ...region, end: 15 });
  expect(facts().loop).toEqual({ start: 10, end: 15 });
  select(moment);
  expect(facts().loop).toBeNull();
});

test('the loop of a region continues in another version, which does not show the region', () => {
  const { press, select, facts } = aPage(region);
  press('L');
  select(null, 'v2');
  expect(facts().loop).toEqual({ start: 10, end: 14 });
  select(region, 'v1');
  expect(facts().loop).toEqual({ start: 10, end: 14 });
  select(moment, 'v2');
  expect(facts().loop).toBeNull();
});

test('without audio there is nothing to loop', () => {
  const { store } = aPlayer();
  store.load(null);
  toggleLoop(store, null);
  expect(store.getSnapshot().loop).toBeNull();
});

/** A page with the player's keys and nothing selected. */
function Keys({ store }: { readonly store: PlayerStore }) {
  usePlayerKeys(store, usePlayerActions(store, null, 'v1'), { zoom: 1, setZoom: () => undefined }, () => undefined);
  return null;
}

test('the key Space toggles play', async () => {
  const { store } = playing();
  render(<Keys store={store} />);
  await userEvent.keyboard(' ');
  expect(store.getSnapshot().playing).toBe(false);
  await userEvent.keyboard(' ');
  expect(store.getSnapshot().playing).toBe(true);
});

test('the key Enter rewinds to the start, playing or not', async () => {
  const { media, store } = playing();
  render(<Keys store={store} />);
  media.advanceTo(42);
  await userEvent.keyboard('{Enter}');
  expect(store.getSnapshot()).toMatchObject({ position: 0, playing: true });
  store.pause();
  store.seek(30);
  await userEvent.keyboard('{Enter}');
  expect(store.getSnapshot()).toMatchObject({ position: 0, playing: false });
});
