import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { TodoView } from '@roughmix/contracts/todos/todo.view.js';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { QueryClient } from '@tanstack/react-query';
import { handle } from '../../shared/live/handlers';
import { ana } from '../../testing/open-project';
import { startStubServer, type StubServer } from '../../testing/stub-server';
import { aTodo, completed } from '../../testing/todos';
import { openTodos } from '../../testing/todos-panel';
import { isReminded, reminderMessage } from './reminder-message';
import { todoLive } from './todo.live';
import { todosOf } from './todos.queries';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** A whole minute, because forms have no seconds. */
const dueDate = Math.floor(Date.now() / 60_000) * 60_000 + 20 * DAY;
const dueTodo = aTodo('t1', { user: ana, dueDate, reminder: { '1 hour before': dueDate - HOUR } });
let server: StubServer;

beforeEach(async () => {
  sessionStorage.clear();
  server = await startStubServer({});
});
afterEach(() => server.close());

const form = async () => within(await screen.findByRole('dialog', { name: 'Due date and reminder' }));
const submissions = () => server.requests.map(({ body }) => (body as { submission: unknown }).submission);

/** Opens the form of a todo. */
async function openDue(todo: TodoView) {
  openTodos([todo], { projectId: 'p1' });
  await userEvent.click(within(screen.getByRole('article')).getByRole('button', { name: /^Due/ }));
  return form();
}

const answerEdit = (changes: Partial<TodoView>) =>
  server.answer({ 'PUT /api/todos/t1': () => ({ json: { updatedTodo: { ...dueTodo, position: 30, ...changes }, updatedProject: null } }) });

describe('a due date', () => {
  test('of a new todo is at 09:00 if nothing else is chosen, and may have a reminder', async () => {
    const { projectId } = openTodos([]);
    server.answer({ 'POST /api/todos': () => ({ status: 201, json: { newTodo: aTodo('new', { projectId }), oldTodo: null, updatedProject: null } }) });
    await userEvent.click(screen.getByRole('button', { name: 'Due' }));
    const set = (await form()).getByRole('button', { name: 'Set' });
    expect(set).toBeDisabled();
    expect((await form()).getByLabelText('Time')).toHaveValue('09:00');
    fireEvent.change((await form()).getByLabelText('Due date'), { target: { value: '2126-03-09' } });
    await userEvent.click((await form()).getByRole('button', { name: /^Reminder/ }));
    await userEvent.click(await screen.findByRole('option', { name: '1 day before' }));
    expect(set).toBeEnabled();
    await userEvent.click(set);
    await userEvent.type(screen.getByRole('textbox', { name: 'New todo' }), 'Master it{Control>}{Enter}{/Control}');

    const at = new Date('2126-03-09T09:00').getTime();
    await waitFor(() => expect(submissions()).toMatchObject([{ content: 'Master it', dueDate: at, reminder: { '1 day before': at - DAY } }]));
    expect(screen.getByRole('button', { name: 'Due' })).toBeInTheDocument();
  });

  test('is moved by the author, and its reminder with it', async () => {
    const later = dueDate + DAY;
    const due = await openDue(dueTodo);
    answerEdit({ dueDate: later });
    const day = new Date(later);
    const local = new Date(day.getTime() - day.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
    fireEvent.change(due.getByLabelText('Due date'), { target: { value: local } });
    await userEvent.click(due.getByRole('button', { name: 'Set' }));
    await waitFor(() => expect(submissions()).toEqual([{ dueDate: later, reminder: { '1 hour before': later - HOUR } }]));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  });

  test('is removed only after a question', async () => {
    const due = await openDue(dueTodo);
    answerEdit({ dueDate: null, reminder: { None: -1 } });
    fireEvent.change(due.getByLabelText('Due date'), { target: { value: '' } });
    await userEvent.click(due.getByRole('button', { name: 'Set' }));
    expect((await form()).getByText('Remove a due date?')).toBeInTheDocument();
    await userEvent.click((await form()).getByRole('button', { name: 'Cancel' }));
    await userEvent.click((await form()).getByRole('button', { name: 'Set' }));
    await userEvent.click((await form()).getByRole('button', { name: 'Yes' }));
    await waitFor(() => expect(submissions()).toEqual([{ dueDate: null }]));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  });

  test('that the server refuses leaves the form open with the reason', async () => {
    const due = await openDue(dueTodo);
    server.answer({
      'PUT /api/todos/t1': () => ({ status: 409, json: { code: 'todo.completed', status: 409, detail: 'This todo is completed and cannot be edited.' } }),
    });
    await userEvent.click(due.getByRole('button', { name: 'Remove' }));
    await userEvent.click((await form()).getByRole('button', { name: 'Yes' }));
    expect(await (await form()).findByRole('alert')).toHaveTextContent('This todo is completed and cannot be edited.');
  });

  test('of others, or of a completed todo, is shown and cannot be changed', async () => {
    openTodos([aTodo('t1', { dueDate }), aTodo('t2', { user: ana, dueDate, ...completed() })]);
    const expectReadOnly = (words: string, due: RegExp) => {
      const row = within(screen.getByRole('article'));
      expect(row.getByText(words)).toBeInTheDocument();
      expect(row.getByText(due)).toBeInTheDocument();
      expect(row.queryByRole('button', { name: /^Due/ })).not.toBeInTheDocument();
    };
    expectReadOnly('words of t1', /in 2 weeks/);
    await userEvent.click(screen.getByRole('radio', { name: /^Completed/ }));
    expectReadOnly('words of t2', /^due/);
  });

  test('of a completed todo is no longer urgent, and its reminder is not shown', async () => {
    openTodos([aTodo('t1', { dueDate: Date.now() - DAY, reminder: { '1 hour before': Date.now() - DAY - HOUR }, ...completed() })]);
    await userEvent.click(screen.getByRole('radio', { name: /^Completed/ }));
    const due = within(await screen.findByRole('article')).getByText(/^due/);
    expect(due).toHaveTextContent(/^due Yesterday @ \d\d:\d\d$/);
    expect(due).not.toHaveClass('soon');
    expect(screen.queryByText(/reminder/)).not.toBeInTheDocument();
  });
});

test('a due date after the year 9999 cannot be set, and the form says why', async () => {
  const due = await openDue(dueTodo);
  fireEvent.change(due.getByLabelText('Due date'), { target: { value: '12026-03-09' } });
  expect(due.getByRole('alert')).toHaveTextContent('Choose a date before the year 10000.');
  expect(due.getByRole('button', { name: 'Set' })).toBeDisabled();
});

describe('a reminder that fires', () => {
  const fired = { ...dueTodo, content: 'Ask %MENTION_Bob_END% for stems', taggedUsers: ['bob'], reminderSent: true, position: 20 };
  const push = { type: 'TodoEdited', projectId: 'p1', commandId: null, view: fired, position: 20 } as const;

  test('is an edit without an actor that sets reminderSent, reported once', () => {
    const cache = new QueryClient();
    cache.setQueryData(todosOf('p1').queryKey, [dueTodo]);
    const reported: string[] = [];
    const handlers = todoLive(({ _id }) => reported.push(_id));
    handle(handlers, cache, { ...push, actorUid: null });
    handle(handlers, cache, { ...push, actorUid: null, position: 21 });
    expect(reported).toEqual(['t1']);
    cache.setQueryData(todosOf('p1').queryKey, [dueTodo]);
    handle(handlers, cache, { ...push, actorUid: 'bob' });
    expect(reported).toEqual(['t1']);
  });

  test('is for the author and those who are mentioned, and says how long is left', () => {
    expect(['ana', 'bob', 'cleo'].filter((uid) => isReminded(fired, uid))).toEqual(['ana', 'bob']);
    expect(reminderMessage(fired)).toBe('Due in 1 hour: Ask @Bob for stems');
  });
});
