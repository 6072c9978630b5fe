import { encodePeaks } from '@roughmix/contracts/media/peaks.js';
import type { VersionView } from '@roughmix/contracts/versions/version.view.js';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { projectCalled, selfCalled } from '../../testing/people-and-projects';
import { startStubServer, type StubServer } from '../../testing/stub-server';
import { WithCache } from '../../testing/with-cache';
import { WaveStatus } from './wave-status';

const LEVEL = { channels: 1, samplesPerColumn: 256, columns: 1, values: Int8Array.of(-1, 1, 1) };
let server: StubServer;

beforeEach(async () => {
  server = await startStubServer({ 'GET /api/media/v1/peaks': () => ({ status: 404 }) });
});
afterEach(() => server.close());

function show(changes: Partial<VersionView>) {
  const [version] = projectCalled('P1', selfCalled('Ana')).versions;
  if (!version) throw new Error('no version');
  const shown = { ...version, peaksUrl: '/api/media/v1/peaks', peaksLevels: 1, ...changes };
  render(
    <WithCache>
      <WaveStatus version={shown} width={600} />
    </WithCache>,
  );
}

test('while a version is analysed, its place shows progress and says that it can be played', () => {
  show({ state: 'analysing', peaksUrl: null, peaksLevels: 0 });
  expect(screen.getByRole('progressbar', { name: 'Drawing the waveform' })).toBeInTheDocument();
  expect(screen.getByText('Drawing the waveform. You can already listen.')).toBeInTheDocument();
});

test('a rejected version says why it has no waveform', () => {
  show({ state: 'rejected', peaksUrl: null, peaksLevels: 0 });
  expect(screen.getByText('This version cannot be played, so it has no waveform.')).toBeInTheDocument();
});

test('a waveform that failed to load is fetched again by Retry', async () => {
  show({ state: 'ready' });
  expect(await screen.findByRole('alert')).toHaveTextContent('The waveform could not be loaded.');
  const before = server.requests.length;
  server.answer({ 'GET /api/media/v1/peaks': () => ({ bytes: encodePeaks(LEVEL) }) });
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
  await waitFor(() => expect(screen.queryByRole('alert')).not.toBeInTheDocument());
  expect(server.requests.slice(before).map(({ path }) => path)).toEqual(['/api/media/v1/peaks?level=0']);
});
