import { afterEach, expect, test } from '@jest/globals';
import { screen } from '@testing-library/react';
import { selfCalled } from '../../testing/people-and-projects';
import { startStubServer, type StubServer } from '../../testing/stub-server';
import { renderFor } from '../../testing/with-session';
import { ProgramVersion } from './program-version';

let server: StubServer;
afterEach(() => server.close());

test.each([
  ['1a2b3c4', 'Roughmix 9.8.7 (1a2b3c4)'],
  [null, 'Roughmix 9.8.7'],
])('the settings name the version and, if it is known, the commit (%s)', async (commit, text) => {
  const ana = selfCalled('Ana');
  server = await startStubServer({
    'GET /api/auth/session': () => ({ json: { user: ana, staffRole: null } }),
    'GET /api/site': () => ({ json: { version: '9.8.7', commit } }),
  });
  renderFor(ana, <ProgramVersion />);
  expect(await screen.findByText(text)).toBeInTheDocument();
});
