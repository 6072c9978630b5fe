import { describe, expect, test } from '@jest/globals';
import { act, render, screen } from '@testing-library/react';
import { loopOf, noticeOf, PlaybackStatus } from './playback-status';
import { aPlayer } from './player-fixture';
import { INITIAL_STATE } from './player-state';

const nameOf = (versionId: string) => (versionId === 'v1' ? '1.0' : '2.0');
const state = { ...INITIAL_STATE, versionId: 'v2', playingVersionId: 'v2', duration: 232 };

describe('what playback is doing', () => {
  test('is shown only when there is something to report', () => {
    expect(noticeOf(state, nameOf)).toBeNull();
    expect(noticeOf({ ...state, playing: true }, nameOf)).toBeNull();
  });

  test('is loading another version, buffering, without an output device, or past the end of this one', () => {
    expect(noticeOf({ ...state, loadingVersionId: 'v2', playingVersionId: 'v1' }, nameOf)).toBe('loading 2.0');
    expect(noticeOf({ ...state, isBuffering: true }, nameOf)).toBe('buffering');
    expect(noticeOf({ ...state, isOutputLost: true }, nameOf)).toBe('audio output disconnected');
    expect(noticeOf({ ...state, hasEnded: true }, nameOf)).toBe('2.0 ended at 3:52');
  });

  test('is looping, exactly or approximately', () => {
    const loop = { start: 10, end: 30.4 };
    expect(loopOf(state)).toBeNull();
    expect(loopOf({ ...state, loop })).toBe('looping 20.4 s');
    expect(loopOf({ ...state, loop, limitation: 'long-file' })).toBe('looping 20.4 s, approximately');
  });

  test('is shown beside the length', () => {
    const { store } = aPlayer();
    render(<PlaybackStatus store={store} nameOf={nameOf} />);
    expect(screen.getByText('of 1:40.0')).toBeVisible();
    act(() => store.setLoop({ start: 1, end: 3 }));
    expect(screen.getByText('looping 2.0 s, approximately')).toBeVisible();
  });
});
