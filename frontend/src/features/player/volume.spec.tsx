import { afterEach, expect, jest, test } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import { aPlayer } from './player-fixture';
import { Volume } from './volume';

afterEach(() => {
  jest.restoreAllMocks();
});

test('there is a volume slider beside mute', () => {
  render(<Volume store={aPlayer().store} />);
  expect(screen.getByRole('button', { name: 'Mute' })).toBeVisible();
  expect(screen.getByRole('slider', { name: 'Volume' })).toBeVisible();
});

test('where the system controls the volume there is only mute', () => {
  jest.spyOn(HTMLMediaElement.prototype, 'volume', 'get').mockReturnValue(1);
  render(<Volume store={aPlayer().store} />);
  expect(screen.getByRole('button', { name: 'Mute' })).toBeVisible();
  expect(screen.queryByRole('slider')).toBeNull();
});
