import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { CommentView } from '@roughmix/contracts/comments/comment.view.js';
import { act, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { aRegion } from '../../features/regions/testing';
import { startProjectServer } from '../../testing/project-server';
import type { StubServer } from '../../testing/stub-server';
import { aComment, aReply } from '../../testing/comments';
import { aTodo, aTodoReply, completed } from '../../testing/todos';
import { openPage } from '../../testing/open-page';
import { projectCalled, selfCalled } from '../../testing/people-and-projects';

const ana = selfCalled('Ana');
const first = projectCalled('P1', ana);
const [v1] = first.versions;
if (v1 === undefined) throw new Error('a project has a version');
const v2 = { ...v1, _id: 'p1_v2', majorUpdate: 2 };
const project = { ...first, versions: [v1, v2], versionIds: [v1._id, v2._id], currentVersion: v2 };
const region = aRegion('r1', { versionId: v1._id, tag: 'mix', label: 'Kick' });
const comments = [
  aComment('c1', { projectId: 'p1', replyIds: ['a1'], stamp: { versionId: v1._id, at: 30 } }),
  aReply('a1', 'c1', { projectId: 'p1' }),
  aComment('c2', { projectId: 'p1' }),
];
const todos = [
  aTodo('t1', { replyIds: ['b1'], stamp: { versionId: v1._id, at: 40 } }),
  aTodoReply('b1', 't1'),
  aTodo('t2', completed({ completedTodosVersionId: v1._id })),
];
let server: StubServer;

beforeEach(async () => {
  sessionStorage.clear();
  server = await startProjectServer(project, { regions: [region], todos, comments });
});
afterEach(() => server.close());

const selectedVersion = () => screen.findByRole('region', { name: /^Version \d/ });
const playhead = () => Number(screen.getByRole('slider', { name: 'Playhead' }).getAttribute('aria-valuenow'));
const articleOf = async (words: string) => (await screen.findByText(words)).closest('article');

async function openProject() {
  const page = openPage('/projects/p1?tab=comments');
  await screen.findByText('words of c1');
  expect(await selectedVersion()).toHaveAccessibleName('Version 2.0');
  return (search: string) => act(() => page.router.navigate(`/projects/p1${search}`));
}

test('links on the open page lead to a tab and a range', async () => {
  const follow = await openProject();
  await follow('?tab=notes');
  expect(screen.getByRole('tab', { name: 'Notes', selected: true })).toBeInTheDocument();
  await follow('?tab=todos&t=17-21');
  expect(screen.getByRole('tab', { name: /^Todos/, selected: true })).toBeInTheDocument();
  await waitFor(() => expect(playhead()).toBe(17));
});

test('links on the open page lead to a version and a moment', async () => {
  const follow = await openProject();
  await follow('?v=1.0&t=20');
  expect(await selectedVersion()).toHaveAccessibleName('Version 1.0');
  await waitFor(() => expect(playhead()).toBe(20));
  await follow('?t=0:25');
  expect(await selectedVersion()).toHaveAccessibleName('Version 1.0');
  expect(playhead()).toBe(25);
});

test('a link on the open page selects its region in its version, and again after the selection was cleared', async () => {
  const follow = await openProject();
  await follow('?region=r1');
  expect(await screen.findByRole('group', { name: 'Region: Kick' })).toBeInTheDocument();
  expect(await selectedVersion()).toHaveAccessibleName('Version 1.0');
  await waitFor(() => expect(playhead()).toBe(10));
  await userEvent.click(screen.getByRole('button', { name: 'Clear selection' }));
  expect(screen.queryByRole('group', { name: 'Region: Kick' })).not.toBeInTheDocument();
  await follow('?region=r1');
  expect(await screen.findByRole('group', { name: 'Region: Kick' })).toBeInTheDocument();
});

test('a link on the open page leads to a comment, its version and its moment, and again when it is the same link', async () => {
  const follow = await openProject();
  await follow('?comment=c1');
  const article = await articleOf('words of c1');
  await waitFor(() => expect(article).toHaveFocus());
  expect(article).toHaveClass('is-highlighted');
  expect(await selectedVersion()).toHaveAccessibleName('Version 1.0');
  await waitFor(() => expect(playhead()).toBe(30));

  await userEvent.click(screen.getByRole('textbox', { name: 'New comment' }));
  await follow('?comment=c1');
  await waitFor(() => expect(article).toHaveFocus());

  await follow('?comment=a1');
  const reply = await articleOf('words of a1');
  await waitFor(() => expect(reply).toHaveFocus());
});

test('a link leads to a todo in its tab, also to a completed one, to a reply, and again when it is the same link', async () => {
  const follow = await openProject();
  await follow('?todo=t1');
  const todo = await articleOf('words of t1');
  await waitFor(() => expect(todo).toHaveFocus());
  expect(await selectedVersion()).toHaveAccessibleName('Version 1.0');
  await waitFor(() => expect(playhead()).toBe(40));

  await follow('?todo=t2');
  const done = await articleOf('words of t2');
  await waitFor(() => expect(done).toHaveFocus());
  expect(screen.getByRole('radio', { name: /^Completed/ })).toBeChecked();

  await follow('?todo=b1');
  const reply = await articleOf('words of b1');
  await waitFor(() => expect(reply).toHaveFocus());

  await userEvent.click(screen.getByRole('textbox', { name: 'New todo' }));
  await follow('?todo=b1');
  await waitFor(() => expect(reply).toHaveFocus());
});

test.each(['todo', 'comment', 'region'])('a link to a removed %s says that it is gone', async (what) => {
  openPage(`/projects/p1?${what}=gone`);
  expect(await screen.findByText(`This ${what} is no longer there.`)).toBeInTheDocument();
});

/** The page's next request is answered with these comments, and those that the page has, once `send` is called. */
function answerLater(added: readonly CommentView[]) {
  let send = () => {};
  const sent = new Promise<void>((resolve) => (send = resolve));
  const changed = { ...project, position: project.position + 1 };
  const data = { project: changed, versions: project.versions, regions: [region], todos, comments: [...comments, ...added] };
  server.answer({
    'GET /api/projects/:id/visitor/ana': async () => {
      await sent;
      return { json: { data } };
    },
  });
  return () => act(async () => send());
}

/** Opens the page, leaves it, and returns to what is cached of it by a link. */
async function returnBy(search: string, added: readonly CommentView[]) {
  const page = openPage('/projects/p1');
  await screen.findByText('words of t1');
  await act(() => page.router.navigate('/projects'));
  await screen.findByRole('heading', { name: 'All Projects' });
  const answer = answerLater(added);
  await act(() => page.router.navigate(`/projects/p1${search}`));
  expect(await selectedVersion()).toHaveAccessibleName('Version 2.0');
  return answer;
}

const added = aComment('c3', { projectId: 'p1', position: project.position + 1, stamp: { versionId: v1._id, at: 35 } });

test('a link into a cached page leads to a comment that only the server has yet, and to its moment', async () => {
  const answer = await returnBy('?comment=c3', [added]);
  expect(screen.queryByText('This comment is no longer there.')).not.toBeInTheDocument();
  await answer();
  const article = await articleOf('words of c3');
  await waitFor(() => expect(article).toHaveFocus());
  expect(await selectedVersion()).toHaveAccessibleName('Version 1.0');
  await waitFor(() => expect(playhead()).toBe(35));
  expect(screen.queryByText('This comment is no longer there.')).not.toBeInTheDocument();
});

test('a link into a cached page says that its target is gone once the server does not have it either', async () => {
  const answer = await returnBy('?comment=c3', []);
  expect(screen.queryByText('This comment is no longer there.')).not.toBeInTheDocument();
  await answer();
  expect(await screen.findByText('This comment is no longer there.')).toBeInTheDocument();
});

test('a link on the open page leads to a comment whose push has not arrived', async () => {
  const follow = await openProject();
  const answer = answerLater([added]);
  await follow('?comment=c3');
  expect(screen.queryByText('This comment is no longer there.')).not.toBeInTheDocument();
  await answer();
  await waitFor(() => expect(playhead()).toBe(35));
  expect(await articleOf('words of c3')).toHaveFocus();
});

test('T opens the todos and writes one, C opens the comments and writes one', async () => {
  await openProject();
  await userEvent.keyboard('t');
  await waitFor(() => expect(screen.getByRole('textbox', { name: 'New todo' })).toHaveFocus());
  await userEvent.keyboard('{Escape}c');
  await waitFor(() => expect(screen.getByRole('textbox', { name: 'New comment' })).toHaveFocus());
});

test('a timestamp of a comment leads to its version and moment', async () => {
  await openProject();
  const article = await articleOf('words of c1');
  if (article === null) throw new Error('the comment is shown');
  await userEvent.click(within(article).getByRole('button', { name: 'Go to 0:30.0' }));
  expect(await selectedVersion()).toHaveAccessibleName('Version 1.0');
  await waitFor(() => expect(playhead()).toBe(30));
});

test('the tab has the title of the project, even when the page is opened again from the cache', async () => {
  const page = openPage('/projects/p1');
  await screen.findByText('words of t1');
  await waitFor(() => expect(document.title).toBe('P1 | Roughmix Studio beta'));
  await act(() => page.router.navigate('/projects'));
  await screen.findByRole('heading', { name: 'All Projects' });
  expect(document.title).not.toContain('P1');
  await act(() => page.router.navigate('/projects/p1'));
  await screen.findByText('words of t1');
  expect(document.title).toBe('P1 | Roughmix Studio beta');
});
