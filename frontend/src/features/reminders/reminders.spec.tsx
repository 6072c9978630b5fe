import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { TodoReminderView } from '@roughmix/contracts/todos/todo.view.js';
import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { addDays, dayOf, startOfDay } from '../../shared/format/days';
import { openPage } from '../../testing/open-page';
import { personCalled, projectCalled, selfCalled } from '../../testing/people-and-projects';
import { startStubServer, type StubServer } from '../../testing/stub-server';
import { styleSheet } from '../../testing/style-sheet';
import { aTodo } from '../../testing/todos';

const ana = selfCalled('Ana');
const lowTide = projectCalled('Low Tide', ana);
const ferryDemo = projectCalled('Ferry Demo', personCalled('Bob'));
const today = dayOf(Date.now());
/** At 09:00 so many days from today. */
const due = (todoId: string, days: number, { _id: projectId, projectName } = lowTide): TodoReminderView => ({
  todoId,
  projectId,
  projectName,
  dueDate: startOfDay(addDays(today, days)) + 9 * 3_600_000,
  at: -1,
  label: 'None',
  reminderSent: false,
});
const answerWith = (reminders: readonly TodoReminderView[], texts: Readonly<Record<string, string>> = {}) =>
  server.answer({
    'POST /api/notifications/manageTodoReminders': () => ({
      json: { reminders, reminderTodos: Object.fromEntries(Object.entries(texts).map(([id, content]) => [id, aTodo(id, { content })])) },
    }),
  });
let server: StubServer;

beforeEach(async () => {
  server = await startStubServer({
    'GET /api/auth/session': () => ({ json: { user: ana, staffRole: null } }),
    'GET /api/collections/ana': () => ({ json: { collections: [] } }),
    'GET /api/projects/ana': () => ({ json: { projects: [lowTide, ferryDemo] } }),
  });
});
afterEach(() => server.close());

const panel = async () => within(await screen.findByRole('complementary', { name: 'Reminders' }));

test('the calendar of reminders shows dates after the year 9999, which could once be set', async () => {
  const far = (todoId: string, dueDate: number): TodoReminderView => ({ ...due(todoId, 0), dueDate });
  answerWith([far('t1', new Date(20_266, 11, 1, 9).getTime()), far('t2', 8.64e15)], { t1: 'Far', t2: 'Last' });
  openPage('/projects');
  const list = within(await (await panel()).findByRole('list', { name: 'Due next' }));
  await waitFor(() =>
    expect(list.getAllByRole('link').map(({ textContent }) => textContent)).toEqual([
      '09:001 DecFarLow Tide',
      expect.stringMatching(/^\d\d:\d\d1[23] Sept?LastLow Tide$/),
    ]),
  );
});

describe('the calendar of reminders', () => {
  test('lists what is due next in all projects; each entry leads to its todo', async () => {
    answerWith([due('t1', -1), due('t2', 0), due('t3', 1, ferryDemo)], { t1: 'Tame the %MENTION_Bob_END%', t2: 'Print it' });
    openPage('/projects');
    const list = await (await panel()).findByRole('list', { name: 'Due next' });
    const links = () => [...list.querySelectorAll('a')].map((link) => [link.textContent, link.getAttribute('href')]);
    await waitFor(() =>
      expect(links()).toEqual([
        ['09:00yesterdayTame the @BobLow Tide', '/projects/low_tide?todo=t1'],
        ['09:00todayPrint itLow Tide', '/projects/low_tide?todo=t2'],
        ['09:00tomorrow...Ferry Demo', '/bob/projects/ferry_demo?todo=t3'],
      ]),
    );
  });

  test('has 6 weeks of 7 days, marks the days with todos, and lists those of a chosen day', async () => {
    answerWith([due('t1', 0), due('t2', 0), due('t3', 1)], { t1: 'First', t2: 'Second', t3: 'Third' });
    openPage('/projects');
    const grid = within((await panel()).getByRole('grid'));
    expect(grid.getAllByRole('gridcell')).toHaveLength(42);
    const day = await grid.findByRole('button', { name: /, 2 due$/ });
    expect(day).toHaveAttribute('aria-current', 'date');
    await userEvent.click(day);
    const list = within((await panel()).getByRole('list', { name: /^Due on / }));
    expect(list.getAllByRole('link').map(({ textContent }) => textContent)).toEqual(['09:00todayFirstLow Tide', '09:00todaySecondLow Tide']);
    await userEvent.click(day);
    expect((await panel()).getByRole('list', { name: 'Due next' })).toBeInTheDocument();
  });

  test('is moved through by keys, and by months', async () => {
    answerWith([]);
    openPage('/projects');
    const aside = await panel();
    const grid = aside.getByRole('grid');
    const title = grid.getAttribute('aria-label');
    within(grid)
      .getAllByRole('button')
      .find((button) => button.getAttribute('aria-current') === 'date')
      ?.focus();
    // A neighbour in the same month, from which Page Down leads to the next one.
    const [key, day] = today.slice(8) === '01' ? ['{ArrowRight}', addDays(today, 1)] : ['{ArrowLeft}', addDays(today, -1)];
    await userEvent.keyboard(key);
    expect(document.activeElement).toHaveAttribute('data-day', day);
    await userEvent.keyboard('{Enter}');
    expect(aside.getByText(/^Nothing is due on /)).toBeInTheDocument();
    await userEvent.keyboard('{PageDown}');
    expect(grid).not.toHaveAttribute('aria-label', title);
    expect(aside.getByText('Nothing is due.')).toBeInTheDocument();
    await userEvent.click(aside.getByRole('button', { name: 'Previous month' }));
    expect(grid).toHaveAttribute('aria-label', title);
  });

  test('that cannot be loaded says so and can be asked for again', async () => {
    server.answer({
      'POST /api/notifications/manageTodoReminders': () => ({
        status: 500,
        json: { code: 'internal', status: 500, detail: 'Something went wrong on our side.' },
      }),
    });
    openPage('/projects');
    expect(await (await panel()).findByRole('alert')).toHaveTextContent('Something went wrong on our side.');
    answerWith([]);
    await userEvent.click((await panel()).getByRole('button', { name: 'Retry' }));
    expect(await (await panel()).findByText('Nothing is due.')).toBeInTheDocument();
  });

  test('opens in a dialog from the bar on narrow screens', async () => {
    answerWith([]);
    openPage('/projects');
    const opener = await screen.findByRole('button', { name: 'Reminders' });
    const { declared } = await styleSheet('features/reminders/reminders.module.css');
    const narrow = '(max-width: 1199.98px)';
    expect([opener.parentElement, screen.getByRole('complementary', { name: 'Reminders' })].map((part) => part?.className)).toEqual(['opener', 'panel']);
    expect([declared('.panel', 'display'), declared('.opener', 'display')]).toEqual(['grid', 'none']);
    expect([declared('.panel', 'display', narrow), declared('.opener', 'display', narrow)]).toEqual(['none', 'contents']);
    await userEvent.click(opener);
    expect(within(await screen.findByRole('dialog', { name: 'Reminders' })).getByRole('grid')).toBeInTheDocument();
  });
});

test('the guest has no reminders', async () => {
  answerWith([]);
  const guest = selfCalled('Gast', { isGuest: true });
  server.answer({
    'GET /api/auth/session': () => ({ json: { user: guest, staffRole: null } }),
    'GET /api/projects/gast': () => ({ json: { projects: [lowTide] } }),
    'GET /api/collections/gast': () => ({ json: { collections: [] } }),
  });
  openPage('/projects');
  await screen.findByRole('link', { name: 'Low Tide' });
  expect(screen.queryByRole('complementary', { name: 'Reminders' })).not.toBeInTheDocument();
  expect((await server.settledRequests()).filter(({ method }) => method === 'POST')).toEqual([]);
});
