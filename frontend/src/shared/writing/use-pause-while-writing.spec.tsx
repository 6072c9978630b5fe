import { expect, test } from '@jest/globals';
import { renderHook } from '@testing-library/react';
import { aPlayhead } from '../../testing/open-project';
import { usePauseWhileWriting } from './use-pause-while-writing';

/** A box beside a playhead, and what a user may do with both. */
function aBox() {
  const { playhead, seek, switchTo } = aPlayhead();
  const { result, unmount } = renderHook(() => usePauseWhileWriting(playhead));
  let versions = 0;
  const acts = {
    types: () => result.current.pause(),
    discards: () => result.current.forget(),
    sends: () => result.current.resume(),
    plays: () => playhead.resume(),
    pauses: () => playhead.pause(),
    seeks: () => seek(playhead.position() + 5),
    switches: () => switchTo(`v${(versions += 1)}`),
  };
  return { acts, playhead, seek, unmount };
}

type Act = keyof ReturnType<typeof aBox>['acts'];
const ACTS: readonly Act[] = ['types', 'discards', 'sends', 'plays', 'pauses', 'seeks', 'switches'];

/** The rule, told by itself: whether it plays after each act. */
function expected(acts: readonly Act[]): boolean[] {
  let isPlaying = true;
  let wasInterrupted = false;
  return acts.map((act) => {
    if (act === 'types') wasInterrupted ||= isPlaying;
    // Pause does nothing to a player that is paused.
    else if (act !== 'pauses' || isPlaying) {
      if (act === 'sends') isPlaying ||= wasInterrupted;
      wasInterrupted = false;
    }
    if (act === 'types' || act === 'pauses') isPlaying = false;
    if (act === 'plays') isPlaying = true;
    return isPlaying;
  });
}

const sequences = (length: number): readonly (readonly Act[])[] =>
  length === 0 ? [[]] : sequences(length - 1).flatMap((before) => ACTS.map((act) => [...before, act]));

test('sending resumes playback exactly if typing paused it and only typing followed, after any four actions', () => {
  for (const sequence of sequences(4)) {
    const { acts, playhead, unmount } = aBox();
    const seen = sequence.map((act) => {
      acts[act]();
      return playhead.isPlaying();
    });
    unmount();
    expect([sequence, seen]).toEqual([sequence, expected(sequence)]);
  }
});

test('the player may correct the playhead a little after the pause', () => {
  const { acts, playhead, seek } = aBox();
  acts.types();
  seek(playhead.position() + 0.2);
  acts.sends();
  expect(playhead.isPlaying()).toBe(true);
});

test('leaving a box does not resume playback', () => {
  const { acts, playhead, unmount } = aBox();
  acts.types();
  unmount();
  acts.sends();
  expect(playhead.isPlaying()).toBe(false);
});
