import { afterEach, expect, test } from '@jest/globals';
import { screen } from '@testing-library/react';
import { selfCalled } from '../../testing/people-and-projects';
import { startStubServer, type StubServer } from '../../testing/stub-server';
import { renderFor } from '../../testing/with-session';
import { StorageUse } from './storage-use';

let server: StubServer;
afterEach(() => server.close());

test('the settings show what files and projects take of the quota', async () => {
  const ana = selfCalled('Ana');
  const quota = { bytes: { used: 1_500_000_000, limit: 20_000_000_000 }, projects: { used: 12, limit: 1_000 }, versionsPerProject: 200 };
  server = await startStubServer({ 'GET /api/auth/session': () => ({ json: { user: ana, staffRole: null, quota } }) });
  renderFor(ana, <StorageUse />);
  expect(await screen.findByRole('meter', { name: 'Storage' })).toHaveAttribute('value', '1500000000');
  expect(screen.getByText(/^1\.5 GB of 20\.0 GB used by your files/)).toBeInTheDocument();
  expect(screen.getByText('12 of 1000 projects')).toBeInTheDocument();
});
