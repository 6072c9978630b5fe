import { afterEach, expect, jest, test } from '@jest/globals';
import { styleSheet } from '../../testing/style-sheet';
import { fadeOut } from './fade-out';

/** A row that records its animation, which jsdom does not have. */
function aRow() {
  const fade = { cancel: jest.fn(), onfinish: null as (() => void) | null };
  const animate = jest.fn<(keyframes: object, options: object) => typeof fade>(() => fade);
  const row = Object.assign(document.createElement('article'), { animate });
  return { row, fade, animate };
}
const prefersLess = (matches: boolean) => jest.spyOn(window, 'matchMedia').mockReturnValue({ matches } as MediaQueryList);

afterEach(() => {
  jest.restoreAllMocks();
});

test('a removed row fades for 250 ms before it is hidden, and is shown in full if the removal is undone', async () => {
  prefersLess(false);
  const { row, fade, animate } = aRow();
  const hide = jest.fn();
  fadeOut(row, hide);
  expect(animate.mock.calls[0]?.[1]).toMatchObject({ duration: 250 });
  expect(hide).not.toHaveBeenCalled();
  fade.onfinish?.();
  expect(hide).toHaveBeenCalledTimes(1);
  await new Promise(requestAnimationFrame);
  expect(fade.cancel).toHaveBeenCalledTimes(1);
});

test('with less motion, or without a row, it is hidden at once', () => {
  prefersLess(true);
  const { row, animate } = aRow();
  const hide = jest.fn();
  fadeOut(row, hide);
  fadeOut(null, hide);
  expect([hide.mock.calls.length, animate.mock.calls.length]).toEqual([2, 0]);
});

test('icons flip in 340 ms, threads and details open in 300 ms, and the shake lasts 400 ms', async () => {
  const tokens = await styleSheet('shared/styles/tokens.css');
  expect(['--t-flip', '--t-expand', '--t-shake', '--t-modal'].map((name) => tokens.declared(':root', name))).toEqual(['340ms', '300ms', '400ms', '250ms']);
  const player = await styleSheet('features/player/player.css');
  expect(player.declared('.play .flips', 'animation')).toMatch(/var\(--t-flip\)/);
  const posts = await styleSheet('shared/posts/posts.css');
  expect(posts.declared('.turns, .turned', 'transition')).toMatch(/^transform var\(--t-flip\)/);
  const base = await styleSheet('shared/styles/base.css');
  expect(base.declared('.arrives', 'animation')).toMatch(/var\(--t-expand\)/);
});
