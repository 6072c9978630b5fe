import { describe, expect, test } from '@jest/globals';
import { fireEvent, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { streaming } from '../engine/engine-fixture';
import { aPlayer, FakeMediaElement, first } from '../player-fixture';
import type { Track } from '../player-state';
import { createPlayerStore } from '../player-store';
import { PitchAndTempo, usePitchAndTempoKeys } from './pitch-and-tempo';

/** An hour takes more memory than any device has for decoded audio. */
const anHour: Track = { ...first, duration: 3_600 };
/** A player whose engine is still loading, with the full range. */
const aPlayerOf = (track: Track) => {
  const store = createPlayerStore({ media: new FakeMediaElement(), loadEngine: () => new Promise(() => undefined) });
  store.load(track);
  return store;
};

function Tools({ store }: { readonly store: ReturnType<typeof aPlayer>['store'] }) {
  usePitchAndTempoKeys(store);
  return <PitchAndTempo store={store} />;
}

function openTools(store = aPlayerOf(first)) {
  render(<Tools store={store} />);
  const state = () => ({ pitch: store.getSnapshot().pitch, tempo: store.getSnapshot().tempo });
  return { store, state, pitch: screen.getByRole('slider', { name: 'Pitch' }), tempo: screen.getByRole('slider', { name: 'Tempo' }) };
}

describe('pitch and tempo', () => {
  test('run from 0.05 to 2 in steps of 0.05, independent of each other', () => {
    const { pitch, tempo, state } = openTools();
    for (const slider of [pitch, tempo]) {
      expect(slider).toHaveAttribute('min', '0.05');
      expect(slider).toHaveAttribute('max', '2');
      expect(slider).toHaveAttribute('step', '0.05');
      expect(slider).toHaveValue('1');
    }
    fireEvent.change(pitch, { target: { value: '1.5' } });
    fireEvent.change(tempo, { target: { value: '0.75' } });
    expect(state()).toEqual({ pitch: 1.5, tempo: 0.75 });
  });

  test('show their value, semitones and percent, also to a screen reader', () => {
    const { pitch, tempo } = openTools();
    fireEvent.change(pitch, { target: { value: '2' } });
    fireEvent.change(tempo, { target: { value: '0.75' } });
    for (const text of ['2.00', '+12.0 st', '0.75', '75 %']) expect(screen.getByText(text)).toBeInTheDocument();
    expect(pitch).toHaveAttribute('aria-valuetext', '2.00, +12.0 semitones');
    expect(tempo).toHaveAttribute('aria-valuetext', '0.75, 75 %');
  });

  test('a double click on the slider or its label resets it', async () => {
    const { pitch, tempo, state, store } = openTools();
    store.setPitch(1.5);
    store.setTempo(0.75);
    await userEvent.dblClick(pitch);
    expect(state()).toEqual({ pitch: 1, tempo: 0.75 });
    await userEvent.dblClick(screen.getByText('Tempo'));
    expect(state()).toEqual({ pitch: 1, tempo: 1 });
    expect(tempo).toHaveValue('1');
  });

  test('a button to reset is there only while there is something to reset', async () => {
    const { pitch, state } = openTools();
    expect(screen.queryByRole('button')).not.toBeInTheDocument();
    fireEvent.change(pitch, { target: { value: '0.5' } });
    await userEvent.click(screen.getByRole('button', { name: 'Reset pitch' }));
    expect(state()).toEqual({ pitch: 1, tempo: 1 });
    expect(screen.queryByRole('button')).not.toBeInTheDocument();
  });

  test('keys change the tempo and the pitch by a step and reset both', async () => {
    const { state } = openTools();
    await userEvent.keyboard(',,,..');
    expect(state()).toEqual({ pitch: 1, tempo: 0.95 });
    await userEvent.keyboard('<><<');
    expect(state()).toEqual({ pitch: 0.9, tempo: 0.95 });
    await userEvent.keyboard('0');
    expect(state()).toEqual({ pitch: 1, tempo: 1 });
  });

  test('keys stop at the ends of the range', async () => {
    const { state, store } = openTools();
    store.setPitch(2);
    store.setTempo(0.05);
    await userEvent.keyboard('>,');
    expect(state()).toEqual({ pitch: 2, tempo: 0.05 });
  });

  test('a file too long to decode starts at a tempo of 0.1, and the page says why', async () => {
    const { tempo, state, store } = openTools(aPlayerOf(anHour));
    expect(tempo).toHaveAttribute('min', '0.1');
    expect(tempo).toHaveAccessibleDescription('Too long to decode: minimum tempo 10 %; loops and switches are approximate.');
    store.setTempo(0.1);
    await userEvent.keyboard(',<');
    expect(state()).toEqual({ pitch: 0.95, tempo: 0.1 });
  });

  test('a browser without Web Audio changes the tempo only, and the page says so', async () => {
    const { pitch, tempo, state } = openTools(aPlayer().store);
    expect(pitch).toBeDisabled();
    expect(pitch).toHaveAccessibleDescription('No Web Audio: no pitch, minimum tempo 10 %; loops and switches are approximate.');
    expect(tempo).toBeEnabled();
    await userEvent.keyboard('<,');
    expect(state()).toEqual({ pitch: 1, tempo: 0.95 });
  });
});

test('a page that came without HTTPS says so', () => {
  Object.defineProperty(window, 'isSecureContext', { configurable: true, value: false });
  try {
    const { pitch } = openTools(aPlayer().store);
    expect(pitch).toHaveAccessibleDescription('No HTTPS: no pitch, no level, minimum tempo 10 %; loops and switches are approximate.');
  } finally {
    Reflect.deleteProperty(window, 'isSecureContext');
  }
});

test('a file that the browser plays but does not decode changes the tempo only, for that reason', async () => {
  const { downloads, store } = await streaming({ decode: () => Promise.reject(new Error('unknown codec')) });
  await downloads[0]?.finish();
  const { pitch } = openTools(store);
  expect(pitch).toBeDisabled();
  expect(pitch).toHaveAccessibleDescription('This browser cannot decode this file: no pitch, minimum tempo 10 %; loops and switches are approximate.');
});
