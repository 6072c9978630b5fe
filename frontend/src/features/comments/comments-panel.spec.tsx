import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { CommentView } from '@roughmix/contracts/comments/comment.view.js';
import { useQuery } from '@tanstack/react-query';
import { act, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { answeringServer, type AnsweringServer } from '../../testing/answering-server';
import { personCalled, projectCalled, selfCalled } from '../../testing/people-and-projects';
import { renderFor } from '../../testing/with-session';
import { commentsOf } from './comments.queries';
import { CommentsPanel } from './comments-panel';
import { aComment, aReply } from '../../testing/comments';
import type { SelectedRegion, Surroundings } from './surroundings';

const ana = selfCalled('Ana');
const [version] = projectCalled('P1', ana).versions;
const away = { status: 403, json: { code: 'project.not-allowed', status: 403, detail: 'You may not do this in this project.' } };
const region: SelectedRegion = { _id: 'r1', tag: 'mix', start: 8, end: 12, isDraft: false };
let server: AnsweringServer;

beforeEach(async () => {
  sessionStorage.clear();
  server = await answeringServer({});
});
afterEach(() => server.close());

/** A playhead at 17.4 s. */
function aPlayhead(isPlaying = true) {
  const told: string[] = [];
  let playing = isPlaying;
  const turn = (word: string, to: boolean) => () => {
    told.push(word);
    playing = to;
  };
  return { told, moment: { isPlaying: () => playing, position: () => 17.4, play: turn('play', true), pause: turn('pause', false) } };
}

let projects = 0;
/** Each page is of another project: an outbox lives as long as its tab. */
function openPanel(comments: readonly CommentView[], changes: Partial<Surroundings> = {}) {
  projects += 1;
  const projectId = changes.projectId ?? `p${projects}`;
  const around: Surroundings = {
    projectId,
    user: ana,
    viewer: { uid: 'ana', role: 'Viewer', access: 1, may: { comment: true, download: false, write: false, owner: false } },
    members: [ana, personCalled('Bob')],
    versions: version ? [version] : [],
    heard: version ?? null,
    moment: aPlayhead(false).moment,
    region: null,
    saveRegion: () => Promise.resolve('saved'),
    regions: new Map(),
    onRegion: () => undefined,
    onStamp: () => undefined,
    ...changes,
  };
  function Page() {
    const { data = comments } = useQuery(commentsOf(projectId));
    return <CommentsPanel around={around} comments={data} lit={null} />;
  }
  const page = renderFor(around.user, <Page />);
  page.cache.setQueryData(commentsOf(projectId).queryKey, comments);
  return { ...page, projectId };
}

const box = () => screen.getByRole('textbox', { name: 'New comment' });
const bodies = () => server.asked.map(({ body }) => body);
const added = (projectId: string, content: string) => ({
  status: 201,
  json: { newComment: aComment('new', { projectId, content, user: ana, position: 30 }), oldComment: null, updatedProject: null },
});

describe('the box', () => {
  test('typing pauses what plays and stamps the playhead; sending goes on', async () => {
    const { told, moment } = aPlayhead();
    const { projectId } = openPanel([], { moment });
    server.answer({ 'POST /api/comments': () => added(projectId, 'Late here') });

    await userEvent.type(box(), 'Late here');
    expect(told).toEqual(['pause']);
    expect(screen.getByText('0:17.4')).toBeInTheDocument();
    await userEvent.click(screen.getByRole('button', { name: 'Send' }));

    expect(told).toEqual(['pause', 'play']);
    expect(await screen.findByRole('article', { name: 'Comment by Ana' })).toHaveTextContent('Late here');
    expect(screen.getAllByRole('article')).toHaveLength(1);
    expect(bodies()).toEqual([{ projectId, submission: { content: 'Late here', versionId: version?._id, stamp: { versionId: version?._id, at: 17.4 } } }]);
    expect(box()).toHaveValue('');
  });

  test('the moment is left out with one click', async () => {
    const { projectId } = openPanel([]);
    server.answer({ 'POST /api/comments': () => added(projectId, 'All of it') });
    await userEvent.type(box(), 'All of it');
    await userEvent.click(screen.getByRole('button', { name: 'Leave out the moment 0:17.4' }));
    await userEvent.type(box(), '{Control>}{Enter}{/Control}');
    await waitFor(() => expect(bodies()).toEqual([{ projectId, submission: { content: 'All of it', versionId: version?._id } }]));
  });

  test('the selected region goes along only when it is ticked', async () => {
    const { projectId } = openPanel([], { region });
    server.answer({ 'POST /api/comments': () => added(projectId, 'x') });
    const tick = screen.getByRole('checkbox', { name: /Tag the selected region, Mix/ });
    expect(tick).not.toBeChecked();
    await userEvent.type(box(), 'x{Control>}{Enter}{/Control}');
    await waitFor(() => expect(server.asked).toHaveLength(1));
    await userEvent.click(tick);
    await userEvent.type(box(), 'y{Control>}{Enter}{/Control}');
    await waitFor(() => expect(server.asked).toHaveLength(2));
    expect(bodies().map((body) => (body as { submission: { taggedRegions?: unknown } }).submission.taggedRegions)).toEqual([undefined, [{ _id: 'r1' }]]);
  });

  test('a region that nobody saved is saved by tagging it', async () => {
    const { projectId } = openPanel([], { region: { ...region, _id: 'temp_region', isDraft: true } });
    server.answer({ 'POST /api/comments': () => added(projectId, 'x') });
    await userEvent.click(screen.getByRole('checkbox', { name: /Tag the selected region/ }));
    await userEvent.type(box(), 'x{Control>}{Enter}{/Control}');
    await waitFor(() => expect(bodies()[0]).toMatchObject({ submission: { taggedRegions: [{ _id: 'saved' }] } }));
  });

  test('white space alone cannot be sent, neither as a comment nor as a reply', async () => {
    openPanel([aComment('c1')]);
    expect(screen.getByRole('button', { name: 'Send' })).toBeDisabled();
    await userEvent.type(box(), ' {Enter} {Control>}{Enter}{/Control}');
    expect(screen.getByRole('button', { name: 'Send' })).toBeDisabled();
    await userEvent.click(screen.getByRole('button', { name: 'Reply' }));
    await userEvent.type(screen.getByRole('textbox', { name: /Reply to/ }), ' {Enter} {Control>}{Enter}{/Control}');
    expect(screen.getByRole('button', { name: 'Send reply' })).toBeDisabled();
    expect(await server.askedByNow()).toEqual([]);
  });

  test('an @ offers the members; arrows choose, Enter takes, the wire says who is meant', async () => {
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

test('what is written without a network goes out by itself when the network is back; what was refused waits for its author', async () => {
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

describe('what is written', () => {
  test('is kept by a failure, and tried again under the same key', async () => {
    const { projectId } = openPanel([]);
    server.answer({ 'POST /api/comments': () => away });
    await userEvent.type(box(), 'Do not lose me{Control>}{Enter}{/Control}');
    expect(await screen.findByRole('alert')).toHaveTextContent('Not sent. It is kept here. You may not do this in this project.');
    expect(screen.getByRole('article')).toHaveTextContent('Do not lose me');

    server.answer({ 'POST /api/comments': () => added(projectId, 'Do not lose me') });
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByRole('article', { name: 'Comment by Ana' })).toHaveTextContent('Do not lose me');
    expect(screen.getAllByRole('article')).toHaveLength(1);
    expect(new Set(server.asked.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
  });

  test('goes back to the box when it failed and that is wanted', async () => {
    openPanel([]);
    server.answer({ 'POST /api/comments': () => away });
    await userEvent.type(box(), 'Too harsh{Control>}{Enter}{/Control}');
    await userEvent.click(await screen.findByRole('button', { name: 'Back to the box' }));
    expect(box()).toHaveValue('Too harsh');
    expect(screen.queryByRole('article')).not.toBeInTheDocument();
  });

  test('is there again after the page was left', async () => {
    const { unmount, projectId } = openPanel([]);
    await userEvent.type(box(), 'Half a thou');
    unmount();
    openPanel([], { projectId });
    expect(box()).toHaveValue('Half a thou');
  });

  test('comes into the box when the comment that it answered is removed, begun as well as sent', async () => {
    const gone: CommentView = { _id: 'c2', projectId: 'p1', removed: true, content: null, user: null, dateAdded: 1, replyIds: ['r1'], position: 20 };
    const { cache, projectId } = openPanel([aComment('c1', { dateAdded: 2 }), aComment('c2', { dateAdded: 1 }), aReply('r1', 'c2')]);
    server.answer({ 'POST /api/comments': () => ({ status: 404, json: { code: 'comment.gone', status: 404, detail: 'Gone.' } }) });
    await userEvent.click(screen.getByRole('button', { name: '1 Reply' }));
    await userEvent.type(screen.getByRole('textbox', { name: 'Reply to Bob' }), 'sent too late{Control>}{Enter}{/Control}');
    await screen.findByRole('button', { name: 'Back to the box' });
    await userEvent.click(screen.getByRole('button', { name: 'Reply' }));
    await userEvent.type(screen.getAllByRole('textbox', { name: 'Reply to Bob' })[0] ?? box(), 'half an answer');

    act(() => void cache.setQueryData(commentsOf(projectId).queryKey, [gone, aReply('r1', 'c2')]));
    await waitFor(() => expect(box()).toHaveValue('half an answer'));
    expect(await screen.findByText(/The comment you were answering was removed/)).toBeInTheDocument();
    await userEvent.click(screen.getByRole('button', { name: 'Back to the box' }));
    expect(box()).toHaveValue('half an answer\nsent too late');
  });

  test('is no image of another kind: that is refused before anything is sent', async () => {
    openPanel([]);
    const file = new File(['x'], 'a.tiff', { type: 'image/tiff' });
    await userEvent.upload(screen.getByLabelText('Image', { selector: 'input' }), file, { applyAccept: false });
    expect(screen.getByRole('alert')).toHaveTextContent('Needs to be a png, jpeg, gif or webp image');
    expect(await server.askedByNow()).toEqual([]);
  });

  test('is no empty image, as the placeholders of clouds are', async () => {
    openPanel([]);
    await userEvent.upload(screen.getByLabelText('Image', { selector: 'input' }), new File([], 'a.png', { type: 'image/png' }));
    expect(screen.getByRole('alert')).toHaveTextContent("Cloud files aren't allowed. Download locally first");
    expect(await server.askedByNow()).toEqual([]);
  });

  test('has no place for who may not comment', () => {
    openPanel([aComment('c1')], {
      viewer: { uid: 'ana', role: 'Visitor', access: null, may: { comment: false, download: false, write: false, owner: false } },
    });
    expect(screen.queryByRole('textbox')).not.toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Reply' })).not.toBeInTheDocument();
    expect(screen.queryByRole('button', { name: /Like/ })).not.toBeInTheDocument();
  });
});

describe('the list', () => {
  test('says when there is nothing', () => {
    openPanel([]);
    expect(screen.getByText('No comments (yet)')).toBeInTheDocument();
  });

  test('folds replies away under how many they are', async () => {
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

  test('edit and remove are for its author alone, rating and the idle report for the others', () => {
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

  test('a removed comment leaves its place to its replies', () => {
    const gone: CommentView = { _id: 'c1', projectId: 'p1', removed: true, content: null, user: null, dateAdded: 1, replyIds: ['r1'], position: 1 };
    openPanel([gone, aReply('r1', 'c1')]);
    expect(screen.getByRole('article', { name: 'Removed comment' })).toHaveTextContent('content removed...');
  });

  test('a tag leads to its region, a moment to its place', async () => {
    const led: unknown[] = [];
    const tag = { _id: 'r1', tag: 'mix', timespan: '0:08 – 0:12', start: 8, end: 12, childRegion: null } as const;
    openPanel([aComment('c1', { taggedRegions: [tag], stamp: { versionId: version?._id ?? '', at: 9.5 } })], {
      onRegion: (one) => led.push(one._id),
      onStamp: ({ at }) => led.push(at),
    });
    await userEvent.click(screen.getByRole('button', { name: 'Mix, 0:08.0 to 0:12.0' }));
    await userEvent.click(screen.getByRole('button', { name: 'Go to 0:09.5' }));
    expect(led).toEqual(['r1', 9.5]);
  });
});

describe("one's own words", () => {
  test('an edit goes out with its mentions and closes; the words stay open when it fails', async () => {
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
    expect(server.asked.at(-1)?.body).toEqual({ projectId: 'p1', submission: { content: 'Ask %MENTION_Bob_END% again' } });
  });

  test('Remove tag takes the region off them', async () => {
    const tag = { _id: 'r1', tag: 'mix', timespan: '0:08 – 0:12', start: 8, end: 12, childRegion: null } as const;
    const mine = aComment('c1', { user: ana, taggedRegions: [tag] });
    openPanel([mine]);
    server.answer({ 'PUT /api/comments/c1': () => ({ json: { updatedContent: { ...mine, taggedRegions: [], position: 40 }, updatedProject: null } }) });
    await userEvent.click(screen.getByRole('button', { name: 'Edit' }));
    await userEvent.click(screen.getByRole('button', { name: 'Remove tag' }));
    expect(screen.queryByRole('button', { name: 'Remove tag' })).not.toBeInTheDocument();
    await userEvent.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(screen.queryByRole('textbox', { name: 'Edit comment' })).not.toBeInTheDocument());
    expect(server.asked.at(-1)?.body).toEqual({ projectId: 'p1', submission: { content: 'words of c1', taggedRegions: [] } });
  });

  test('the focus stays where one was: at Edit after an edit, at the next comment after a removal', async () => {
    openPanel([aComment('c1', { user: ana, content: 'older', dateAdded: 1 }), aComment('c2', { user: ana, content: 'newer', dateAdded: 2 })]);
    const [newer, older] = screen.getAllByRole('article');
    if (!newer || !older) throw new Error('two comments are shown');
    await userEvent.click(within(newer).getByRole('button', { name: 'Edit' }));
    await userEvent.keyboard('{Escape}');
    expect(within(newer).getByRole('button', { name: 'Edit' })).toHaveFocus();

    server.answer({ 'POST /api/comments/c2': () => ({ json: { updatedParentComment: null, updatedProject: null } }) });
    await userEvent.click(within(newer).getByRole('button', { name: 'Remove' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Remove comment' }));
    await waitFor(() => expect(older).toHaveFocus());
  });

  test('a first reply is written at once; where there are some, they are read first', async () => {
    openPanel([aComment('c1', { content: 'alone', dateAdded: 2 }), aComment('c2', { content: 'answered', dateAdded: 1 }), aReply('r1', 'c2')]);
    await userEvent.click(screen.getByRole('button', { name: 'Reply' }));
    expect(screen.getByRole('textbox', { name: 'Reply to Bob' })).toHaveFocus();
    await userEvent.click(screen.getByRole('button', { name: '1 Reply' }));
    expect(screen.getByRole('button', { name: '1 Reply' })).toHaveFocus();
  });
});
