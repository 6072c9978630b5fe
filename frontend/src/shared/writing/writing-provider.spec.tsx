import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { act, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useSyncExternalStore } from 'react';
import { answeringServer, type AnsweringServer } from '../../testing/answering-server';
import { selfCalled } from '../../testing/people-and-projects';
import { renderFor } from '../../testing/with-session';
import { api, sessionEnded } from '../api/client';
import { useSession } from '../session/session-provider';
import { draftKey, useDraft } from './drafts';
import { useOutbox } from './writing-provider';

interface Note {
  readonly text: string;
}

const answerFor = (firstName: string) => ({ json: { user: selfCalled(firstName), staffRole: null } });
const signals: AbortSignal[] = [];
let server: AnsweringServer;

beforeEach(async () => {
  sessionStorage.clear();
  signals.length = 0;
  server = await answeringServer({
    'GET /api/auth/session': () => answerFor('Ana'),
    'POST /api/auth/logout': () => ({ status: 204 }),
    'POST /api/auth/login': () => answerFor('Bob'),
    'POST /notes': () => 'hang up',
  });
});
afterEach(() => server.close());

const deliver = async ({ text, key }: Note & { readonly key: string }, { signal }: { readonly signal: AbortSignal }) => {
  signals.push(signal);
  return (await api.send<{ readonly _id: string }>('POST', '/notes', { text }, { commandId: key, signal, retries: 0 })).answer._id;
};

function Writer({ uid }: { readonly uid: string }) {
  const { signOut } = useSession();
  const outbox = useOutbox<Note>('p1', () => deliver);
  const [draft, saveDraft] = useDraft<Note>(draftKey(uid, 'p1'), { text: '' });
  const items = useSyncExternalStore(outbox.subscribe, outbox.getSnapshot);
  return (
    <>
      <h1>{uid}</h1>
      <input aria-label="Note" value={draft.text} onChange={(event) => saveDraft({ text: event.target.value })} />
      <button onClick={() => outbox.send(draft)}>Send</button>
      <button onClick={() => void signOut()}>Sign out</button>
      <output>{items.map(({ text, state }) => `${text} ${state}`).join()}</output>
    </>
  );
}

function Page() {
  const { user, signIn, loginAsked } = useSession();
  return (
    <>
      {loginAsked === 'ended' && <p>Your session has ended</p>}
      <button onClick={() => void signIn('b@band.example', 'right-one')}>Sign in</button>
      {user !== null && <Writer key={user.uid} uid={user.uid} />}
    </>
  );
}

const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));
const sentNotes = async () => (await server.askedByNow()).filter(({ path }) => path === '/notes').map(({ body }) => body);

/** Ana has an unsent note and the draft of another. */
async function openWithUnsentNote() {
  renderFor(selfCalled('Ana'), <Page />);
  await userEvent.type(screen.getByRole('textbox'), 'Mine');
  await press('Send');
  await waitFor(() => expect(screen.getByRole('status')).toHaveTextContent('Mine failed'));
}

function goOnline() {
  server.answer({ 'POST /notes': () => ({ status: 201, json: { _id: 'n1' } }) });
  act(() => void window.dispatchEvent(new Event('online')));
}

test('after a sign-out no unsent item is sent, not even when another account signs in', async () => {
  await openWithUnsentNote();
  await press('Sign out');
  await waitFor(() => expect(screen.queryByRole('textbox')).not.toBeInTheDocument());
  expect(Object.keys(sessionStorage)).toEqual([]);
  await press('Sign in');
  expect(await screen.findByRole('heading', { name: 'bob' })).toBeInTheDocument();
  server.answer({ 'GET /api/auth/session': () => answerFor('Bob') });
  goOnline();
  expect(await sentNotes()).toEqual([{ text: 'Mine' }]);
  expect(screen.getByRole('textbox')).toHaveValue('');
  expect(screen.getByRole('status')).toHaveTextContent('');
});

test('when another account signs in over an ended session, no item of the first one is sent or kept', async () => {
  await openWithUnsentNote();
  act(sessionEnded);
  await press('Sign in');
  expect(await screen.findByRole('heading', { name: 'bob' })).toBeInTheDocument();
  await waitFor(() => expect(Object.keys(sessionStorage)).toEqual([]));
  server.answer({ 'GET /api/auth/session': () => answerFor('Bob') });
  goOnline();
  expect(await sentNotes()).toEqual([{ text: 'Mine' }]);
});

test('when the same account comes back after an ended session, its draft and its unsent note are still there', async () => {
  await openWithUnsentNote();
  act(sessionEnded);
  server.answer({ 'POST /api/auth/login': () => answerFor('Ana') });
  await press('Sign in');
  await waitFor(() => expect(screen.queryByText('Your session has ended')).not.toBeInTheDocument());
  expect(screen.getByRole('textbox')).toHaveValue('Mine');
  goOnline();
  await waitFor(() => expect(screen.getByRole('status')).toHaveTextContent('Mine sent'));
});

test('when another tab has signed in another account, nothing is retried until the first one is back', async () => {
  await openWithUnsentNote();
  server.answer({ 'GET /api/auth/session': () => answerFor('Bob') });
  goOnline();
  await waitFor(() => expect(server.asked.at(-1)?.path).toBe('/api/auth/session'));
  expect(await sentNotes()).toEqual([{ text: 'Mine' }]);
  expect(screen.getByRole('status')).toHaveTextContent('Mine failed');
  server.answer({ 'GET /api/auth/session': () => answerFor('Ana') });
  goOnline();
  await waitFor(() => expect(screen.getByRole('status')).toHaveTextContent('Mine sent'));
});

test('a sign-out aborts deliveries in flight', async () => {
  let hold = (): void => undefined;
  const held = new Promise<void>((resolve) => (hold = resolve));
  server.answer({ 'POST /notes': () => held.then(() => 'hang up') });
  renderFor(selfCalled('Ana'), <Page />);
  await userEvent.type(screen.getByRole('textbox'), 'Mine');
  await press('Send');
  await waitFor(() => expect(server.asked.map(({ path }) => path)).toEqual(['/notes']));
  await press('Sign out');
  await waitFor(() => expect(signals.map(({ aborted }) => aborted)).toEqual([true]));
  expect(Object.keys(sessionStorage)).toEqual([]);
  hold();
});
