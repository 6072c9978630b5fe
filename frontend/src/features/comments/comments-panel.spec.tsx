import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { CommentView } from '@roughmix/contracts/comments/comment.view.js';
import { act, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { startStubServer, type StubServer } from '../../testing/stub-server';
import { aComment, aReply } from '../../testing/comments';
import { commentsOf } from './comments.queries';
import type { SelectedRegion } from '../../shared/posts/new-post';
import { openPanel } from '../../testing/comments-panel';
import { ana, aPlayhead, away, version } from '../../testing/open-project';

const region: SelectedRegion = { _id: 'r1', tag: 'mix', start: 8, end: 12, isDraft: false, isHidden: false, save: () => Promise.resolve('r1') };
let server: StubServer;

beforeEach(async () => {
  sessionStorage.clear();
  server = await startStubServer({ 'GET /api/auth/session': () => ({ json: { user: ana, staffRole: null } }) });
});
afterEach(() => server.close());

const box = () => screen.getByRole('textbox', { name: 'New comment' });
const bodies = () => server.requests.map(({ body }) => body);
const added = (projectId: string, content: string) => ({
  status: 201,
  json: { newComment: aComment('new', { projectId, content, user: ana, position: 30 }), oldComment: null, updatedProject: null },
});

describe('the box', () => {
  test('typing pauses playback and stamps its position; sending resumes playback', async () => {
    const { calls, playhead } = aPlayhead();
    const { projectId } = openPanel([], { playhead });
    server.answer({ 'POST /api/comments': () => added(projectId, 'Late here') });

    await userEvent.type(box(), 'Late here');
    expect(calls).toEqual(['pause']);
    expect(screen.getByText('0:17.4')).toBeInTheDocument();
    await userEvent.click(screen.getByRole('button', { name: 'Send' }));

    expect(calls).toEqual(['pause', 'play']);
    expect(await screen.findByRole('article', { name: 'Comment by Ana' })).toHaveTextContent('Late here');
    expect(screen.getAllByRole('article')).toHaveLength(1);
    expect(bodies()).toEqual([{ projectId, submission: { content: 'Late here', versionId: version?._id, stamp: { versionId: version?._id, at: 17.4 } } }]);
    expect(box()).toHaveValue('');
  });

  test('the timestamp is removed with one click', async () => {
    const { projectId } = openPanel([]);
    server.answer({ 'POST /api/comments': () => added(projectId, 'All of it') });
    await userEvent.type(box(), 'All of it');
    await userEvent.click(screen.getByRole('button', { name: 'Remove timestamp 0:17.4' }));
    await userEvent.type(box(), '{Control>}{Enter}{/Control}');
    await waitFor(() => expect(bodies()).toEqual([{ projectId, submission: { content: 'All of it', versionId: version?._id } }]));
  });

  test('a comment is tagged with the selected region only when its box is ticked', async () => {
    const { projectId } = openPanel([], { region });
    server.answer({ 'POST /api/comments': () => added(projectId, 'x') });
    const tick = screen.getByRole('checkbox', { name: /Tag the selected region, Mix/ });
    expect(tick).not.toBeChecked();
    await userEvent.type(box(), 'x{Control>}{Enter}{/Control}');
    await waitFor(() => expect(server.requests).toHaveLength(1));
    await userEvent.click(tick);
    await userEvent.type(box(), 'y{Control>}{Enter}{/Control}');
    await waitFor(() => expect(server.requests).toHaveLength(2));
    expect(bodies().map((body) => (body as { submission: { taggedRegions?: unknown } }).submission.taggedRegions)).toEqual([undefined, [{ _id: 'r1' }]]);
  });

  test('tagging a region that is not saved yet saves it first', async () => {
    const { projectId } = openPanel([], { region: { ...region, _id: 'temp_region', isDraft: true, save: () => Promise.resolve('saved') } });
    server.answer({ 'POST /api/comments': () => added(projectId, 'x') });
    await userEvent.click(screen.getByRole('checkbox', { name: /Tag the selected region/ }));
    await userEvent.type(box(), 'x{Control>}{Enter}{/Control}');
    await waitFor(() => expect(bodies()[0]).toMatchObject({ submission: { taggedRegions: [{ _id: 'saved' }] } }));
  });

  test('a comment or reply of white space alone cannot be sent', async () => {
    openPanel([aComment('c1')]);
    expect(screen.getByRole('button', { name: 'Send' })).toBeDisabled();
    await userEvent.type(box(), ' {Enter}\u200b\u3164 {Control>}{Enter}{/Control}');
    expect(screen.getByRole('button', { name: 'Send' })).toBeDisabled();
    await userEvent.click(screen.getByRole('button', { name: 'Reply' }));
    await userEvent.type(screen.getByRole('textbox', { name: /Reply to/ }), ' {Enter} {Control>}{Enter}{/Control}');
    expect(screen.getByRole('button', { name: 'Send reply' })).toBeDisabled();
    expect(await server.settledRequests()).toEqual([]);
  });

  test('an @ suggests the members; arrows and Enter choose one, who is sent as a mention', async () => {
    const { projectId } = openPanel([]);
    server.answer({ 'POST /api/comments': () => added(projectId, 'x') });
    await userEvent.type(box(), 'Hey @');
    expect(
      within(screen.getByRole('listbox', { name: 'People to mention' }))
        .getAllByRole('option')
        .map(({ textContent }) => textContent),
    ).toEqual(['BobBob', 'Everyone']);
    await userEvent.keyboard('{ArrowDown}{ArrowUp}{Enter}');
    expect(box()).toHaveValue('Hey @Bob ');
    expect(screen.queryByRole('listbox')).not.toBeInTheDocument();
    await userEvent.keyboard('listen{Control>}{Enter}{/Control}');
    await waitFor(() => expect(bodies()[0]).toMatchObject({ submission: { content: 'Hey %MENTION_Bob_END% listen' } }));
  });
});

test('the box has the focus after a button that the keyboard pressed is gone or disabled', async () => {
  openPanel([aComment('c1')]);
  const press = async (name: string) => {
    act(() => screen.getByRole('button', { name }).focus());
    await userEvent.keyboard('{Enter}');
  };
  await userEvent.type(box(), 'Here');
  await press('Remove timestamp 0:17.4');
  expect(box()).toHaveFocus();
  await press('Send');
  expect(screen.getByRole('button', { name: 'Send' })).toBeDisabled();
  expect(box()).toHaveFocus();
  await press('Reply');
  const reply = screen.getByRole('textbox', { name: 'Reply to Bob' });
  await userEvent.type(reply, 'There');
  await press('Send reply');
  expect(reply).toHaveFocus();
});

test('playback that the user has changed while writing stays as it is', async () => {
  const { calls, playhead } = aPlayhead();
  const { projectId } = openPanel([], { playhead });
  server.answer({ 'POST /api/comments': () => added(projectId, 'x') });

  await userEvent.type(box(), 'Discarded');
  await userEvent.clear(box());
  await userEvent.type(box(), 'x{Control>}{Enter}{/Control}');
  await waitFor(() => expect(server.requests).toHaveLength(1));
  expect(calls).toEqual(['pause']);

  playhead.resume();
  await userEvent.type(box(), 'y');
  playhead.resume();
  playhead.pause();
  await userEvent.type(box(), '{Control>}{Enter}{/Control}');
  await waitFor(() => expect(server.requests).toHaveLength(2));
  expect(calls).toEqual(['pause', 'play', 'pause', 'play', 'pause']);
});

test('playback resumes once, with the send that succeeds', async () => {
  const { calls, playhead } = aPlayhead();
  let isRefused = true;
  const save = () => (isRefused ? Promise.reject(new Error('No.')) : Promise.resolve('saved'));
  const { projectId } = openPanel([], { playhead, region: { ...region, _id: 'temp_region', isDraft: true, save } });
  server.answer({ 'POST /api/comments': () => away });
  await userEvent.click(screen.getByRole('checkbox', { name: /Tag the selected region/ }));
  await userEvent.type(box(), 'x{Control>}{Enter}{/Control}');
  await screen.findByRole('alert');
  expect([calls, box()]).toEqual([['pause'], expect.objectContaining({ value: 'x' })]);

  isRefused = false;
  await userEvent.type(box(), '{Control>}{Enter}{/Control}');
  await waitFor(() => expect(calls).toEqual(['pause', 'play']));
  playhead.pause();
  server.answer({ 'POST /api/comments': () => added(projectId, 'x') });
  await userEvent.click(await screen.findByRole('button', { name: 'Retry' }));
  await screen.findByRole('article', { name: 'Comment by Ana' });
  expect(calls).toEqual(['pause', 'play', 'pause']);
});

test('a reply is stamped when typing it paused playback, and not otherwise', async () => {
  const { calls, playhead } = aPlayhead();
  const { projectId } = openPanel([aComment('c1')], { playhead });
  server.answer({
    'POST /api/comments/:id': () => ({ status: 201, json: { newComment: aReply('new', 'c1'), updatedParentComment: null, updatedProject: null } }),
  });
  await userEvent.click(screen.getByRole('button', { name: 'Reply' }));
  const reply = () => screen.getByRole('textbox', { name: 'Reply to Bob' });
  await userEvent.type(reply(), 'Here');
  expect(screen.getByRole('button', { name: 'Remove timestamp 0:17.4' })).toBeInTheDocument();
  await userEvent.type(reply(), '{Control>}{Enter}{/Control}');
  await waitFor(() => expect(server.requests).toHaveLength(1));
  expect(calls).toEqual(['pause', 'play']);

  playhead.pause();
  await userEvent.type(reply(), 'Agreed{Control>}{Enter}{/Control}');
  await waitFor(() => expect(server.requests).toHaveLength(2));
  expect(bodies()).toEqual([
    { projectId, submission: { content: 'Here', versionId: version?._id, stamp: { versionId: version?._id, at: 17.4 } } },
    { projectId, submission: { content: 'Agreed', versionId: version?._id } },
  ]);
});

test('a comment written offline is sent once the network is back; a refused one waits for its author', async () => {
  const { projectId } = openPanel([]);
  server.answer({ 'POST /api/comments': () => away });
  await userEvent.type(box(), 'Too harsh{Control>}{Enter}{/Control}');
  await screen.findByRole('alert');
  server.answer({ 'POST /api/comments': () => 'hang up' });
  await userEvent.type(box(), 'Said in a tunnel{Control>}{Enter}{/Control}');
  await waitFor(() =>
    expect(screen.getAllByRole('alert').map(({ textContent }) => textContent)).toContain('Not sent. It is kept here. Roughmix cannot be reached right now.'),
  );

  server.answer({ 'POST /api/comments': () => added(projectId, 'Said in a tunnel') });
  window.dispatchEvent(new Event('online'));
  expect(await screen.findByRole('article', { name: 'Comment by Ana' })).toHaveTextContent('Said in a tunnel');
  expect(screen.getByRole('article', { name: 'Comment by Ana, not sent yet' })).toHaveTextContent('Too harsh');
});

describe('written comments', () => {
  test('a failed comment is kept, and retried under the same key', async () => {
    const { projectId } = openPanel([]);
    server.answer({ 'POST /api/comments': () => away });
    await userEvent.type(box(), 'Do not lose me{Control>}{Enter}{/Control}');
    expect(await screen.findByRole('alert')).toHaveTextContent('Not sent. It is kept here. You may not do this in this project.');
    expect(screen.getByRole('article')).toHaveTextContent('Do not lose me');

    server.answer({ 'POST /api/comments': () => added(projectId, 'Do not lose me') });
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByRole('article', { name: 'Comment by Ana' })).toHaveTextContent('Do not lose me');
    expect(screen.getAllByRole('article')).toHaveLength(1);
    expect(new Set(server.requests.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
  });

  test('a failed comment can be put back into the box', async () => {
    openPanel([]);
    server.answer({ 'POST /api/comments': () => away });
    await userEvent.type(box(), 'Too harsh{Control>}{Enter}{/Control}');
    await userEvent.click(await screen.findByRole('button', { name: 'Back to draft' }));
    expect(box()).toHaveValue('Too harsh');
    expect(screen.queryByRole('article')).not.toBeInTheDocument();
  });

  test('a draft is there again after the page was left', async () => {
    const { unmount, projectId } = openPanel([]);
    await userEvent.type(box(), 'Half a thou');
    unmount();
    openPanel([], { projectId });
    expect(box()).toHaveValue('Half a thou');
  });

  test('drafts of replies and unsent replies to a removed comment move to the box for new comments', async () => {
    const gone: CommentView = { _id: 'c2', projectId: 'p1', removed: true, content: null, user: null, dateAdded: 1, replyIds: ['r1'], position: 20 };
    const { cache, projectId } = openPanel([aComment('c1', { dateAdded: 2 }), aComment('c2', { dateAdded: 1 }), aReply('r1', 'c2')]);
    server.answer({ 'POST /api/comments': () => ({ status: 404, json: { code: 'comment.gone', status: 404, detail: 'Gone.' } }) });
    await userEvent.click(screen.getByRole('button', { name: '1 Reply' }));
    await userEvent.type(screen.getByRole('textbox', { name: 'Reply to Bob' }), 'sent too late{Control>}{Enter}{/Control}');
    await screen.findByRole('button', { name: 'Back to draft' });
    await userEvent.click(screen.getByRole('button', { name: 'Reply' }));
    await userEvent.type(screen.getAllByRole('textbox', { name: 'Reply to Bob' })[0] ?? box(), 'half an answer');

    act(() => void cache.setQueryData(commentsOf(projectId).queryKey, [gone, aReply('r1', 'c2')]));
    await waitFor(() => expect(box()).toHaveValue('half an answer'));
    expect(await screen.findByText(/The comment you were replying to was removed/)).toBeInTheDocument();
    await userEvent.click(screen.getByRole('button', { name: 'Back to draft' }));
    expect(box()).toHaveValue('half an answer\nsent too late');
  });

  test('a file that is not a supported image is refused before anything is sent', async () => {
    openPanel([]);
    const file = new File(['x'], 'a.tiff', { type: 'image/tiff' });
    await userEvent.upload(screen.getByLabelText('Image', { selector: 'input' }), file, { applyAccept: false });
    expect(screen.getByRole('alert')).toHaveTextContent('Needs to be a png, jpeg, gif or webp image');
    expect(await server.settledRequests()).toEqual([]);
  });

  test('an empty image file, as a cloud placeholder is, is refused', async () => {
    openPanel([]);
    await userEvent.upload(screen.getByLabelText('Image', { selector: 'input' }), new File([], 'a.png', { type: 'image/png' }));
    expect(screen.getByRole('alert')).toHaveTextContent("Cloud files aren't allowed. Download locally first");
    expect(await server.settledRequests()).toEqual([]);
  });

  test('users without the right to comment get no boxes and no rating', () => {
    openPanel([aComment('c1')], {
      viewer: { uid: 'ana', role: 'Visitor', access: null, may: { comment: false, download: false, write: false, owner: false } },
    });
    expect(screen.queryByRole('textbox')).not.toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Reply' })).not.toBeInTheDocument();
    expect(screen.queryByRole('button', { name: /Like/ })).not.toBeInTheDocument();
  });
});
