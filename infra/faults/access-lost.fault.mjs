// Promise: nobody receives a change from after they lost access, not even about earlier events
// Breaks: a member is removed or leaves, or a project turns private or is removed, during many changes and joins
// Gate: short form
import { setTimeout as pause } from 'node:timers/promises';
import { readLog } from './lib/log-fold.mjs';
import { startProgram } from './lib/program.mjs';
import { between } from './lib/seeded.mjs';
import { listen } from './lib/socket.mjs';
import { aProject, person, until } from './lib/studio.mjs';

const WORD = /w\d+w/g;
let words = 0;
const word = () => `w${(words += 1)}w`;
const wordsIn = (value) => JSON.stringify(value).match(WORD) ?? [];

/** Ways to lose a project: who loses it, how, and how they get it back. */
const LOSSES = {
  'a member is removed': {
    loser: 'member',
    lose: ({ owner, member, projectId }) =>
      owner.insist('PUT', `/api/projects/${owner.uid}/editPermissions/${projectId}`, {
        permissionDiffs: [{ uid: member.uid, permissions: { comment: true, download: true }, write: true, removed: true }],
      }),
    regain: invite,
  },
  'a member leaves': { loser: 'member', lose: ({ member, projectId }) => member.insist('POST', `/api/projects/${projectId}/leave`, {}), regain: invite },
  'it turns private': { loser: 'visitor', lose: (where) => show(where, 'private'), regain: (where) => show(where, 'public') },
  'it is removed': { loser: 'member', lose: ({ owner, projectId }) => owner.insist('POST', `/api/projects/removeProject/${projectId}`, {}), regain: null },
};

/** Of the short form: a loss that evicts one person, and one that evicts everybody who is no member. */
const SHORT = ['a member is removed', 'it turns private'];

function show({ owner, projectId }, visibility) {
  return owner.insist('PUT', `/api/projects/${projectId}`, { submission: { visibility } });
}

function invite({ owner, member, projectId }) {
  return owner.insist('PUT', `/api/projects/${owner.uid}/inviteUsers/${projectId}`, { invitedUsers: [`${member.uid}-3`], writeAccess: true, message: '' });
}

async function scene(people, program, kind) {
  const [owner, member, visitor] = people;
  const made = await aProject(owner, { projectName: word(), collaborators: [member] });
  if (LOSSES[kind].loser === 'visitor') await show({ owner, ...made }, 'public');
  const { newComment } = await owner.must('POST', '/api/comments', { projectId: made.projectId, submission: { content: word() } });
  const { newTodo } = await owner.must('POST', '/api/todos', { projectId: made.projectId, submission: { content: word() } });
  return { ...made, owner, member, visitor, program, commentId: newComment._id, todoId: newTodo._id };
}

/** Changes the same few items repeatedly, so that a message about an older event would show the newest words. */
const change = ({ owner, projectId, commentId, todoId }, random) =>
  random() < 0.7
    ? owner.call('PUT', random() < 0.5 ? `/api/comments/${commentId}` : `/api/todos/${todoId}`, { projectId, submission: { content: word() } })
    : random() < 0.5
      ? owner.call('PUT', `/api/projects/${projectId}`, { submission: { description: word() } })
      : owner.call('POST', '/api/comments', { projectId, submission: { content: word() } });

/** Sockets of the user who will lose access: two tabs in the room, a listening one, and some that join during the loss. */
async function tabsOf(who, { projectId }) {
  const tabs = [await listen(who), await listen(who), await listen(who)];
  for (const tab of tabs.slice(0, 2)) tab.answer = await tab.join(projectId);
  return tabs;
}

async function comeIn(who, { projectId }, { random, after, tabs }) {
  await pause(between(random, 0, 60));
  const tab = await listen(who);
  tabs.push(tab);
  tab.answer = await tab.join(projectId, random() < 0.7 ? after : undefined);
}

/** Many concurrent changes with the loss among them, so that they are adjacent in the log. */
async function loseIt(scene_, who, { kind, random, count }) {
  const tabs = await tabsOf(who, scene_);
  const after = tabs[0].answer.position;
  const changes = () => Array.from({ length: 12 }, () => change(scene_, random));
  const first = changes();
  const coming = Array.from({ length: 4 }, () => comeIn(who, scene_, { random, after, tabs }));
  await pause(between(random, 0, 30));
  const lost = LOSSES[kind].lose(scene_);
  const answers = await Promise.all([lost, ...first, ...changes()]);
  await Promise.all(coming);
  // Presence must no longer be received either.
  const watching = await listen(scene_.owner);
  await watching.join(scene_.projectId);
  await watching.ask('login');
  await watching.ask('logout');
  watching.close();
  count('changes around a loss', answers.length - 1);
  return { tabs, after, status: answers[0].status };
}

/** The position of the newest loss in a project. */
const lossIn = (events, projectId) =>
  events.findLast(
    ({ stream, type }) =>
      stream === `project-${projectId}` && ['ProjectUsersRemoved', 'ProjectLeft', 'ProjectVisibilityChanged', 'ProjectRemoved'].includes(type),
  ).position;

/** Checks everything a socket received about the project against the events after the loss. */
function check(tab, { projectId, lostAt, secret, who, kind, wrong }) {
  const received = tab.received.filter(({ body }) => body.projectId === projectId);
  for (const { channel, body } of received) {
    if (body.position > lostAt) wrong(`${kind}: ${who.username} lost access at ${lostAt} and received ${channel} ${body.type} at ${body.position}`);
    const leaked = wordsIn(body).filter((each) => secret.has(each));
    if (leaked.length > 0) wrong(`${kind}: ${who.username} lost access at ${lostAt} and received ${channel} ${body.type} at ${body.position} with later words`);
  }
  const lossAt = received.findIndex(({ channel, body }) => channel === 'projects' && body.view === undefined);
  const after = lossAt < 0 ? [] : received.slice(lossAt + 1);
  for (const { channel, body } of after)
    if (body.view !== undefined || channel === 'currentUsers') wrong(`${kind}: ${channel} ${body.type} arrived after the message about the loss`);
  return received.length;
}

/** A user who regains access gets no messages from the time without it, only a reload; one who does not gets nothing. */
async function comeBack(scene_, who, { kind, after, random, wrong }) {
  const { regain } = LOSSES[kind];
  const stranger = await listen(who);
  const refused = await stranger.join(scene_.projectId, after);
  if (refused.ok || refused.problem.status !== 404) wrong(`${kind}: reconnected without access and was answered ${JSON.stringify(refused)}`);
  if (stranger.pushes(scene_.projectId).length > 0) wrong(`${kind}: reconnected without access and received a message`);
  stranger.close();
  if (regain === null) return;
  await change(scene_, random);
  const { status } = await regain(scene_);
  if (status !== 200) wrong(`${kind}: not regained, ${status}`);
  const back = await listen(who);
  const answer = await back.join(scene_.projectId, after);
  if (!answer.ok || answer.reload !== true) wrong(`${kind}: regained access and was answered ${JSON.stringify({ ...answer, users: [] })}`);
  const stale = back.pushes(scene_.projectId).filter(({ body }) => body.position < answer.position);
  if (stale.length > 0) wrong(`${kind}: regained access and received ${stale.length} messages from the time without it`);
  back.close();
}

/** Concurrent changes in other projects, so that pushes lag behind saves and the loss shares its page of the log with other events. */
async function noise(program, { random, signal }) {
  const owner = await person(program.url, 'Noa');
  const others = await Promise.all(Array.from({ length: 8 }, () => aProject(owner)));
  const one = async ({ projectId }) => {
    while (!signal.aborted) {
      await owner.call('PUT', `/api/projects/${projectId}`, { submission: { description: `noise ${random()}` } });
    }
  };
  return { ended: Promise.all(others.flatMap((other) => [one(other), one(other)])) };
}

/** One complete loss, with everything received checked against the log. */
async function loseAndRegain(people, { program, folder, kind, random, wrong, count }) {
  const set = await scene(people, program, kind);
  const who = set[LOSSES[kind].loser];
  const { tabs, after, status } = await loseIt(set, who, { kind, random, count });
  if (status >= 300) wrong(`${kind}: ${status}`);
  await until('a tab was notified', () => tabs.some((tab) => tab.pushes(set.projectId).some(({ body }) => body.ids?.includes(set.projectId))));
  await Promise.all(tabs.map((tab) => tab.ask('login')));
  const events = readLog(folder);
  const lostAt = lossIn(events, set.projectId);
  const later = events.filter(({ stream, position }) => stream === `project-${set.projectId}` && position > lostAt);
  const known = new Set(events.filter(({ position }) => position <= lostAt).flatMap(({ data }) => wordsIn(data)));
  const secret = new Set(later.flatMap(({ data }) => wordsIn(data)).filter((each) => !known.has(each)));
  for (const tab of tabs) count('messages checked against the loss', check(tab, { projectId: set.projectId, lostAt, secret, who, kind, wrong }));
  count('changes after a loss', later.length);
  await comeBack(set, who, { kind, after, random, wrong });
  for (const tab of tabs) tab.close();
  count(`losses: ${kind}`);
}

export const fault = {
  name: 'access-lost',
  async run({ random, short, folder, print, wrong, count }) {
    const program = await startProgram({ folder });
    const people = [await person(program.url, 'Olga'), await person(program.url, 'Mila'), await person(program.url, 'Vera')];
    const stop = new AbortController();
    const { ended } = await noise(program, { random, signal: stop.signal });
    try {
      for (let round = 0; round < (short ? 1 : 12); round += 1) {
        for (const kind of short ? SHORT : Object.keys(LOSSES)) await loseAndRegain(people, { program, folder, kind, random, wrong, count });
      }
    } finally {
      stop.abort();
    }
    await ended;
    print(`${words} words written`);
    const { code } = await program.stop();
    if (code !== 0) wrong(`the program exited with ${code} after SIGTERM`);
  },
};
