import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { CommentView } from '@roughmix/contracts/comments/comment.view.js';
import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { startStubServer, type StubServer } from '../../testing/stub-server';
import { aComment, aReply } from '../../testing/comments';
import { openPanel } from '../../testing/comments-panel';
import { ana, away, version } from '../../testing/open-project';

let server: StubServer;

beforeEach(async () => {
  sessionStorage.clear();
  server = await startStubServer({});
});
afterEach(() => server.close());

describe('the list', () => {
  test('an empty list says so', () => {
    openPanel([]);
    expect(screen.getByText('No comments (yet)')).toBeInTheDocument();
  });

  test('replies are folded away below a button with their number', async () => {
    openPanel([
      aComment('c1', { replyIds: ['r1', 'r2'] }),
      aReply('r1', 'c1'),
      aReply('r2', 'c1'),
      aComment('c2', { replyIds: ['r3'] }),
      aReply('r3', 'c2'),
      aComment('c3'),
    ]);
    expect(screen.queryByText('words of r1')).not.toBeInTheDocument();
    expect(screen.getByRole('button', { name: '1 Reply' })).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Reply' })).toBeInTheDocument();
    await userEvent.click(screen.getByRole('button', { name: '2 Replies' }));
    expect(screen.getByText('words of r1')).toBeInTheDocument();
  });

  test('replies that are not loaded yet are counted, and say so', async () => {
    openPanel([aComment('c1', { replyIds: ['r1', 'r2'] }), aReply('r1', 'c1')]);
    await userEvent.click(screen.getByRole('button', { name: '2 Replies' }));
    expect(screen.getByText('words of r1')).toBeInTheDocument();
    expect(screen.getByRole('status', { name: 'Loading replies' })).toHaveTextContent(/^Loading\.\.\.$/);
  });

  test('authors can edit and remove; others can rate, and see an inactive report button', () => {
    openPanel([aComment('c1', { user: ana, content: 'mine', likes: ['bob'], negCount: 3 }), aComment('c2', { content: 'his' })]);
    const mine = within(screen.getByRole('article', { name: 'Comment by Ana' }));
    expect(mine.getByRole('button', { name: 'Edit' })).toBeInTheDocument();
    expect(mine.getByRole('button', { name: 'Remove' })).toBeInTheDocument();
    expect(mine.queryByRole('button', { name: 'Dislike' })).not.toBeInTheDocument();
    expect(mine.getByText('Disliked by').parentElement).toHaveTextContent('Disliked by 3');
    const his = within(screen.getByRole('article', { name: 'Comment by Bob' }));
    expect(his.queryByRole('button', { name: 'Edit' })).not.toBeInTheDocument();
    expect(his.queryByRole('button', { name: 'Remove' })).not.toBeInTheDocument();
    expect(his.getByRole('button', { name: 'Report (not available yet)' })).toHaveAttribute('aria-disabled', 'true');
    expect(his.getByRole('button', { name: 'Like' })).toHaveAttribute('aria-pressed', 'false');
  });

  test.each([
    ['many lines', `first${'\n'.repeat(300)}last`],
    ['many characters', `first ${'louder '.repeat(300)} last`],
  ])('a text of %s is folded until it is opened, and can be folded again', async (_what, content) => {
    openPanel([aComment('c1', { content })]);
    const text = within(screen.getByRole('article')).getByText(/^first/);
    expect(text).toHaveClass('is-folded');
    const more = screen.getByRole('button', { name: 'more', expanded: false });
    await userEvent.click(more);
    expect(text).not.toHaveClass('is-folded');
    expect(more).toHaveFocus();
    await userEvent.click(screen.getByRole('button', { name: 'less', expanded: true }));
    expect(text).toHaveClass('is-folded');
  });

  test('a text of a few lines is whole', () => {
    openPanel([aComment('c1', { content: `first${'\n'.repeat(14)}last` })]);
    expect(screen.queryByRole('button', { name: 'more' })).not.toBeInTheDocument();
  });

  test('a removed comment with replies stays as a placeholder', () => {
    const gone: CommentView = { _id: 'c1', projectId: 'p1', removed: true, content: null, user: null, dateAdded: 1, replyIds: ['r1'], position: 1 };
    openPanel([gone, aReply('r1', 'c1')]);
    expect(screen.getByRole('article', { name: 'Removed comment' })).toHaveTextContent('content removed...');
  });

  test('a tag leads to its region, a timestamp to its position', async () => {
    const led: unknown[] = [];
    const tag = { _id: 'r1', tag: 'mix', timespan: '0:08 – 0:12', start: 8, end: 12, childRegion: null } as const;
    openPanel([aComment('c1', { taggedRegions: [tag], stamp: { versionId: version?._id ?? '', at: 9.5 } })], {
      goTo: ({ regionId, at }) => led.push(regionId ?? at),
    });
    await userEvent.click(screen.getByRole('button', { name: 'Mix, 0:08.0 to 0:12.0' }));
    await userEvent.click(screen.getByRole('button', { name: 'Go to 0:09.5' }));
    expect(led).toEqual(['r1', 9.5]);
  });
});

describe('own comments', () => {
  test('an edit is sent with its mentions and closes; the editor stays open when it fails', async () => {
    const mine = aComment('c1', { user: ana, content: 'Ask %MENTION_Bob_END%' });
    openPanel([mine]);
    await userEvent.click(screen.getByRole('button', { name: 'Edit' }));
    const area = screen.getByRole('textbox', { name: 'Edit comment' });
    expect(area).toHaveValue('Ask @Bob');
    await userEvent.type(area, ' again');
    server.answer({ 'PUT /api/comments/c1': () => away });
    await userEvent.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('You may not do this in this project.');
    expect(area).toHaveValue('Ask @Bob again');
    server.answer({
      'PUT /api/comments/c1': () => ({ json: { updatedContent: { ...mine, content: 'Ask %MENTION_Bob_END% again', position: 40 }, updatedProject: null } }),
    });
    await userEvent.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(screen.queryByRole('textbox', { name: 'Edit comment' })).not.toBeInTheDocument());
    expect(server.requests.at(-1)?.body).toEqual({ projectId: 'p1', submission: { content: 'Ask %MENTION_Bob_END% again' } });
  });

  test('Remove tag removes the region from the comment', async () => {
    const tag = { _id: 'r1', tag: 'mix', timespan: '0:08 – 0:12', start: 8, end: 12, childRegion: null } as const;
    const mine = aComment('c1', { user: ana, taggedRegions: [tag] });
    openPanel([mine]);
    server.answer({ 'PUT /api/comments/c1': () => ({ json: { updatedContent: { ...mine, taggedRegions: [], position: 40 }, updatedProject: null } }) });
    await userEvent.click(screen.getByRole('button', { name: 'Edit' }));
    await userEvent.click(screen.getByRole('button', { name: 'Remove tag' }));
    expect(screen.queryByRole('button', { name: 'Remove tag' })).not.toBeInTheDocument();
    await userEvent.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(screen.queryByRole('textbox', { name: 'Edit comment' })).not.toBeInTheDocument());
    expect(server.requests.at(-1)?.body).toEqual({ projectId: 'p1', submission: { content: 'words of c1', taggedRegions: [] } });
  });

  test('the focus moves to Edit after an edit, and to the next comment after a removal', async () => {
    openPanel([aComment('c1', { user: ana, content: 'older', dateAdded: 1 }), aComment('c2', { user: ana, content: 'newer', dateAdded: 2 })]);
    const [newer, older] = screen.getAllByRole('article');
    if (!newer || !older) throw new Error('two comments are shown');
    await userEvent.click(within(newer).getByRole('button', { name: 'Edit' }));
    await userEvent.keyboard('{Escape}');
    expect(within(newer).getByRole('button', { name: 'Edit' })).toHaveFocus();

    server.answer({ 'POST /api/comments/c2': () => ({ json: { updatedParentComment: null, updatedProject: null } }) });
    await userEvent.click(within(newer).getByRole('button', { name: 'Remove' }));
    await waitFor(() => expect(older).toHaveFocus());
  });

  test('the box for the first reply takes the focus; existing replies are read first', async () => {
    openPanel([aComment('c1', { content: 'alone', dateAdded: 2 }), aComment('c2', { content: 'answered', dateAdded: 1 }), aReply('r1', 'c2')]);
    await userEvent.click(screen.getByRole('button', { name: 'Reply' }));
    expect(screen.getByRole('textbox', { name: 'Reply to Bob' })).toHaveFocus();
    await userEvent.click(screen.getByRole('button', { name: '1 Reply' }));
    expect(screen.getByRole('button', { name: '1 Reply' })).toHaveFocus();
  });

  test('replies arrive below their comment when they are opened', async () => {
    openPanel([aComment('c1'), aReply('r1', 'c1')]);
    const toggle = screen.getByRole('button', { name: '1 Reply' });
    await userEvent.click(toggle);
    expect(document.getElementById(toggle.getAttribute('aria-controls') ?? '')).toHaveClass('thread', 'arrives');
  });
});

describe('what was typed into an edit', () => {
  test('is kept by Escape, which leaves the box, and discarded by Cancel', async () => {
    openPanel([aComment('c1', { user: ana, content: 'mine' })]);
    await userEvent.click(screen.getByRole('button', { name: 'Edit' }));
    const area = screen.getByRole('textbox', { name: 'Edit comment' });
    await userEvent.type(area, ' now{Escape}');
    expect(area).toHaveValue('mine now');
    expect(area).not.toHaveFocus();
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(screen.getByText('mine')).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Edit' })).toHaveFocus();
  });

  test('while it is saved stays in the editor', async () => {
    const mine = aComment('c1', { user: ana, content: 'mine' });
    let answer = () => {};
    const answered = new Promise<void>((resolve) => (answer = resolve));
    openPanel([mine]);
    server.answer({
      'PUT /api/comments/c1': async () => {
        await answered;
        return { json: { updatedContent: { ...mine, content: 'mine now', position: 40 }, updatedProject: null } };
      },
    });
    await userEvent.click(screen.getByRole('button', { name: 'Edit' }));
    const area = screen.getByRole('textbox', { name: 'Edit comment' });
    await userEvent.type(area, ' now{Control>}{Enter}{/Control} and later');
    answer();
    await waitFor(() => expect(screen.getByRole('button', { name: 'Save' })).not.toHaveAttribute('aria-busy', 'true'));
    expect(area).toBeInTheDocument();
    expect(area).toHaveValue('mine now and later');
  });
});

describe('removing an own comment', () => {
  test('can be undone, and is sent once its message is dismissed', async () => {
    openPanel([aComment('c1', { user: ana })], { projectId: 'p1' });
    await userEvent.click(screen.getByRole('button', { name: 'Remove' }));
    expect(screen.queryByRole('article')).not.toBeInTheDocument();
    await userEvent.click(await screen.findByRole('button', { name: 'Undo' }));
    await waitFor(() => expect(screen.getByRole('article')).toHaveFocus());
    expect(server.requests).toEqual([]);

    server.answer({ 'POST /api/comments/c1': () => ({ json: { updatedParentComment: null, updatedProject: null } }) });
    await userEvent.click(screen.getByRole('button', { name: 'Remove' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Dismiss' }));
    await waitFor(() => expect(server.requests.map(({ path }) => path)).toEqual(['/api/comments/c1']));
    expect(screen.getByText('No comments (yet)')).toBeInTheDocument();
  });

  test('with replies shows it as removed at once, and again when the server has removed it', async () => {
    openPanel([aComment('c1', { user: ana, replyIds: ['r1'] }), aReply('r1', 'c1')], { projectId: 'p1' });
    server.answer({ 'POST /api/comments/c1': () => ({ json: { updatedParentComment: null, updatedProject: null } }) });
    await userEvent.click(screen.getByRole('button', { name: 'Remove' }));
    expect(screen.getByText('content removed...')).toBeInTheDocument();
    await userEvent.click(await screen.findByRole('button', { name: 'Dismiss' }));
    await waitFor(() => expect(server.requests).toHaveLength(1));
    await server.settledRequests();
    expect([screen.getByText('content removed...'), screen.getByRole('button', { name: '1 Reply' })]).toHaveLength(2);
  });

  test('that the server refuses shows the comment again', async () => {
    openPanel([aComment('c1', { user: ana })]);
    server.answer({ 'POST /api/comments/c1': () => away });
    await userEvent.click(screen.getByRole('button', { name: 'Remove' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Dismiss' }));
    expect(await screen.findByText('The comment was not removed. You may not do this in this project.')).toBeInTheDocument();
    expect(screen.getByRole('article')).toBeInTheDocument();
  });
});
