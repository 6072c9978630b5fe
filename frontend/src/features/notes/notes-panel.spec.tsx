import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { NoteSplice } from '@roughmix/contracts/notes/note.api.js';
import type { NoteName } from '@roughmix/contracts/notes/note.access.js';
import type { ProjectView } from '@roughmix/contracts/projects/project.view.js';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { takeNotes } from '../../shared/project/project-notes';
import { createNoteServer, isRefused, type NoteServer } from '../../testing/note-server';
import { openPage } from '../../testing/open-page';
import { personCalled, projectCalled, selfCalled } from '../../testing/people-and-projects';
import { type Answer, type ReceivedRequest, startStubServer, type StubServer } from '../../testing/stub-server';

const ana = selfCalled('Ana');
const bob = personCalled('Bob');
const collaborator = { role: 'Collaborator', access: 3, comment: true, download: true, write: true, owner: false } as const;
const viewersLevel = { role: 'Viewer', access: 1, comment: true, download: false, write: false, owner: false } as const;
let server: StubServer;
let notes: Readonly<Record<NoteName, NoteServer>>;
let project: ProjectView;

/** The project as the server shows it now. */
function view(): ProjectView {
  const [shared, own] = [notes.public.current(), notes.private.current()];
  const ofOwner = project.permissionLevel?.owner === true;
  const texts = ofOwner
    ? { public: shared.text, private: own.text, hash: { public: shared.hash, private: own.hash } }
    : { public: shared.text, hash: { public: shared.hash } };
  return { ...project, owner: { ...project.owner, notes: texts }, position: shared.position + own.position };
}

function save({ body, headers }: ReceivedRequest): Answer {
  const { owner } = (body as { readonly submission: { readonly owner: { readonly notes: Partial<Record<NoteName, NoteSplice>> } } }).submission;
  for (const [note, change] of Object.entries(owner.notes)) {
    const answer = notes[note as NoteName].save(change, String(headers['idempotency-key']));
    if (isRefused(answer)) return { status: answer.status, json: answer };
  }
  return { json: { updatedProject: view() } };
}

/** Another user appends to the public note, and the page receives the push. */
function appendByOther(page: ReturnType<typeof openPage>, words: string): void {
  const { text, hash } = notes.public.current();
  notes.public.save({ at: text.length, removed: 0, inserted: words, hash }, `bob-${text.length}`);
  act(() => takeNotes(page.cache, view()));
}

function open(changes: Partial<ProjectView> = {}, search = '?tab=notes') {
  project = projectCalled('P1', changes.permissionLevel?.owner === false ? bob : ana, changes);
  server.answer({
    'GET /api/projects/:id/visitor/ana': () => ({ json: { data: { project: view(), versions: project.versions, regions: [], todos: [], comments: [] } } }),
    'PUT /api/projects/p1': save,
  });
  return openPage(`/projects/p1${search}`);
}

beforeEach(async () => {
  sessionStorage.clear();
  notes = { public: createNoteServer('one two'), private: createNoteServer('') };
  server = await startStubServer({ 'GET /api/auth/session': () => ({ json: { user: ana, staffRole: null } }) });
});
afterEach(() => server.close());

const box = (name = 'Public note') => screen.findByRole<HTMLTextAreaElement>('textbox', { name });
const saves = () => server.requests.filter(({ method }) => method === 'PUT').length;

describe('the notes tab', () => {
  test('a link opens it; the owner has a public and a private note, each with its placeholder', async () => {
    notes = { public: createNoteServer(''), private: createNoteServer('') };
    open();
    expect(await screen.findByRole('tab', { name: 'Notes', selected: true })).toBeInTheDocument();
    expect(await box()).toHaveAttribute('placeholder', 'Write some notes here');
    await userEvent.click(screen.getByRole('radio', { name: 'Private' }));
    expect(await box('Private note')).toHaveAttribute('placeholder', 'For your eyes only');
  });

  test('a collaborator edits the public note and sees no private one', async () => {
    open({ permissionLevel: collaborator });
    expect(await box()).toHaveValue('one two');
    expect(await box()).not.toHaveAttribute('readonly');
    expect(screen.queryByRole('radio', { name: 'Private' })).not.toBeInTheDocument();
  });

  test('a viewer reads the public note', async () => {
    open({ permissionLevel: viewersLevel });
    expect(await box()).toHaveAttribute('readonly');
    expect(screen.queryByText('Saved')).not.toBeInTheDocument();
  });

  test('a viewer of an empty note reads that there is none, until others write', async () => {
    notes = { public: createNoteServer(''), private: createNoteServer('') };
    const page = open({ permissionLevel: viewersLevel });
    expect(await screen.findByText('No notes (yet)')).toBeInTheDocument();
    appendByOther(page, 'first words');
    expect(await box()).toHaveValue('first words');
  });
});

describe('a note', () => {
  test('is saved after a pause and shows its state', async () => {
    open();
    await userEvent.type(await box(), ' three');
    expect(screen.getByText('Not saved yet')).toBeInTheDocument();
    expect(await screen.findByText('Saved', undefined, { timeout: 4_000 })).toBeInTheDocument();
    expect([notes.public.current().text, saves()]).toEqual(['one two three', 1]);
  });

  test('is saved when its tab is left, and shown as it was when it is opened again', async () => {
    open();
    await userEvent.type(await box(), ' three');
    await userEvent.click(screen.getByRole('tab', { name: 'Comments 0' }));
    await waitFor(() => expect(notes.public.current().text).toBe('one two three'));
    await userEvent.click(screen.getByRole('tab', { name: 'Notes' }));
    expect(await box()).toHaveValue('one two three');
    expect(await screen.findByText('Saved')).toBeInTheDocument();
    expect(saves()).toBe(1);
  });

  test('is saved when the page is hidden; closing the page with unsaved text asks first', async () => {
    open();
    const area = await box();
    const closing = () => window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
    expect(closing()).toBe(true);
    await userEvent.type(area, ' three');
    expect(closing()).toBe(false);
    window.dispatchEvent(new Event('pagehide'));
    await waitFor(() => expect(notes.public.current().text).toBe('one two three'));
    await waitFor(() => expect(closing()).toBe(true));
  });

  test('is saved before its writer is signed out', async () => {
    open();
    server.answer({ 'POST /api/auth/logout': () => ({ status: 204 }) });
    await userEvent.type(await box(), ' three');
    await userEvent.click(screen.getByRole('button', { name: 'Account menu of Ana' }));
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Sign Out' }));
    expect(await screen.findByRole('textbox', { name: 'Email' })).toBeInTheDocument();
    expect(notes.public.current().text).toBe('one two three');
    expect(Object.keys(sessionStorage).filter((key) => key.includes('note'))).toEqual([]);
  });

  test('shows what others save, with the caret where it was', async () => {
    const page = open({ permissionLevel: collaborator });
    const area = await box();
    await userEvent.type(area, ' three');
    area.setSelectionRange(3, 7);
    const { hash } = notes.public.current();
    notes.public.save({ at: 0, removed: 0, inserted: 'zero ', hash }, 'bob');
    act(() => takeNotes(page.cache, view()));
    await waitFor(() => expect(area).toHaveValue('zero one two three'));
    expect([area.selectionStart, area.selectionEnd]).toEqual([8, 12]);
    expect(await screen.findByText('Saved', undefined, { timeout: 4_000 })).toBeInTheDocument();
    expect(notes.public.current().text).toBe('zero one two three');
  });
});

describe('a note that is not saved', () => {
  test('stays, says why, and is sent by Retry', async () => {
    open();
    server.answer({ 'PUT /api/projects/p1': () => ({ status: 500, json: { code: 'internal', status: 500, detail: 'Something went wrong on our side.' } }) });
    await userEvent.type(await box(), ' three');
    await userEvent.click(screen.getByRole('tab', { name: 'Comments 0' }));
    await userEvent.click(screen.getByRole('tab', { name: 'Notes' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('Something went wrong on our side.');
    expect(await box()).toHaveValue('one two three');
    server.answer({ 'PUT /api/projects/p1': save });
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByText('Saved')).toBeInTheDocument();
    expect(notes.public.current().text).toBe('one two three');
  });

  test('is still sent, and asked about, after its project was left', async () => {
    const page = open();
    server.answer({ 'PUT /api/projects/p1': () => 'hang up', 'GET /api/projects/ana': () => ({ json: { projects: [] } }) });
    await userEvent.type(await box(), ' three');
    await act(() => page.router.navigate('/projects'));
    await screen.findByText('Nothing here yet');
    const closing = () => window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
    expect(closing()).toBe(false);
    server.answer({ 'PUT /api/projects/p1': save });
    await waitFor(() => expect(notes.public.current().text).toBe('one two three'), { timeout: 10_000 });
    await waitFor(() => expect(closing()).toBe(true));
  });

  test('because the session ended is saved after the login', async () => {
    open();
    const ended = { status: 401, json: { code: 'auth.required', status: 401, detail: 'Please sign in.' } };
    server.answer({ 'PUT /api/projects/p1': () => ended, 'POST /api/auth/login': () => ({ json: { user: ana, staffRole: null } }) });
    await userEvent.type(await box(), ' three');
    window.dispatchEvent(new Event('pagehide'));
    const password = await screen.findByLabelText('Password');
    server.answer({ 'PUT /api/projects/p1': save });
    await userEvent.type(password, 'right-one');
    await userEvent.click(screen.getByRole('button', { name: 'Log In' }));
    await waitFor(() => expect(notes.public.current().text).toBe('one two three'));
    expect(await box()).toHaveValue('one two three');
  });

  test('because it is too long says so', async () => {
    open();
    const area = await box();
    fireEvent.input(area, { target: { value: 'a'.repeat(60_001) } });
    expect(await screen.findByRole('alert')).toHaveTextContent('Notes have at most 60000 characters');
    await userEvent.click(screen.getByRole('tab', { name: 'Comments 0' }));
    expect((await server.settledRequests()).filter(({ method }) => method === 'PUT')).toEqual([]);
  });
});

describe('a conflict', () => {
  async function conflict() {
    open();
    const area = await box();
    const { hash } = notes.public.current();
    notes.public.save({ at: 4, removed: 3, inserted: 'zwei', hash }, 'bob');
    await userEvent.clear(area);
    await userEvent.type(area, 'one 2');
    window.dispatchEvent(new Event('pagehide'));
    expect(await screen.findByText('Someone else changed the same part.')).toBeInTheDocument();
  }

  test('shows both texts; the user edits theirs and saves it', async () => {
    await conflict();
    expect(await box('The saved text')).toHaveValue('one zwei');
    await userEvent.type(await box('Your text'), ', zwei');
    await userEvent.click(screen.getByRole('button', { name: 'Save your text' }));
    expect(await screen.findByText('Saved')).toBeInTheDocument();
    expect(notes.public.current().text).toBe('one 2, zwei');
    expect(await box()).toHaveFocus();
  });

  test.each([
    ['Use the saved text', 'one zwei'],
    ['Keep both', 'one zwei\none 2'],
  ])('%s', async (name, text) => {
    await conflict();
    await userEvent.click(screen.getByRole('button', { name }));
    expect(await screen.findByText('Saved')).toBeInTheDocument();
    expect([notes.public.current().text, (await box()).value]).toEqual([text, text]);
  });
});
