import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { openPanel } from '../testing/comments-panel';
import { openPage } from '../testing/open-page';
import { selfCalled } from '../testing/people-and-projects';
import { startStubServer, type StubServer } from '../testing/stub-server';
import { openTodos } from '../testing/todos-panel';

const ALERT = "Guests aren't allowed to edit data.";
const guest = selfCalled('Guest', { isGuest: true });
const visitor = { uid: guest.uid, role: 'Visitor', access: 0, may: { comment: false, download: false, write: false, owner: false } } as const;
let server: StubServer;

beforeEach(async () => {
  sessionStorage.clear();
  server = await startStubServer({
    'GET /api/auth/session': () => ({ json: { user: guest, staffRole: null } }),
    'GET /api/projects/:uid': () => ({ json: { projects: [] } }),
  });
});
afterEach(() => server.close());

/** Presses Request Invite; returns the field of the form that opens over the page. */
async function acceptOffer(place: HTMLElement): Promise<HTMLElement> {
  await userEvent.click(within(place).getByRole('button', { name: 'Request Invite' }));
  return within(await screen.findByRole('dialog', { name: 'Request Invite' })).getByLabelText('Email');
}

describe('a guest learns why, and is offered an invite,', () => {
  test.each(['Add Project', 'New collection', 'Edit'])('at %s', async (name) => {
    openPage('/projects');
    await userEvent.click(await screen.findByRole('button', { name }));
    const alert = (await screen.findByText(ALERT)).closest('li');
    expect(await acceptOffer(alert ?? document.body)).toHaveFocus();
  });

  test('at Settings', async () => {
    openPage('/projects');
    await userEvent.click(await screen.findByRole('button', { name: 'Account menu of Guest' }));
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Settings' }));
    expect(await screen.findByText(ALERT)).toBeInTheDocument();
    expect(screen.queryByRole('dialog', { name: 'Settings' })).not.toBeInTheDocument();
  });

  test.each([
    ['comments', () => openPanel([], { user: guest, viewer: visitor })],
    ['todos', () => openTodos([], { user: guest, viewer: visitor })],
  ])('in place of the box for new %s', (_what, open) => {
    open();
    expect(screen.queryByRole('textbox')).not.toBeInTheDocument();
    expect(screen.getByText(ALERT)).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Request Invite' })).toBeInTheDocument();
  });

  test('where a project is not theirs to see', async () => {
    server.answer({
      'GET /api/projects/:id/visitor/:uid': () => ({
        status: 404,
        json: { code: 'project.not-found', status: 404, detail: 'There is no such project, or you have no access to it.' },
      }),
    });
    openPage('/projects/p1');
    await screen.findByText('There is no such project, or you have no access to it.');
    expect(await acceptOffer(screen.getByRole('main'))).toHaveFocus();
  });
});

test('a visitor with an account is offered no invite', () => {
  openPanel([], { viewer: { ...visitor, uid: 'ana' } });
  expect(screen.queryByText(ALERT)).not.toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Request Invite' })).not.toBeInTheDocument();
});
