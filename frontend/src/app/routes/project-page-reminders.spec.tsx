import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { notificationOf } from '../../features/notifications/notification-fixture';
import { openPage } from '../../testing/open-page';
import { projectCalled, selfCalled } from '../../testing/people-and-projects';
import { startProjectServer } from '../../testing/project-server';
import type { StubServer } from '../../testing/stub-server';
import { aTodo } from '../../testing/todos';

const ana = selfCalled('Ana');
const project = projectCalled('P1', ana);
const dueDate = Date.now() + 60_000;
const todo = aTodo('t1', { projectId: 'p1', user: ana, content: 'Print the stems', dueDate, reminder: { 'When Todo is due': dueDate }, position: 30 });
const fired = { actorUid: null, commandId: 'remind-of-todo-t1', position: 31 };
let server: StubServer;

beforeEach(async () => {
  sessionStorage.clear();
  server = await startProjectServer(project, {}, { 'POST /api/todos': () => ({ status: 201, json: { newTodo: todo, oldTodo: null, updatedProject: null } }) });
});
afterEach(() => server.close());

test('a reminder of a todo that was written here pops in on the open page of its project', async () => {
  const page = openPage('/projects/p1');
  await userEvent.type(await screen.findByRole('textbox', { name: 'New todo' }), 'Print the stems');
  await userEvent.click(screen.getByRole('button', { name: 'Add todo' }));
  await waitFor(() => expect(screen.getByRole('article', { name: 'Todo by Ana' })).toHaveTextContent('Print the stems'));

  page.push({ ...fired, type: 'TodoEdited', projectId: 'p1', view: { ...todo, reminderSent: true, position: 31 } });
  const view = notificationOf(null, {
    type: 'TodoReminder',
    postOwnerId: 'ana',
    resourceId: 't1',
    message: 'Due now: Print the stems (P1)',
    refs: { projectId: 'p1', todoId: 't1' },
    href: '/projects/p1?todo=t1',
    position: 31,
  });
  page.push({ ...fired, type: 'NotificationAdded', view, counts: { other: 1, groups: 0, messages: 0, byGroup: {} } });

  const popIn = within(await screen.findByRole('group', { name: 'Notification' }));
  expect(popIn.getByText('Due now: Print the stems (P1)')).toBeInTheDocument();
  server.answer({ 'PUT /api/notifications/markAsRead': () => ({ json: { read: ['n1'], counts: { other: 0, groups: 0, messages: 0, byGroup: {} } } }) });
  await userEvent.click(popIn.getByRole('button', { name: 'Open' }));
  await waitFor(() => expect(screen.getByRole('article', { name: 'Todo by Ana' })).toHaveFocus());
});
