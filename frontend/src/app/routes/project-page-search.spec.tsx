import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { sha256 } from '@roughmix/contracts/shared/sha256.js';
import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { aRegion } from '../../features/regions/testing';
import { aComment } from '../../testing/comments';
import { openPage } from '../../testing/open-page';
import { projectCalled, selfCalled } from '../../testing/people-and-projects';
import { aTodo, completed } from '../../testing/todos';
import { startProjectServer } from '../../testing/project-server';
import type { StubServer } from '../../testing/stub-server';

const ana = selfCalled('Ana');
const project = projectCalled('P1', ana);
const notes = { public: 'Tuning: DADGAD\n\nBridge in six', private: 'Ask Zoë to sing', hash: { public: sha256('a'), private: sha256('b') } };
const region = aRegion('r1', { versionId: 'p1_v1', end: 20, tag: 'mix', label: 'Kick in the bridge', timespan: '0:10.0 to 0:20.0' });
let server: StubServer;

beforeEach(async () => {
  sessionStorage.clear();
  server = await startProjectServer(
    { ...project, owner: { ...project.owner, notes } },
    {
      regions: [region],
      todos: [aTodo('t1', { content: 'Double the bridge' }), aTodo('t2', { content: 'Ask for credits', ...completed() })],
      comments: [aComment('c1', { content: 'The bridge is too loud' }), aComment('c2', { content: 'Good morning' })],
    },
  );
});
afterEach(() => server.close());

/** Opens the search with its key, and types. */
async function find(words: string) {
  openPage('/projects/p1');
  await screen.findByText('Double the bridge');
  await userEvent.keyboard('/');
  const dialog = within(await screen.findByRole('dialog', { name: 'Search this project' }));
  await userEvent.type(dialog.getByRole('combobox', { name: 'Todos, comments, notes and regions' }), words);
  return dialog;
}

const isClosed = () => waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());

test('a search lists todos, comments, notes and regions, and says when there is nothing', async () => {
  const dialog = await find('bridge');
  const names = (await dialog.findAllByRole('option')).map((option) => option.textContent);
  expect(names).toEqual([
    'Todo: Double the bridgeBob',
    'Comment: The bridge is too loudBob',
    'Note: Bridge in sixPublic note',
    'Region: Kick in the bridgeMix, 0:10.0 to 0:20.0 in 1.0',
  ]);
  await userEvent.type(dialog.getByRole('combobox'), ' drums');
  expect(await dialog.findByText('Nothing found')).toBeInTheDocument();
});

test('Enter leads to the first result: a comment gets the focus', async () => {
  await find('too loud');
  await userEvent.keyboard('{Enter}');
  await isClosed();
  await waitFor(() => expect(screen.getByText('The bridge is too loud').closest('article')).toHaveFocus());
});

test('a completed todo is shown in its list and gets the focus', async () => {
  await find('credits');
  await userEvent.keyboard('{Enter}');
  await isClosed();
  expect(await screen.findByRole('radio', { name: /Completed/, checked: true })).toBeInTheDocument();
  await waitFor(() => expect(screen.getByText('Ask for credits').closest('article')).toHaveFocus());
});

test('a line of a note is selected in its tab', async () => {
  const dialog = await find('zoe');
  await userEvent.click(await dialog.findByRole('option', { name: /Private note/ }));
  await isClosed();
  const box = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Private note' });
  await waitFor(() => expect(box).toHaveFocus());
  expect([box.selectionStart, box.selectionEnd]).toEqual([0, notes.private.length]);
  await userEvent.click(screen.getByRole('tab', { name: /Comments/ }));
  await userEvent.click(screen.getByRole('tab', { name: 'Notes' }));
  expect(await screen.findByRole('textbox', { name: 'Public note' })).not.toHaveFocus();
});

test('one search after another leads from note to note', async () => {
  await find('tuning');
  await userEvent.keyboard('{Enter}');
  await isClosed();
  await waitFor(() => expect(screen.getByRole('textbox', { name: 'Public note' })).toHaveFocus());
  await userEvent.click(screen.getByRole('button', { name: 'Search this project' }));
  await userEvent.type(await screen.findByRole('combobox'), 'sing{Enter}');
  await isClosed();
  await waitFor(() => expect(screen.getByRole('textbox', { name: 'Private note' })).toHaveFocus());
});

test('a region is selected and its label gets the focus', async () => {
  await find('kick');
  await userEvent.keyboard('{Enter}');
  await isClosed();
  expect(await screen.findByRole('group', { name: 'Region: Kick in the bridge' })).toBeInTheDocument();
  await waitFor(() => expect(screen.getByRole('button', { name: /^Kick in the bridge, Mix/ })).toHaveFocus());
});

test('a link leads to a note', async () => {
  openPage('/projects/p1?note=private');
  expect(await screen.findByRole('tab', { name: 'Notes', selected: true })).toBeInTheDocument();
  await waitFor(() => expect(screen.getByRole('textbox', { name: 'Private note' })).toHaveFocus());
});
