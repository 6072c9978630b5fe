import { describe, expect, test } from '@jest/globals';
import type { VersionView } from '@roughmix/contracts/versions/version.view.js';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { WithCache } from '../../testing/with-cache';
import { MiniPlayer } from './mini-player';
import { createPlayerStore } from './player-store';
import { trackOf } from './track';
import '../../shared/wave/whole-track-wave';

const version: VersionView = {
  _id: 'v1',
  projectId: 'p1',
  majorUpdate: 1,
  minorUpdate: 0,
  tinySummary: 'First mix',
  versionUrl: '/api/media/v1/audio',
  peaksUrl: null,
  peaksLevels: 0,
  dateAdded: 0,
  filename: 'mix.wav',
  uploader: { _id: 'u1', uid: 'u1', username: 'ana', firstName: 'Ana', lastName: 'Roth', smallPhoto: '', largePhoto: '', photoURL: '' },
  taggedUsers: [],
  completedTodos: [],
  initialLogin: false,
  state: 'ready',
  duration: 200,
  analysis: null,
  playback: { codec: 'pcm_s16le', isCopy: false },
  rejection: null,
  position: 1,
};

/** A mini player whose wave is 1,000 pixels wide, 100 from the left edge. */
function aMiniPlayer() {
  const store = createPlayerStore({ media: new Audio() });
  store.load(trackOf(version));
  const page = render(<MiniPlayer store={store} version={version} name="Low Tide" />, { wrapper: WithCache });
  const map = page.container.querySelector<HTMLElement>('.overview-map');
  if (!map) throw new Error('no wave rendered');
  map.getBoundingClientRect = () => new DOMRect(100, 0, 1_000, 32);
  return { ...page, store, map, position: () => store.getSnapshot().position };
}

describe('the wave of the shrunk header', () => {
  test('seeks on pointer down, even before peaks are loaded', () => {
    const { map, position } = aMiniPlayer();
    fireEvent.pointerDown(map, { button: 0, clientX: 350 });
    expect(position()).toBe(50);
    expect(screen.getByText('0:50.0')).toBeVisible();
  });

  test('ignores other mouse buttons', () => {
    const { map, position } = aMiniPlayer();
    fireEvent.pointerDown(map, { button: 2, clientX: 350 });
    expect(position()).toBe(0);
  });

  test('does not seek while the pointer hovers', () => {
    const { map, position } = aMiniPlayer();
    fireEvent.pointerMove(map, { clientX: 350 });
    expect(position()).toBe(0);
  });

  test('renders without style elements, which the content security policy blocks, and cleans up on unmount', async () => {
    const { container, unmount } = aMiniPlayer();
    await waitFor(() => expect(container.querySelector('.whole-wave')).not.toBeNull());
    const root = container.querySelector('.whole-wave > div')?.shadowRoot;
    expect(root?.querySelector('[part=cursor]')).not.toBeNull();
    expect(root?.querySelector('style')).toBeNull();
    unmount();
    expect(container.querySelector('.whole-wave')).toBeNull();
  });
});
