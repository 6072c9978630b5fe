import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { TodoView } from '@roughmix/contracts/todos/todo.view.js';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { ProjectProvider } from '../../shared/project/project-context';
import { ana, away, openProject, version } from '../../testing/open-project';
import { startStubServer, type StubServer } from '../../testing/stub-server';
import { aTodo, aTodoReply, completed } from '../../testing/todos';
import { collaborator, openTodos } from '../../testing/todos-panel';
import { styleSheet } from '../../testing/style-sheet';
import { personCalled } from '../../testing/people-and-projects';
import { renderFor } from '../../testing/with-session';
import { CompleteButton } from './complete-button';
import { dropTodos, takeTodos } from './todos.queries';

let server: StubServer;

beforeEach(async () => {
  sessionStorage.clear();
  server = await startStubServer({});
});
afterEach(() => server.close());

const box = () => screen.getByRole('textbox', { name: 'New todo' });
const rowOf = (words: string): HTMLElement => {
  const row = screen.getByText(words).closest('article');
  if (row === null) throw new Error(`no row of ${words}`);
  return row;
};
const boxOf = (words: string) => within(rowOf(words)).getByRole('checkbox', { name: 'Completed' });
const show = (list: 'Active' | 'Completed') => userEvent.click(screen.getByRole('radio', { name: new RegExp(`^${list}`) }));
const added = (projectId: string, changes: Partial<TodoView>) => ({
  status: 201,
  json: { newTodo: aTodo('new', { projectId, user: ana, position: 30, ...changes }), oldTodo: null, updatedProject: null },
});
const answerCompletion = (todos: readonly TodoView[]) =>
  server.answer({
    'PUT /api/todos/markComplete/:ids': () => ({ json: { completedTodos: Object.fromEntries(todos.map((todo) => [todo._id, todo])), updatedProject: null } }),
  });

describe('the lists of todos', () => {
  test('an empty list says so', () => {
    openTodos([]);
    expect(screen.getByText('Nothing todo... yet')).toBeInTheDocument();
  });

  test('active todos are listed newest first; completed ones by version, with who completed them', async () => {
    const second = { completedTodosVersionId: 'p1_v2', completedTodosVersion: { majorUpdate: 2, minorUpdate: 1 } };
    openTodos([
      aTodo('t1', { dateAdded: 1 }),
      aTodo('t2', { dateAdded: 2 }),
      aTodo('t3', completed({ dateCompleted: 10 })),
      aTodo('t4', completed({ dateCompleted: 20, ...second })),
      aTodo('t5', completed({ dateCompleted: 30, ...second })),
    ]);
    const shown = () => screen.getAllByRole('article').map((row) => row.querySelector('.text')?.textContent);
    expect(shown()).toEqual(['words of t2', 'words of t1']);
    await show('Completed');
    expect(shown()).toEqual(['words of t5', 'words of t4', 'words of t3']);
    expect(screen.getAllByRole('heading').map(({ textContent }) => textContent)).toEqual(['2.12 completed', '1.0Initial Version1 completed']);
    expect(rowOf('words of t3')).toHaveTextContent('completed by Ana');
  });

  test('2,000 todos are rendered in steps, whenever their end comes near', () => {
    const observers: (() => void)[] = [];
    class Observer {
      constructor(onChange: (entries: readonly { readonly isIntersecting: boolean }[]) => void) {
        observers.push(() => onChange([{ isIntersecting: true }]));
      }
      observe = () => undefined;
      disconnect = () => undefined;
    }
    Object.assign(globalThis, { IntersectionObserver: Observer });
    openTodos(Array.from({ length: 2_000 }, (_, at) => aTodo(`t${at}`)));
    expect(screen.getAllByRole('article')).toHaveLength(60);
    act(() => observers.at(-1)?.());
    Reflect.deleteProperty(globalThis, 'IntersectionObserver');
    expect(screen.getAllByRole('article')).toHaveLength(120);
  });

  test('a todo that someone else adds leaves an open editor and open replies as they are', async () => {
    const { cache, projectId } = openTodos([aTodo('t1', { user: ana }), aTodo('t2', { replyIds: ['r1'] }), aTodoReply('r1', 't2')]);
    await userEvent.click(screen.getByRole('button', { name: '1 Reply' }));
    await userEvent.click(within(rowOf('words of t1')).getByRole('button', { name: 'Edit' }));
    const editor = screen.getByDisplayValue('words of t1');
    await userEvent.type(editor, ', louder');
    act(() => takeTodos(cache, projectId, [aTodo('t3', { dateAdded: Date.now() })]));
    expect(await screen.findByText('words of t3')).toBeInTheDocument();
    expect(screen.getByText('words of r1')).toBeInTheDocument();
    expect(editor).toHaveFocus();
    expect(editor).toHaveValue('words of t1, louder');
  });

  test('replies are folded away below a button with their number; those that are not loaded yet are counted, and say so', async () => {
    const { cache, projectId } = openTodos([aTodo('t1', { replyIds: ['r1', 'r2', 'r3'] }), aTodoReply('r1', 't1')]);
    expect(screen.queryByText('words of r1')).not.toBeInTheDocument();
    await userEvent.click(screen.getByRole('button', { name: '3 Replies' }));
    expect(screen.getByText('words of r1')).toBeInTheDocument();
    const loading = screen.getByRole('status', { name: 'Loading replies' });
    expect([...loading.children].map(({ textContent }) => textContent)).toEqual(['Loading...', '...']);
    act(() => takeTodos(cache, projectId, [aTodoReply('r2', 't1'), aTodoReply('r3', 't1')]));
    await waitFor(() => expect(screen.queryByRole('status', { name: 'Loading replies' })).not.toBeInTheDocument());
    expect(screen.getByRole('button', { name: '3 Replies' })).toBeInTheDocument();
  });
});

describe('writing a todo', () => {
  test('sends it with its timestamp, and lists it', async () => {
    const { projectId } = openTodos([]);
    server.answer({ 'POST /api/todos': () => added(projectId, { content: 'Bounce the stems' }) });
    await userEvent.type(box(), 'Bounce the stems');
    await userEvent.click(screen.getByRole('button', { name: 'Add todo' }));
    await waitFor(() => expect(screen.getByRole('article', { name: 'Todo by Ana' })).toHaveTextContent('Bounce the stems'));
    const stamp = { versionId: version?._id, at: 17.4 };
    expect(server.requests.map(({ body }) => body)).toEqual([{ projectId, submission: { content: 'Bounce the stems', versionId: version?._id, stamp } }]);
  });

  test('a todo or reply of white space alone cannot be sent', async () => {
    openTodos([aTodo('t1')]);
    await userEvent.type(box(), ' {Enter} {Control>}{Enter}{/Control}');
    expect(screen.getByRole('button', { name: 'Add todo' })).toBeDisabled();
    await userEvent.click(screen.getByRole('button', { name: 'Reply' }));
    await userEvent.type(screen.getByRole('textbox', { name: 'Reply to Bob' }), ' {Control>}{Enter}{/Control}');
    expect(screen.getByRole('button', { name: 'Send reply' })).toBeDisabled();
    expect(await server.settledRequests()).toEqual([]);
  });

  test('a reply is sent to its todo', async () => {
    const { projectId } = openTodos([aTodo('t1')]);
    const reply = aTodoReply('r1', 't1', { projectId, user: ana, content: 'On it', position: 30 });
    const parent = aTodo('t1', { projectId, replyIds: ['r1'], position: 31 });
    server.answer({ 'POST /api/todos/t1': () => ({ status: 201, json: { newTodo: reply, updatedParentTodo: parent, updatedProject: null } }) });
    await userEvent.click(screen.getByRole('button', { name: 'Reply' }));
    await userEvent.type(screen.getByRole('textbox', { name: 'Reply to Bob' }), 'On it');
    await userEvent.click(screen.getByRole('button', { name: 'Send reply' }));
    await waitFor(() => expect(screen.getByRole('article', { name: 'Reply by Ana' })).toHaveTextContent('On it'));
    expect(server.requests.map(({ body }) => body)).toEqual([{ projectId, submission: { content: 'On it', versionId: version?._id } }]);
  });

  test('needs the right to write; with the right to comment one can reply, and complete own todos only', async () => {
    openTodos([aTodo('t1', { user: ana, content: 'mine' }), aTodo('t2', { content: 'his' })], {
      viewer: { ...collaborator, role: 'Viewer', may: { comment: true, download: false, write: false, owner: false } },
    });
    expect(screen.queryByRole('textbox', { name: 'New todo' })).not.toBeInTheDocument();
    expect(screen.getAllByRole('button', { name: 'Reply' })).toHaveLength(2);
    expect(boxOf('mine')).toBeEnabled();
    expect(boxOf('his')).toBeDisabled();
    expect(within(rowOf('mine')).queryByRole('button', { name: 'Edit' })).not.toBeInTheDocument();
  });

  test('the draft of a reply to a todo that is removed moves to the box for new todos', async () => {
    const { cache, projectId } = openTodos([aTodo('t1')]);
    await userEvent.click(screen.getByRole('button', { name: 'Reply' }));
    await userEvent.type(screen.getByRole('textbox', { name: 'Reply to Bob' }), 'half an answer');
    act(() => dropTodos(cache, projectId, ['t1'], 20));
    await waitFor(() => expect(box()).toHaveValue('half an answer'));
    expect(await screen.findByText(/The todo you were replying to was removed/)).toBeInTheDocument();
  });
});

test('the marks and the due date of a todo being written are there again after the tab was left', async () => {
  const { unmount, projectId } = openTodos([aTodo('t1')]);
  await userEvent.click(boxOf('words of t1'));
  await userEvent.click(screen.getByRole('button', { name: 'Due' }));
  fireEvent.change(await screen.findByLabelText('Due date'), { target: { value: '2126-03-09' } });
  await userEvent.click(screen.getByRole('button', { name: 'Set' }));
  unmount();
  openTodos([aTodo('t1')], { projectId });
  expect(boxOf('words of t1')).toBeChecked();
  expect(screen.getByRole('button', { name: /^Due in \d+ years/ })).toBeInTheDocument();
});

describe('completing todos', () => {
  test('is tried again by Retry after a failure', async () => {
    openTodos([aTodo('t1')], { projectId: 'p1' });
    await userEvent.click(boxOf('words of t1'));
    server.answer({ 'PUT /api/todos/markComplete/:ids': () => away });
    await userEvent.click(screen.getByRole('button', { name: 'Complete 1 in 1.0' }));
    const retry = await screen.findByRole('button', { name: 'Retry' });
    answerCompletion([aTodo('t1', completed())]);
    await userEvent.click(retry);
    expect(await screen.findByText('Completed 1 todo in 1.0.')).toBeInTheDocument();
  });

  test('over 100 marked todos are completed in batches of 100', async () => {
    const marked = Array.from({ length: 101 }, (_, at) => `t${at}`);
    const project = openProject({ viewer: collaborator });
    const finished: string[] = [];
    renderFor(
      ana,
      <ProjectProvider project={project} selectedVersion={version ?? null}>
        <CompleteButton marked={marked} onCompleted={() => finished.push('all')} />
      </ProjectProvider>,
    );
    server.answer({ 'PUT /api/todos/markComplete/:ids': () => ({ json: { completedTodos: {}, updatedProject: null } }) });
    await userEvent.click(screen.getByRole('button', { name: 'Complete 101 in 1.0' }));
    expect(await screen.findByText('Completed 101 todos in 1.0.')).toBeInTheDocument();
    expect(server.requests.map(({ path }) => path.replace('/api/todos/markComplete/', '').split(','))).toEqual([marked.slice(0, 100), ['t100']]);
    expect(finished).toEqual(['all']);
  });

  test('marked todos are completed under the current version, slide out, and join the completed ones', async () => {
    openTodos([aTodo('t1', { dateAdded: 3 }), aTodo('t2', { dateAdded: 2 }), aTodo('t3', { dateAdded: 1 })], { projectId: 'p1' });
    expect(screen.queryByRole('button', { name: /^Complete/ })).not.toBeInTheDocument();
    await userEvent.click(boxOf('words of t1'));
    await userEvent.click(boxOf('words of t2'));
    answerCompletion([aTodo('t1', completed()), aTodo('t2', completed())]);
    await userEvent.click(screen.getByRole('button', { name: 'Complete 2 in 1.0' }));

    await waitFor(() => expect(rowOf('words of t1')).toHaveClass('slides-out'));
    expect(rowOf('words of t3')).not.toHaveClass('slides-out');
    await waitFor(() => expect(screen.queryByText('words of t1')).not.toBeInTheDocument());
    expect(screen.getByRole('radio', { name: 'Active 1' })).toHaveFocus();
    expect(screen.getByText('Completed 2 todos in 1.0.')).toBeInTheDocument();
    const { method, path, body } = server.requests.at(-1) ?? {};
    expect({ method, path, body }).toEqual({
      method: 'PUT',
      path: '/api/todos/markComplete/t1,t2',
      body: { projectId: 'p1', submission: { completedTodosVersionId: version?._id } },
    });
    await show('Completed');
    expect(screen.getAllByRole('article')).toHaveLength(2);
  });

  test('a refusal keeps the marks', async () => {
    openTodos([aTodo('t1')]);
    server.answer({ 'PUT /api/todos/markComplete/t1': () => away });
    await userEvent.click(boxOf('words of t1'));
    await userEvent.click(screen.getByRole('button', { name: 'Complete 1 in 1.0' }));
    expect(await screen.findByText('You may not do this in this project.')).toBeInTheDocument();
    expect(boxOf('words of t1')).toBeChecked();
  });

  test('a todo that another member completes slides out too, and is no longer marked', async () => {
    const { cache, projectId } = openTodos([aTodo('t1')]);
    await userEvent.click(boxOf('words of t1'));
    act(() => takeTodos(cache, projectId, [aTodo('t1', completed())]));
    await waitFor(() => expect(rowOf('words of t1')).toHaveClass('slides-out'));
    await waitFor(() => expect(screen.getByText('Nothing todo... yet')).toBeInTheDocument());
    expect(screen.queryByRole('button', { name: /^Complete/ })).not.toBeInTheDocument();
  });
});

test('the edit of a todo is kept while another list or tab is open, until it is cancelled', async () => {
  const mine = aTodo('t1', { user: ana });
  const { unmount } = openTodos([mine], { projectId: 'p1' });
  const area = () => screen.queryByRole('textbox', { name: 'Edit todo' });
  const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));
  await press('Edit');
  await userEvent.type(screen.getByRole('textbox', { name: 'Edit todo' }), ', louder');
  await show('Completed');
  await show('Active');
  expect(area()).toHaveValue('words of t1, louder');
  unmount();
  const again = openTodos([mine], { projectId: 'p1' });
  expect(area()).toHaveValue('words of t1, louder');
  await press('Cancel');
  expect(screen.getByText('words of t1')).toBeInTheDocument();
  again.unmount();
  openTodos([mine], { projectId: 'p1' });
  expect(area()).not.toBeInTheDocument();
});

describe('own todos', () => {
  const tag = { _id: 'r1', tag: 'mix', timespan: '0:08 – 0:12', start: 8, end: 12, childRegion: null } as const;

  test('are edited in place, keeping the region tag', async () => {
    const mine = aTodo('t1', { user: ana, taggedRegions: [tag] });
    openTodos([mine], { projectId: 'p1' });
    await userEvent.click(screen.getByRole('button', { name: 'Edit' }));
    await userEvent.type(screen.getByRole('textbox', { name: 'Edit todo' }), ' again');
    server.answer({
      'PUT /api/todos/t1': () => ({ json: { updatedTodo: { ...mine, content: 'words of t1 again', edited: 5, position: 40 }, updatedProject: null } }),
    });
    await userEvent.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('words of t1 again')).toBeInTheDocument();
    expect(server.requests.at(-1)?.body).toEqual({ projectId: 'p1', submission: { content: 'words of t1 again' } });
    expect(within(rowOf('words of t1 again')).getByRole('button', { name: /^Mix, / })).toBeInTheDocument();
  });

  test('are edited in place, dropping the region tag', async () => {
    const mine = aTodo('t1', { user: ana, taggedRegions: [tag] });
    openTodos([mine], { projectId: 'p1' });
    await userEvent.click(screen.getByRole('button', { name: 'Edit' }));
    const area = screen.getByRole('textbox', { name: 'Edit todo' });
    await userEvent.type(area, ' again');
    await userEvent.click(screen.getByRole('button', { name: 'Remove tag' }));
    server.answer({
      'PUT /api/todos/t1': () => ({
        json: { updatedTodo: { ...mine, content: 'words of t1 again', taggedRegions: [], edited: 5, position: 40 }, updatedProject: null },
      }),
    });
    await userEvent.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('words of t1 again')).toBeInTheDocument();
    expect(rowOf('words of t1 again')).toHaveTextContent(', edited');
    expect(within(rowOf('words of t1 again')).queryByRole('button', { name: /^Mix, / })).not.toBeInTheDocument();
    expect(server.requests.at(-1)?.body).toEqual({ projectId: 'p1', submission: { content: 'words of t1 again', taggedRegions: [] } });
    expect(screen.getByRole('button', { name: 'Edit' })).toHaveFocus();
  });

  test('of others cannot be edited or removed', () => {
    openTodos([aTodo('t1', { user: personCalled('Bob') })]);
    for (const name of ['Edit', 'Remove']) expect(screen.queryByRole('button', { name })).not.toBeInTheDocument();
  });

  test('a completed todo cannot be edited, and says so; a reply to it can', async () => {
    openTodos([aTodo('t1', { user: ana, replyIds: ['r1'], ...completed() }), aTodoReply('r1', 't1', { user: ana })]);
    await show('Completed');
    expect(screen.getByText('currently disabled')).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Edit' })).toBeDisabled();
    await userEvent.click(screen.getByRole('button', { name: '1 Reply' }));
    expect(within(rowOf('words of r1')).getByRole('button', { name: 'Edit' })).toBeEnabled();
  });

  test('are removed with their replies, and can be restored by Undo', async () => {
    openTodos([aTodo('t1', { user: ana, replyIds: ['r1'] }), aTodoReply('r1', 't1')], { projectId: 'p1' });
    await userEvent.click(screen.getByRole('button', { name: 'Remove' }));
    expect(screen.getByText('Nothing todo... yet')).toBeInTheDocument();
    await userEvent.click(await screen.findByRole('button', { name: 'Undo' }));
    await waitFor(() => expect(screen.getByRole('article')).toHaveFocus());
    expect(server.requests).toEqual([]);

    server.answer({ 'POST /api/todos/t1/remove': () => ({ json: { updatedParentTodo: null, updatedProject: null } }) });
    await userEvent.click(screen.getByRole('button', { name: 'Remove' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Dismiss' }));
    await waitFor(() => expect(server.requests.map(({ path }) => path)).toEqual(['/api/todos/t1/remove']));
    await server.settledRequests();
    expect(screen.getByText('Nothing todo... yet')).toBeInTheDocument();
  });

  test('that are completed are removed only after a question', async () => {
    openTodos([aTodo('t1', { user: ana, ...completed() })]);
    await show('Completed');
    await userEvent.click(screen.getByRole('button', { name: 'Remove' }));
    const question = within(await screen.findByRole('alertdialog'));
    expect(question.getByText('This todo is marked as completed. Are you sure you want to remove it?')).toBeInTheDocument();
    expect(screen.getByText('words of t1')).toBeInTheDocument();
    await userEvent.click(question.getByRole('button', { name: 'Remove' }));
    await waitFor(() => expect(screen.queryByText('words of t1')).not.toBeInTheDocument());
    expect(await screen.findByRole('button', { name: 'Undo' })).toBeInTheDocument();
  });
});

test('the panel is clipped only while a todo slides out, so that no focus ring is cut off', async () => {
  const { declared } = await styleSheet('features/todos/todos.css');
  expect(['.todos', '.todos:has(.slides-out)'].map((selector) => declared(selector, 'overflow-x'))).toEqual(['', 'clip']);
});
