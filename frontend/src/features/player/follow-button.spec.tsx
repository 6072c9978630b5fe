import { expect, test } from '@jest/globals';
import { act, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { createStore } from '../../shared/hooks/store';
import { FollowButton } from './follow-button';
import { playing } from './player-fixture';
import { timeScale } from './time-scale';

function aWave() {
  const { store } = playing();
  const isFollowing = createStore(true);
  const revealed: number[] = [];
  const view = { isFollowing, scale: timeScale(100, 600, 50), visibleWidth: 600, reveal: (seconds: number) => void revealed.push(seconds) };
  render(<FollowButton store={store} view={view} />);
  return { store, isFollowing, revealed, button: () => screen.queryByRole('button', { name: /^Follow/ }) };
}

test('Follow appears when the user scrolls away during playback, and scrolls back to the playhead', async () => {
  const { store, isFollowing, revealed, button } = aWave();
  expect(button()).not.toBeInTheDocument();

  act(() => isFollowing.set(false));
  act(() => store.seek(40));
  await userEvent.click(screen.getByRole('button', { name: /^Follow/ }));
  expect(revealed).toEqual([40]);
  expect(isFollowing.get()).toBe(true);
  expect(button()).not.toBeInTheDocument();
});

test('F follows too', async () => {
  const { isFollowing } = aWave();
  act(() => isFollowing.set(false));
  await userEvent.keyboard('f');
  expect(isFollowing.get()).toBe(true);
});

test('a paused track has no Follow button', () => {
  const { store, isFollowing, button } = aWave();
  act(() => isFollowing.set(false));
  act(() => store.pause());
  expect(button()).not.toBeInTheDocument();
});
