import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { act, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { aRegion } from '../../features/regions/testing';
import { aComment } from '../../testing/comments';
import { openPage } from '../../testing/open-page';
import { projectCalled, selfCalled } from '../../testing/people-and-projects';
import { startProjectServer } from '../../testing/project-server';
import type { StubServer } from '../../testing/stub-server';
import { aTodo } from '../../testing/todos';

const ana = selfCalled('Ana');
const project = projectCalled('P1', ana);
const [version] = project.versions;
if (version === undefined) throw new Error('a project has a version');
const versionId = version._id;
const kick = aRegion('r1', { versionId, tag: 'mix', label: 'Kick' });
const snare = aRegion('r2', { versionId, start: 50, end: 60, label: 'Snare' });
const tagged = [{ _id: 'r1', tag: 'mix', timespan: '', start: 10, end: 14, childRegion: null }] as const;
const comments = [
  aComment('c1', { projectId: 'p1', stamp: { versionId, at: 30 } }),
  aComment('c2', { projectId: 'p1', taggedRegions: tagged, stamp: { versionId, at: 12 } }),
  aComment('c3', { projectId: 'p1' }),
];
const todos = [aTodo('t1', { taggedRegions: tagged })];
let server: StubServer;

beforeEach(async () => {
  sessionStorage.clear();
  server = await startProjectServer(project, { regions: [kick, snare], todos, comments });
});
afterEach(() => server.close());

const post = (words: string) => {
  const article = screen.getByText(words).closest('article');
  if (article === null) throw new Error('a post is an article');
  return article;
};
const press = async (words: string, name: string | RegExp) => userEvent.click(within(post(words)).getByRole('button', { name }));
const playhead = () => Number(screen.getByRole('slider', { name: 'Playhead' }).getAttribute('aria-valuenow'));
const selectedPosts = () => screen.queryAllByRole('article', { current: true }).map(({ id }) => id);
/** Without a layout all pins overlap: the first is that of c2. */
const pin = () => screen.getByRole('button', { name: '2 comments at 0:12.0 by Bob' });
const region = () => screen.queryByRole('group', { name: /^Region: / });
const loopButton = () => within(screen.getByRole('region', { name: 'Player' })).getAllByRole('button', { name: 'Loop' })[0];

async function open(search = '?tab=comments') {
  const page = openPage(`/projects/p1${search}`);
  await screen.findByRole('slider', { name: 'Playhead' });
  await screen.findAllByRole('article');
  return page;
}

describe('pressing the timestamp of a comment', () => {
  test('selects the comment and its moment on the wave; Escape clears both', async () => {
    await open();
    await press('words of c1', 'Go to 0:30.0');
    expect(selectedPosts()).toEqual(['comment-c1']);
    expect(playhead()).toBe(30);
    expect(pin()).toHaveAttribute('aria-current', 'true');
    await userEvent.keyboard('{Escape}');
    expect(selectedPosts()).toEqual([]);
    expect(pin()).not.toHaveAttribute('aria-current');
  });

  test('selects the region that the comment is tagged with', async () => {
    await open();
    await press('words of c2', 'Go to 0:12.0');
    expect(selectedPosts()).toEqual(['comment-c2']);
    expect(region()).toHaveAccessibleName('Region: Kick');
    expect(playhead()).toBe(12);
    await userEvent.keyboard('{Escape}');
    expect(region()).not.toBeInTheDocument();
    expect(selectedPosts()).toEqual([]);
  });

  test('ends the selection of the region before', async () => {
    await open('?region=r2&tab=comments');
    expect(region()).toHaveAccessibleName('Region: Snare');
    await press('words of c1', 'Go to 0:30.0');
    expect(region()).not.toBeInTheDocument();
    expect(selectedPosts()).toEqual(['comment-c1']);
  });
});

test('pressing the tag of a comment selects the comment with its region', async () => {
  await open();
  await press('words of c2', /^Mix/);
  expect([selectedPosts(), region()?.getAttribute('aria-label'), playhead()]).toEqual([['comment-c2'], 'Region: Kick', 10]);
});

test('pressing a pin selects its comment and leaves the playhead; pressing it again selects the next of its group', async () => {
  await open();
  await userEvent.click(pin());
  expect(selectedPosts()).toEqual(['comment-c2']);
  expect(post('words of c2')).toHaveFocus();
  expect([region()?.getAttribute('aria-label'), playhead()]).toEqual(['Region: Kick', 0]);
  await userEvent.click(pin());
  expect(selectedPosts()).toEqual(['comment-c1']);
});

test("selecting another region, or clearing the post's own, ends the selection of the post", async () => {
  await open();
  await press('words of c2', /^Mix/);
  await userEvent.click(screen.getByRole('button', { name: /^Snare/ }));
  expect(selectedPosts()).toEqual([]);
  await press('words of c2', /^Mix/);
  await userEvent.click(screen.getByRole('button', { name: 'Clear selection' }));
  expect(selectedPosts()).toEqual([]);
});

test('a post is selected from the menu of its region, whose selection stays', async () => {
  await open('?region=r1&tab=comments');
  await userEvent.click(screen.getByRole('button', { name: '2 posts' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: /words of c2/ }));
  expect([selectedPosts(), region()?.getAttribute('aria-label')]).toEqual([['comment-c2'], 'Region: Kick']);
});

test('a link to a comment or todo selects its range', async () => {
  const page = await open('?comment=c1');
  expect(selectedPosts()).toEqual(['comment-c1']);
  await act(() => page.router.navigate('/projects/p1?todo=t1'));
  await waitFor(() => expect(selectedPosts()).toEqual(['todo-t1']));
  expect(region()).toHaveAccessibleName('Region: Kick');
  await waitFor(() => expect(playhead()).toBe(10));
});

test('a link to a range selects it in its version, on the open page too; Escape clears it', async () => {
  const page = await open('?t=20-30&tab=comments');
  const range = () => document.querySelector('.range');
  expect(range()).toBeInTheDocument();
  expect(playhead()).toBe(20);
  await userEvent.keyboard('{Escape}');
  expect(range()).not.toBeInTheDocument();
  await act(() => page.router.navigate('/projects/p1?v=1.0&t=0:40-0:42.5'));
  await waitFor(() => expect(range()).toBeInTheDocument());
  expect(playhead()).toBe(40);
  await press('words of c1', 'Go to 0:30.0');
  expect(selectedPosts()).toEqual(['comment-c1']);
});

test('L loops the region of the selected post; Escape ends the loop', async () => {
  await open();
  await press('words of c1', 'Go to 0:30.0');
  await userEvent.keyboard('l');
  expect(loopButton()).toHaveAttribute('aria-pressed', 'true');
  await userEvent.keyboard('{Escape}');
  expect(loopButton()).toHaveAttribute('aria-pressed', 'false');
});

test('J and K select the posts of the open list one after the other, from the keyboard alone', async () => {
  await open();
  const keys = async (typed: string) => {
    await userEvent.keyboard(typed);
    return [selectedPosts(), document.activeElement?.id];
  };
  const ids = screen.getAllByRole('article').map(({ id }) => id);
  expect(await keys('j')).toEqual([[ids[0]], ids[0]]);
  expect(await keys('jj')).toEqual([[ids[2]], ids[2]]);
  expect(await keys('j')).toEqual([[ids[2]], ids[2]]);
  expect(await keys('k')).toEqual([[ids[1]], ids[1]]);
});

test('every key that the page listens to is listed, once', async () => {
  await open();
  await userEvent.keyboard('?');
  const dialog = within(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' }));
  const keys = dialog.getAllByRole('term').map(({ textContent }) => textContent);
  expect(new Set(keys).size).toBe(keys.length);
  expect(keys).toEqual(expect.arrayContaining(['Space', 'Enter', '←', '→', 'Esc', '/', '?', '[', ']', '1', 'C', 'J', 'K', 'L', 'M', 'T']));
});
