import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { fill } from '../../testing/fill';
import { controlsOf } from '../../testing/controls-of';
import { selfCalled } from '../../testing/people-and-projects';
import { startStubServer, type StubServer } from '../../testing/stub-server';
import { renderFor } from '../../testing/with-session';
import { Button } from '../ui/button';
import { LoginDialog } from './login-dialog';
import { useSession } from './session-provider';

let server: StubServer;
let edits: string[];

beforeEach(async () => {
  edits = [];
  server = await startStubServer({ 'POST /api/auth/login': () => ({ json: { user: selfCalled('Ana'), staffRole: null } }) });
});
afterEach(() => server.close());

function Editor() {
  const { requireAccount, user } = useSession();
  return <Button onPress={() => requireAccount() && edits.push(user?.uid ?? '')}>Edit</Button>;
}
const renderEditor = (user: Parameters<typeof renderFor>[0]) =>
  renderFor(
    user,
    <>
      <Editor />
      <LoginDialog />
    </>,
  );
const edit = () => userEvent.click(screen.getByRole('button', { name: 'Edit' }));

test('an action of someone who is not signed in raises the login, and works after it', async () => {
  renderEditor(null);
  await edit();
  const dialog = await screen.findByRole('dialog', { name: 'Log In' });
  expect(dialog).toHaveTextContent('Please sign in.');
  expect(controlsOf(dialog)).toEqual(['button: Close', 'textbox: Email', 'password: Password', 'button: Log In', 'button: Look around as a guest']);
  expect(screen.getByLabelText('Email')).toHaveFocus();
  await fill(screen.getByLabelText('Email'), 'ana@band.example');
  await userEvent.type(screen.getByLabelText('Password'), 'right-one{Enter}');
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  expect(edits).toEqual([]);
  await edit();
  expect(edits).toEqual(['ana']);
});

test('the login can be dismissed', async () => {
  renderEditor(null);
  await edit();
  await screen.findByRole('dialog', { name: 'Log In' });
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  expect(edits).toEqual([]);
});

test("a guest reads that guests aren't allowed to edit data, and is offered an invite", async () => {
  renderEditor(selfCalled('Guest', { isGuest: true }));
  await edit();
  expect(await screen.findByText("Guests aren't allowed to edit data.")).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Request Invite' })).toBeInTheDocument();
  expect(edits).toEqual([]);
});

test('a further edit of a guest replaces the message', async () => {
  renderEditor(selfCalled('Guest', { isGuest: true }));
  await edit();
  await screen.findByText("Guests aren't allowed to edit data.");
  await edit();
  expect(screen.getAllByText("Guests aren't allowed to edit data.")).toHaveLength(1);
});
