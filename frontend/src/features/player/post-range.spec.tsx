import { expect, test } from '@jest/globals';
import { act, render } from '@testing-library/react';
import { playing } from './player-fixture';
import { LoopRange } from './post-range';
import { timeScale } from './time-scale';

test('the loop of a region that the open version does not show is drawn; a loop of the whole track is not', () => {
  const { store } = playing();
  const scale = timeScale(100, 600, 0);
  const { container } = render(<LoopRange store={store} view={{ scale }} />);
  const range = () => container.querySelector('i')?.getAttribute('style') ?? null;
  expect(range()).toBeNull();
  act(() => store.setLoop({ start: 10, end: 14 }));
  expect(range()).toBe(`left: ${scale.toX(10)}px; width: ${scale.toX(14) - scale.toX(10)}px;`);
  act(() => store.setLoop({ start: 0, end: 100 }));
  expect(range()).toBeNull();
});
