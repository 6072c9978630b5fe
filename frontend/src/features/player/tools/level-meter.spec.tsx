import { expect, test } from '@jest/globals';
import { act, render } from '@testing-library/react';
import { MeterListeners } from '../meter-listeners';
import { aPlayer } from '../player-fixture';
import { LevelMeter } from './level-meter';

function aMeter() {
  const asked: boolean[] = [];
  const meters = new MeterListeners((isOn) => asked.push(isOn));
  const page = render(<LevelMeter store={{ ...aPlayer().store, watchMeter: meters.watch }} />);
  const shown = () => page.container.querySelector('.level-meter > .meta')?.textContent;
  const bar = () => page.container.querySelector('.level')?.getAttribute('style');
  return { ...page, asked, meters, shown, bar };
}

test('the meter shows short-term loudness and peak while something plays', () => {
  const { meters, shown, bar } = aMeter();
  expect(shown()).toBe('');
  act(() => meters.publish({ shortTerm: null, peak: 0.5 }));
  expect(shown()).toBe('−6.0 dBFS');
  act(() => meters.publish({ shortTerm: -12, peak: 1 }));
  expect(shown()).toBe('−12.0 LUFS, 0.0 dBFS');
  expect(bar()).toBe('--loudness: 0.75; --peak: 1;');
  act(() => meters.publish(null));
  expect(shown()).toBe('');
  expect(bar()).toBe('--loudness: 0; --peak: 0;');
});

test('levels are measured only while the meter is shown, and are not announced', () => {
  const { asked, unmount, queryByText, meters, container } = aMeter();
  act(() => meters.publish({ shortTerm: -12, peak: 1 }));
  expect(queryByText('−12.0 LUFS, 0.0 dBFS')?.closest('[aria-hidden=true]')).toBe(container.firstChild);
  expect(asked).toEqual([true]);
  unmount();
  expect(asked).toEqual([true, false]);
});
