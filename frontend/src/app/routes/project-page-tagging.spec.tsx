import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { ActiveComment } from '@roughmix/contracts/comments/comment.view.js';
import type { RegionView } from '@roughmix/contracts/regions/region.view.js';
import type { TodoView } from '@roughmix/contracts/todos/todo.view.js';
import { act, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { aRegion } from '../../features/regions/testing';
import { startProjectServer } from '../../testing/project-server';
import type { StubServer } from '../../testing/stub-server';
import { aComment } from '../../testing/comments';
import { openPage } from '../../testing/open-page';
import { aTodo, aTodoReply } from '../../testing/todos';
import { personCalled, projectCalled, selfCalled } from '../../testing/people-and-projects';

const ana = selfCalled('Ana');
const project = projectCalled('P1', ana);
const [version] = project.versions;
if (version === undefined) throw new Error('a project has a version');
const saved = { versionId: version._id, tag: 'mix', user: personCalled('Bob') } as const;
const bobs = aRegion('r1', { ...saved, label: 'Kick' });
const own = aRegion('r2', { ...saved, user: ana, label: 'Snare' });
const child = aRegion('k1', { ...saved, user: ana, start: 11, parentRegion: 'r1' });
const tagOf = ({ _id, tag, timespan, start, end, parentRegion }: RegionView) => ({ _id, tag, timespan, start, end, childRegion: parentRegion && _id });

let server: StubServer;
beforeEach(() => sessionStorage.clear());
afterEach(() => server.close());

/** Opens the page with a region selected. */
async function open(comments: readonly ActiveComment[], selected: string, todos: readonly TodoView[] = []): Promise<void> {
  const regions = [bobs, own, child];
  const edited = { ...aComment('c1', { user: ana }), position: 40 };
  server = await startProjectServer(
    project,
    { regions, todos, comments },
    {
      'POST /api/comments': () => ({ status: 201, json: { newComment: aComment('new', { user: ana }), oldComment: null, updatedProject: null } }),
      'PUT /api/comments/c1': () => ({ json: { updatedContent: edited, updatedProject: null } }),
    },
  );
  openPage(`/projects/p1?region=${selected}&tab=comments`);
  await screen.findByRole('group', { name: /^Region: / });
}

const panel = () => within(screen.getByRole('group', { name: /^Region: / }));
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));
const double = () => userEvent.click(panel().getByRole('button', { name: 'Double, ×2' }));
const tick = async () => userEvent.click(await screen.findByRole('checkbox', { name: /Tag the selected region/ }));
const commands = () => server.requests.filter(({ method }) => method === 'POST' || method === 'PUT');

/** Sends a comment; returns the tags that it is sent with. */
async function send(): Promise<unknown> {
  await userEvent.type(screen.getByRole('textbox', { name: 'New comment' }), 'Here{Control>}{Enter}{/Control}');
  await waitFor(() => expect(commands()).toHaveLength(1));
  const [sent] = commands();
  expect(sent?.path).toBe('/api/comments');
  return (sent?.body as { submission: { taggedRegions?: unknown } } | undefined)?.submission.taggedRegions;
}

describe('a comment that is being written', () => {
  test('changes the region of someone else that it tags; only what differs is sent, and the wave shows the saved region again', async () => {
    await open([], 'r1');
    expect(panel().queryByRole('button', { name: 'Double, ×2' })).not.toBeInTheDocument();
    await tick();
    expect(panel().getByText('Changes go into your post. The saved region stays as it is.')).toBeInTheDocument();
    await double();
    expect(panel().getByText('0:10.0 to 0:18.0')).toBeInTheDocument();
    expect(await send()).toEqual([{ _id: 'r1', end: 18 }]);
    expect(await panel().findByText('0:10.0 to 0:14.0')).toBeInTheDocument();
  });

  test('changes the category of the tag', async () => {
    await open([], 'r1');
    await tick();
    await userEvent.click(panel().getByRole('button', { name: 'Category: Mix' }));
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Style' }));
    expect(await send()).toEqual([{ _id: 'r1', tag: 'style' }]);
  });

  test('does not change the own region that it tags', async () => {
    await open([], 'r2');
    await tick();
    await double();
    expect(await send()).toEqual([{ _id: 'r2', end: 18 }]);
  });

  test('Revert original discards the change, and so does a change back', async () => {
    await open([], 'r1');
    await tick();
    expect(screen.queryByRole('button', { name: 'Revert original' })).not.toBeInTheDocument();
    await double();
    await press('Revert original');
    expect(panel().getByText('0:10.0 to 0:14.0')).toBeInTheDocument();
    await double();
    await userEvent.click(panel().getByRole('button', { name: 'Halve, ½' }));
    expect(screen.queryByRole('button', { name: 'Revert original' })).not.toBeInTheDocument();
    expect(await send()).toEqual([{ _id: 'r1' }]);
  });

  test('Remove tag drops the tag with the change', async () => {
    await open([], 'r1');
    await tick();
    await double();
    await press('Remove tag');
    expect(screen.getByRole('checkbox', { name: /Tag the selected region/ })).not.toBeChecked();
    expect(panel().getByText('0:10.0 to 0:14.0')).toBeInTheDocument();
    expect(await send()).toBeUndefined();
  });
});

/** Presses a button with the keyboard. */
async function pressKey(button: HTMLElement): Promise<void> {
  act(() => button.focus());
  await userEvent.keyboard('{Enter}');
}

test.each([
  ['New comment', tick],
  ['Edit comment', () => press('Edit')],
])('in the box %s, Revert original and Remove tag leave the focus in the text', async (name, begin) => {
  await open([aComment('c1', { user: ana, taggedRegions: [tagOf(bobs)] })], 'r1');
  await screen.findByText('words of c1');
  await begin();
  await double();
  for (const button of ['Revert original', 'Remove tag']) {
    if (button === 'Remove tag') await double();
    await pressKey(screen.getByRole('button', { name: button }));
    expect(screen.queryByRole('button', { name: button })).not.toBeInTheDocument();
    expect(screen.getByRole('textbox', { name })).toHaveFocus();
  }
});

describe('a comment that is being edited', () => {
  const edit = async () => userEvent.click(await screen.findByRole('button', { name: 'Edit' }));
  async function save(): Promise<unknown> {
    await press('Save');
    await waitFor(() => expect(commands()).toHaveLength(1));
    return commands()[0]?.body;
  }
  const sent = (marks: object) => ({ projectId: 'p1', submission: { content: 'words of c1', ...marks } });

  test('changes the region that it is tagged with', async () => {
    await open([aComment('c1', { user: ana, taggedRegions: [tagOf(bobs)] })], 'r1');
    await edit();
    expect(screen.queryByRole('button', { name: 'Revert original' })).not.toBeInTheDocument();
    await double();
    expect(await save()).toEqual(sent({ taggedRegions: [{ _id: 'r1', end: 18 }] }));
  });

  test('Revert original tags it with the saved region instead of its child', async () => {
    await open([aComment('c1', { user: ana, taggedRegions: [tagOf(child)] })], 'k1');
    await edit();
    await press('Revert original');
    expect(screen.queryByRole('button', { name: 'Revert original' })).not.toBeInTheDocument();
    expect(await save()).toEqual(sent({ taggedRegions: [{ _id: 'r1' }] }));
  });

  test('Revert original discards a change first', async () => {
    await open([aComment('c1', { user: ana, taggedRegions: [tagOf(child)] })], 'k1');
    await edit();
    await double();
    await press('Revert original');
    expect(await save()).toEqual(sent({}));
  });

  test('Remove tag drops it', async () => {
    await open([aComment('c1', { user: ana, taggedRegions: [tagOf(child)] })], 'k1');
    await edit();
    await press('Remove tag');
    expect(await save()).toEqual(sent({ taggedRegions: [] }));
  });

  test('is kept while another tab is open', async () => {
    await open([aComment('c1', { user: ana, taggedRegions: [tagOf(bobs)] })], 'r1');
    const area = () => screen.getByRole('textbox', { name: 'Edit comment' });
    const show = (name: RegExp) => userEvent.click(screen.getByRole('tab', { name }));
    await edit();
    await userEvent.type(area(), ', louder');
    await press('Remove tag');
    await show(/^Notes/);
    expect(screen.queryByText('words of c1')).not.toBeInTheDocument();
    await show(/^Comments/);
    expect(area()).toHaveValue('words of c1, louder');
    expect(area()).not.toHaveFocus();
    const updatedContent = { ...aComment('c1', { user: ana }), content: 'words of c1, louder', position: 40 };
    server.answer({ 'PUT /api/comments/c1': () => ({ json: { updatedContent, updatedProject: null } }) });
    expect(await save()).toEqual(sent({ content: 'words of c1, louder', taggedRegions: [] }));
    await screen.findByText('words of c1, louder');
    await show(/^Notes/);
    await show(/^Comments/);
    expect(screen.queryByRole('textbox', { name: 'Edit comment' })).not.toBeInTheDocument();
  });

  test('Cancel leaves the region as it is saved', async () => {
    await open([aComment('c1', { user: ana, taggedRegions: [tagOf(bobs)] })], 'r1');
    await edit();
    await double();
    await press('Cancel');
    expect(panel().getByText('0:10.0 to 0:14.0')).toBeInTheDocument();
    expect(commands()).toEqual([]);
  });
});

describe('a region and its posts', () => {
  const taggedRegions = [tagOf(bobs)];
  const comments = [aComment('c1', { taggedRegions, dateAdded: 1 }), aComment('c2'), aComment('c3', { taggedRegions: [tagOf(own)] })];
  const todos = [aTodo('t1', { taggedRegions, replyIds: ['b1'], dateAdded: 2 }), aTodoReply('b1', 't1', { taggedRegions, dateAdded: 3 })];

  test('its panel lists the comments, todos and replies that are tagged with it, the oldest first, and leads to each', async () => {
    await open(comments, 'r1', todos);
    await userEvent.click(panel().getByRole('button', { name: '3 posts' }));
    const menu = within(await screen.findByRole('menu', { name: 'Posts on this region' }));
    expect(menu.getAllByRole('menuitem').map(({ textContent }) => textContent)).toEqual(['Bob: words of c1', 'Bob: words of t1', 'Bob: words of b1']);
    await userEvent.click(menu.getByRole('menuitem', { name: 'Bob: words of b1' }));
    await waitFor(() => expect(screen.getByText('words of b1').closest('article')).toHaveFocus());
  });

  test('the panel of a child leads to its original', async () => {
    await open(comments, 'k1', todos);
    await pressKey(panel().getByRole('button', { name: 'Original' }));
    expect(screen.getByRole('button', { name: 'Kick, Mix, 0:10.0 to 0:14.0' })).toHaveFocus();
    expect(screen.getByRole('group', { name: 'Region: Kick' })).toBeInTheDocument();
    expect(panel().queryByRole('button', { name: 'Original' })).not.toBeInTheDocument();
  });

  test('without posts there is no list', async () => {
    await open(comments, 'k1', todos);
    expect(panel().queryByRole('button', { name: /post/ })).not.toBeInTheDocument();
  });

  test("a post's tag selects its region and leads to its start", async () => {
    await open(comments, 'r1', todos);
    const article = (await screen.findByText('words of c3')).closest('article') ?? document.body;
    await userEvent.click(within(article).getByRole('button', { name: 'Mix, 0:10.0 to 0:14.0' }));
    await waitFor(() => expect(screen.getByRole('group', { name: 'Region: Snare' })).toBeInTheDocument());
    await waitFor(() => expect(screen.getByRole('slider', { name: 'Playhead' })).toHaveAttribute('aria-valuenow', '10'));
  });
});

test('posts lose the tag of a region that is removed, and get it back by Undo', async () => {
  await open([aComment('c1', { taggedRegions: [tagOf(own)] })], 'r2');
  await screen.findByText('words of c1');
  const tag = () => screen.queryByRole('button', { name: 'Mix, 0:10.0 to 0:14.0' });
  expect(tag()).toBeInTheDocument();
  await userEvent.click(panel().getByRole('button', { name: 'Remove region' }));
  expect(tag()).not.toBeInTheDocument();
  await userEvent.click(await screen.findByRole('button', { name: 'Undo' }));
  await waitFor(() => expect(tag()).toBeInTheDocument());
  expect(commands()).toEqual([]);
});

test.each([
  ['c', 'New comment'],
  ['t', 'New todo'],
])('the key %s opens the box with the selected region ticked, and without one after Escape', async (key, name) => {
  await open([], 'r1');
  const box = () => screen.findByRole('textbox', { name });
  await userEvent.keyboard(key);
  expect(await box()).toHaveFocus();
  expect(screen.getByRole('checkbox', { name: /Tag the selected region/ })).toBeChecked();
  await userEvent.keyboard('{Escape}{Escape}');
  await waitFor(() => expect(screen.queryByRole('checkbox', { name: /Tag the selected region/ })).not.toBeInTheDocument());
  await userEvent.keyboard(key);
  expect(await box()).toHaveFocus();
});

test('a todo changes the region that it tags, as a comment does', async () => {
  await open([], 'r1');
  server.answer({ 'POST /api/todos': () => ({ status: 201, json: { newTodo: aTodo('new', { user: ana }), oldTodo: null, updatedProject: null } }) });
  await userEvent.click(panel().getByRole('button', { name: /^Todo/ }));
  await waitFor(() => expect(screen.getByRole('textbox', { name: 'New todo' })).toHaveFocus());
  await double();
  await userEvent.type(screen.getByRole('textbox', { name: 'New todo' }), 'Tune it{Control>}{Enter}{/Control}');
  await waitFor(() => expect(commands()).toHaveLength(1));
  expect(commands()[0]).toMatchObject({ path: '/api/todos', body: { submission: { content: 'Tune it', taggedRegions: [{ _id: 'r1', end: 18 }] } } });
});
