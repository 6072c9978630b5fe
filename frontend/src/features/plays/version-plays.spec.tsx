import { afterEach, describe, expect, test } from '@jest/globals';
import type { PlaysView } from '@roughmix/contracts/plays/play.view.js';
import { screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { personCalled, selfCalled } from '../../testing/people-and-projects';
import { startStubServer, type StubServer } from '../../testing/stub-server';
import { renderFor } from '../../testing/with-session';
import { VersionPlays } from './version-plays';

let server: StubServer;
afterEach(() => server.close());

async function showing(...answers: readonly (PlaysView | null)[]) {
  let at = 0;
  server = await startStubServer({
    'GET /api/media/v1/plays': () => {
      const json = answers[Math.min(at++, answers.length - 1)];
      return json ? { status: 200, json } : { status: 500 };
    },
  });
  renderFor(selfCalled('Ana'), <VersionPlays versionId="v1" />);
  return within(await screen.findByRole('region', { name: 'Plays' }));
}

describe('the plays of a version', () => {
  test('show how often and how long it was heard in all, and by each member', async () => {
    const part = await showing({
      plays: 14,
      seconds: 1_234,
      listeners: [
        { user: personCalled('Bob'), plays: 9, seconds: 800, last: Date.now() - 3_600_000 },
        { user: personCalled('Ana'), plays: 1, seconds: 61, last: Date.now() },
      ],
    });
    expect(await part.findByText('14 plays, 20:34 in all')).toBeInTheDocument();
    expect(part.getAllByRole('listitem').map((item) => item.textContent)).toEqual(['Bob9 plays, 13:201 hour ago', 'Ana1 play, 1:01moments ago']);
    expect(part.getByText('Only you see this.')).toBeInTheDocument();
  });

  test('say when there are none', async () => {
    const part = await showing({ plays: 0, seconds: 0, listeners: [] });
    expect(await part.findByText('Not played yet.')).toBeInTheDocument();
    expect(part.queryByRole('list')).toBeNull();
  });

  test('can be retried when they failed to load', async () => {
    const part = await showing(null, { plays: 1, seconds: 5, listeners: [] });
    await userEvent.click(await part.findByRole('button', { name: 'Retry' }));
    expect(await part.findByText('1 play, 0:05 in all')).toBeInTheDocument();
  });
});
