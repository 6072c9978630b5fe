import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { CommentView, ProjectPageAnswer } from '@roughmix/contracts/comments/comment.view.js';
import { piecesOf } from '@roughmix/contracts/shared/mentions.js';
import type { SessionAnswer } from '@roughmix/contracts/users/user.view.js';
import { pino } from 'pino';
import type { BlobStore } from '../platform/blobs/blobs.js';
import type { Platform } from '../platform/platform.js';
import { compiled } from '../testing/compiled.js';
import { SLOW_MACHINE_MS } from '../testing/slow-machine.js';
import { DEMO_PASSWORD, demoPeople, demoWelcome } from './story/people.js';
import { stories } from './story/stories.js';
import { millisecondsOf } from './story/story.js';

const minute = 60_000;
const [{ CollectionsQueries }, { ProjectPageQueries }, { ProjectsQueries }, { Registrations }] = await Promise.all([
  compiled<typeof import('../collections/collections.queries.js')>('collections/collections.queries.js'),
  compiled<typeof import('../projects/project-page.queries.js')>('projects/project-page.queries.js'),
  compiled<typeof import('../projects/projects.queries.js')>('projects/projects.queries.js'),
  compiled<typeof import('../users/registrations.js')>('users/registrations.js'),
]);
const [{ makeHttpApp }, { readConfig }, { openPlatform }, { slices }, { seedDemo }, { childInProcess }, { cheapPasswords }] = await Promise.all([
  compiled<typeof import('../http-app.js')>('http-app.js'),
  compiled<typeof import('../platform/config/config.js')>('platform/config/config.js'),
  compiled<typeof import('../platform/platform.js')>('platform/platform.js'),
  compiled<typeof import('../slices.js')>('slices.js'),
  compiled<typeof import('./seed-demo.js')>('demo/seed-demo.js'),
  compiled<typeof import('../testing/child-in-process.js')>('testing/child-in-process.js'),
  compiled<typeof import('../testing/cheap-passwords.js')>('testing/cheap-passwords.js'),
]);

/** Timeout for rendering and seeding on a busy machine. */
const timeout = 4 * minute;
/** Long enough for every region, short enough to render nine of them in a second. */
const seconds = 3;
const day = 24 * 60 * minute;

type Page = ProjectPageAnswer['data'];

interface Running {
  readonly app: NestFastifyApplication;
  readonly platform: Platform;
  close(): Promise<void>;
}

const folders: string[] = [];

async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'roughmix-demo-'));
  folders.push(folder);
  return folder;
}

async function startIn(folder: string): Promise<Running> {
  const config = readConfig({ DATA_DIR: folder, LOG_LEVEL: 'silent', PUBLIC_URL: 'http://localhost:3000' });
  const options = { maxWaitMs: SLOW_MACHINE_MS, startChild: childInProcess, passwords: cheapPasswords() };
  const platform = await openPlatform(config, slices, pino({ level: 'silent' }), options);
  const app = await makeHttpApp(platform);
  await app.init();
  const close = async (): Promise<void> => {
    await app.close();
    await platform.close();
  };
  return { app, platform, close };
}

const seed = ({ app, platform }: Running, say: (line: string) => void = () => undefined): Promise<readonly string[]> =>
  seedDemo(app, platform, { seconds, say });

async function signIn(app: NestFastifyApplication, email: string): Promise<SessionAnswer['user']> {
  const body = { email, password: DEMO_PASSWORD };
  const answer = await app.inject({ method: 'POST', url: '/api/auth/login', payload: body, headers: { origin: 'http://localhost:3000' } });
  expect(answer.statusCode).toBe(200);
  return answer.json<SessionAnswer>().user;
}

/** The pages of all projects in a user's list, by project name. */
async function pagesOf({ app }: Running, uid: string, isGuest = false): Promise<ReadonlyMap<string, Page>> {
  const projects = await app.get(ProjectsQueries).list(uid, isGuest);
  const pages = await Promise.all(projects.map(({ _id }) => app.get(ProjectPageQueries).page(_id, uid)));
  return new Map(pages.map(({ data }) => [data.project.projectName, data]));
}

/** The demo as one user sees it, without ids and times, which differ between folders; so does the list's order, by which analysis ended last. */
async function visibleTo(running: Running, email: string): Promise<unknown> {
  const pages = await pagesOf(running, (await signIn(running.app, email)).uid);
  const plain = ({ project, versions, regions, todos, comments }: Page) => ({
    name: project.projectName,
    role: project.permissionLevel?.role,
    versions: versions.map((version) => [`${version.majorUpdate}.${version.minorUpdate}`, version.state, version.uploader.username, version.peaksLevels > 0]),
    regions: regions.map(({ label, tag, start, end, user }) => [label, tag, start, end, user.username]),
    todos: todos.map((todo) => [todo.user.username, todo.content, todo.completedTodosVersion, todo.reminder, todo.isReply]),
    notes: project.owner.notes,
    comments: comments.map((comment) => (comment.removed === true ? null : [comment.user.username, comment.content, comment.likes.length, comment.isReply])),
  });
  const named = [...pages].toSorted(([one], [other]) => one.localeCompare(other));
  return named.map(([, page]) => plain(page));
}

const remaining = (comments: readonly CommentView[]) => comments.flatMap((comment) => (comment.removed === true ? [] : [comment]));

afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

describe('a demo in an empty folder', () => {
  let running: Running;
  let lines: readonly string[];
  const progress: string[] = [];

  beforeAll(async () => {
    running = await startIn(await emptyFolder());
    lines = await seed(running, (line) => progress.push(line));
  }, timeout);
  afterAll(() => running.close());

  test('reports its progress and the accounts to sign in with', () => {
    expect(progress).toEqual(['Making the demo music: 3 of 9', 'Making the demo music: 6 of 9', 'Making the demo music: 9 of 9']);
    expect(lines).toEqual(demoWelcome);
    expect(lines[0]).toBe('Sign in as Ines Calder: ines@roughmix.example, password tape-hiss-and-tea');
  });

  test('has four users who own, edit, comment on or only view projects', async () => {
    const roles = new Map<string, unknown>();
    for (const { name, email } of demoPeople) {
      const pages = await pagesOf(running, (await signIn(running.app, email)).uid);
      const rights = [...pages.values()].map(({ project: { projectName, permissionLevel } }) => [projectName, permissionLevel?.role, permissionLevel?.access]);
      roles.set(
        name,
        rights.toSorted(([one], [other]) => String(one).localeCompare(String(other))),
      );
    }
    expect(Object.fromEntries(roles)).toEqual({
      ines: [
        ['Low Tide', 'Owner', null],
        ['Nine Volt', 'Viewer', 0],
        ['Paper Moon', 'Collaborator', 3],
      ],
      ravi: [
        ['Low Tide', 'Collaborator', 3],
        ['Nine Volt', 'Owner', null],
        ['Paper Moon', 'Viewer', 1],
      ],
      maud: [
        ['Low Tide', 'Viewer', 0],
        ['Nine Volt', 'Viewer', 3],
        ['Paper Moon', 'Owner', null],
      ],
      sam: [
        ['Low Tide', 'Viewer', 3],
        ['Nine Volt', 'Collaborator', 3],
        ['Paper Moon', 'Viewer', 2],
      ],
    });
  });

  test('has three versions in every project, each with its waveform', async () => {
    const pages = await pagesOf(running, (await signIn(running.app, 'ines@roughmix.example')).uid);
    for (const { versions } of pages.values()) {
      const shown = versions.map(({ majorUpdate, minorUpdate, state, duration }) => [`${majorUpdate}.${minorUpdate}`, state, duration]);
      expect(shown).toEqual([
        ['1.0', 'ready', seconds],
        ['1.1', 'ready', seconds],
        ['2.0', 'ready', seconds],
      ]);
      expect(versions.every(({ peaksUrl, tinySummary }) => peaksUrl !== null && tinySummary.length > 10)).toBe(true);
    }
  });

  test('has comments with tagged regions, stamps, mentions, replies and likes in every project', async () => {
    const pages = await pagesOf(running, (await signIn(running.app, 'sam@roughmix.example')).uid);
    for (const { regions, comments } of pages.values()) {
      const talk = remaining(comments);
      const saved = regions.filter(({ parentRegion }) => parentRegion === null);
      expect(saved.map(({ commentIds }) => commentIds.length)).toEqual(Array.from({ length: 10 }, () => 1));
      expect(new Set(regions.map(({ user }) => user.username)).size).toBeGreaterThan(1);
      expect(talk.filter(({ taggedRegions }) => taggedRegions.some(({ childRegion }) => childRegion === null))).toHaveLength(10);
      expect(talk.filter(({ isReply }) => isReply).length).toBeGreaterThan(5);
      expect(talk.filter(({ likes }) => likes.length > 0).length).toBeGreaterThan(5);
      expect(talk.some(({ content }) => typeof content === 'string' && piecesOf(content).some(({ kind }) => kind === 'mention'))).toBe(true);
    }
    const stamped = [...pages.values()].flatMap(({ comments }) => remaining(comments).filter(({ stamp }) => stamp !== null));
    expect(stamped).toHaveLength(3);
  });

  test('has a child region for one comment about a part of a region', async () => {
    const pages = await pagesOf(running, (await signIn(running.app, 'ines@roughmix.example')).uid);
    const { regions = [], comments = [] } = pages.get('Low Tide') ?? {};
    const children = regions.filter(({ parentRegion }) => parentRegion !== null);
    expect(children).toHaveLength(1);
    const [child] = children;
    const parent = regions.find(({ _id }) => _id === child?.parentRegion);
    expect(parent).toMatchObject({ label: 'Break: tape or glass?', start: child?.start, childRegion: child?._id });
    expect(remaining(comments).filter(({ taggedRegions }) => taggedRegions.some(({ _id }) => _id === child?._id))).toHaveLength(1);
  });

  test('has todos that are active, due, overdue, replied to and completed under two versions in its projects', async () => {
    const pages = await pagesOf(running, (await signIn(running.app, 'ines@roughmix.example')).uid);
    for (const { todos, versions } of pages.values()) {
      const first = todos.filter(({ isReply }) => !isReply);
      expect(first.some(({ completed }) => !completed)).toBe(true);
      const rounds = new Set(first.flatMap(({ completedTodosVersionId }) => completedTodosVersionId ?? []));
      expect([...rounds].toSorted()).toEqual(
        versions
          .slice(1)
          .map(({ _id }) => _id)
          .toSorted(),
      );
      expect(first.some(({ dueDate }) => dueDate !== null && dueDate > Date.now())).toBe(true);
      expect(todos.every(({ reminderSent }) => !reminderSent)).toBe(true);
    }
    const lowTide = pages.get('Low Tide')?.todos ?? [];
    expect(lowTide.filter(({ isReply }) => isReply)).toHaveLength(2);
    expect(lowTide.filter(({ dueDate }) => dueDate !== null && dueDate < Date.now())).toHaveLength(1);
  });

  test('has a public note in every project, and a private one that only its owner sees', async () => {
    const owner = await pagesOf(running, (await signIn(running.app, 'ines@roughmix.example')).uid);
    expect([...owner.values()].every(({ project }) => (project.owner.notes?.public ?? '').length > 20)).toBe(true);
    expect(owner.get('Low Tide')?.project.owner.notes?.private).toMatch(/^Pay Sam for the train/);
    const other = await pagesOf(running, (await signIn(running.app, 'ravi@roughmix.example')).uid);
    expect(other.get('Low Tide')?.project.owner.notes?.private).toBeUndefined();
  });

  test('has two collections of one owner', async () => {
    const { uid } = await signIn(running.app, 'ines@roughmix.example');
    const collections = await running.app.get(CollectionsQueries).ofOwner(uid);
    expect(collections.map(({ title, projects }) => [title, projects.length])).toEqual([
      ['Songs from the ferry', 1],
      ['Nearly done', 1],
    ]);
  });

  test('took place in the last two weeks, up to some minutes ago', async () => {
    const pages = await pagesOf(running, (await signIn(running.app, 'ravi@roughmix.example')).uid);
    const times = [...pages.values()].flatMap(({ comments, versions }) => [...comments, ...versions].map(({ dateAdded }) => Date.now() - dateAdded));
    expect(Math.max(...times)).toBeGreaterThan(13 * day);
    expect(Math.max(...times)).toBeLessThan(14 * day);
    expect(Math.min(...times)).toBeLessThan(day);
    expect(Math.min(...times)).toBeGreaterThan(10 * minute);
  });

  test('shows the guest only the public project', async () => {
    const answer = await running.app.inject({ method: 'POST', url: '/api/auth/guest', payload: {}, headers: { origin: 'http://localhost:3000' } });
    const pages = await pagesOf(running, answer.json<SessionAnswer>().user.uid, true);
    expect([...pages.keys()]).toEqual(['Low Tide']);
  });

  test('is not created twice', async () => {
    const head = await running.platform.eventStore.head();
    expect(await seed(running)).toEqual(demoWelcome);
    expect(await running.platform.eventStore.head()).toBe(head);
  });

  class PowerCut extends Error {}

  /** Fails at the first stored file: then the first project exists without its first version. */
  const withPowerCut = (platform: Platform): Platform => {
    const write = (): Promise<never> => Promise.reject(new PowerCut());
    return { ...platform, blobs: Object.assign(Object.create(platform.blobs) as BlobStore, { write }) };
  };

  test(
    'is the same after two interruptions and a third start that completes it',
    async () => {
      const folder = await emptyFolder();
      const beforeMusic = await startIn(folder);
      await expect(seedDemo(beforeMusic.app, withPowerCut(beforeMusic.platform), { seconds })).rejects.toThrow(PowerCut);
      await beforeMusic.close();

      const amongMusic = await startIn(folder);
      const cut = seed(amongMusic, () => {
        throw new PowerCut();
      });
      await expect(cut).rejects.toThrow(PowerCut);
      await amongMusic.close();

      const next = await startIn(folder);
      const output: string[] = [];
      expect(await seed(next, (line) => output.push(line))).toEqual(demoWelcome);
      expect(output.at(-1)).toBe('Making the demo music: 9 of 9');
      for (const { email } of demoPeople) expect(await visibleTo(next, email)).toEqual(await visibleTo(running, email));
      await next.close();
    },
    timeout,
  );
});

test('a data folder in use is not changed', async () => {
  const running = await startIn(await emptyFolder());
  await running.app.get(Registrations).register({ email: 'ana@example.org', password: 'tape-hiss-and-tea', firstName: 'Ana', lastName: 'Lima' });
  const head = await running.platform.eventStore.head();
  expect(await seed(running)).toEqual(['The data folder is in use, so no demo was created: set DATA_DIR to an empty folder.']);
  expect(await running.platform.eventStore.head()).toBe(head);
  await running.close();
});

test.each(stories)('the story of $song is written in chronological order', ({ ago, events }) => {
  const times = [ago, ...events.map((event) => event.ago)].map(millisecondsOf);
  expect(times).toEqual(times.toSorted((one, other) => other - one));
  expect(new Set(times).size).toBe(times.length);
});

test.each(['', '0m', '3 days', '4h 2d'])("'%s' is not a time ago", (text) => {
  expect(() => millisecondsOf(text)).toThrow('is not a time ago');
});
