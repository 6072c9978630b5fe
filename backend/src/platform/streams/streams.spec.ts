import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectStream } from '@roughmix/contracts/projects/project.events.js';
import type { ProblemCode } from '@roughmix/contracts/shared/problems.js';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Refused } from '../../kernel/refusal.js';
import { type ProjectCommand, projectDecider } from '../../projects/project.decider.js';
import { type TestStores, openTestStores } from '../../testing/test-stores.js';
import { anAudioFile, PROJECT_ID } from '../../testing/project-history.js';
import { manualClock } from '../../testing/manual-clock.js';
import { withOverride } from '../../testing/temporary-vault.js';
import type { EventStore } from '../event-store/event-store.js';
import { EventUnreadable } from './opened-events.js';
import { StreamFolds } from './stream-folds.js';
import { type CommandContext, prepareOnce, Streams } from './streams.js';

const STREAM = projectStream(PROJECT_ID);
const words = { taggedUsers: [], versionId: null, marks: { taggedRegions: [], stamp: null } };
const comment = (commentId: string, content = 'Louder'): ProjectCommand => ({ type: 'AddComment', data: { commentId, kind: 'text', content, ...words } });
const create: ProjectCommand = {
  type: 'CreateProject',
  data: { projectId: PROJECT_ID, firstVersionId: 'v1', projectName: 'Low tide', description: 'Planted words', tinySummary: '', invited: [], message: '' },
};
const { key: _key, ...file } = anAudioFile();
const firstVersion: ProjectCommand = {
  type: 'AddVersion',
  data: { projectId: PROJECT_ID, versionId: 'v1', uploadId: 'u1', first: true, updateType: 'major', tinySummary: '', taggedUsers: [], file },
};
const invite = (uid: string, write = false): ProjectCommand => ({
  type: 'InviteUsers',
  data: { invited: [{ uid, access: write ? 3 : 1, write }], message: '' },
});
const dismiss = (uid: string): ProjectCommand => ({ type: 'EditPermissions', data: { changes: [{ uid, to: 'removed' }] } });

let testStores: TestStores;
let streams: Streams;
let made = 0;

const as = (uid: string, commandId = `made-${(made += 1)}`, request = 'hash'): CommandContext => ({
  actor: { uid },
  at: 1_700_000_000_000,
  commandId,
  request,
  correlationId: 'c',
  causationId: null,
});
const run = (command: ProjectCommand, context: CommandContext, on = streams) => on.execute(projectDecider, STREAM, command, context);
const refusedWith = async (work: Promise<unknown>): Promise<ProblemCode | 'taken'> =>
  work.then(
    () => 'taken' as const,
    (error: unknown) => {
      if (error instanceof Refused) return error.code;
      throw error;
    },
  );
/** Sends a command again while it is refused as busy. */
async function insistOn(command: ProjectCommand, on: Streams): Promise<ProblemCode | 'taken'> {
  const outcome = await refusedWith(run(command, as('bob'), on));
  return outcome === 'store.busy' ? insistOn(command, on) : outcome;
}
/** The log, with work of others between each decision and its append. */
const beforeEachAppend = (work: () => Promise<void>): EventStore =>
  withOverride<EventStore, 'append'>(testStores.store, 'append', async (...append) => {
    await work();
    return testStores.store.append(...append);
  });
const typesInLog = async () => (await testStores.store.readStream(STREAM)).map((event) => event.type);

beforeEach(async () => {
  testStores = await openTestStores();
  streams = testStores.streams();
  for (const command of [create, firstVersion, invite('bob'), invite('carl', true)]) await run(command, as('ana'));
});
afterEach(() => testStores.close());

describe('commands on a stream', () => {
  test('sent at once run one after the other, in the order sent, and answer what the log holds', async () => {
    const ids = Array.from({ length: 40 }, (_, at) => `c${at}`);
    const done = await Promise.all(ids.map((id) => run(comment(id), as('bob'))));
    const stored = (await testStores.opened.open(await testStores.store.readStream(STREAM))).slice(4);
    expect(stored.map((event) => event.data)).toMatchObject(ids.map((commentId) => ({ commentId })));
    expect(done.flatMap((each) => each.events)).toEqual(stored);
    expect(done.map((each) => each.position)).toEqual(stored.map((event) => event.position));
  });

  test('no event is earlier than the one before it, also after a clock was set back or on a process whose clock is behind', async () => {
    const at = as('bob').at;
    await run(comment('c1'), { ...as('bob'), at: at + 5_000 });
    for (const on of [streams, testStores.streams()]) await run(comment(`c${made}`), { ...as('bob'), at: at + 1_000 }, on);
    await run(comment('c4'), { ...as('bob'), at: at + 6_000 });
    const stored = (await testStores.store.readStream(STREAM)).slice(4);
    expect(stored.map(({ meta }) => meta.at - at)).toEqual([5_000, 5_000, 5_000, 6_000]);
  });

  test('a refusal does not affect the others', async () => {
    const outcomes = await Promise.all([run(comment('c1'), as('bob')), run(comment('c2'), as('zoe')), run(comment('c3'), as('bob'))].map(refusedWith));
    expect(outcomes).toEqual(['taken', 'project.not-found', 'taken']);
  });

  test('a command that waited ten seconds for its turn is refused as busy, and nothing was done', async () => {
    const clock = manualClock();
    const slow = new Streams(testStores.store, new StreamFolds(testStores.store, testStores.opened), testStores.sealer, clock.now);
    const prepare = () => {
      clock.move(10_001);
      return null;
    };
    const first = slow.execute(projectDecider, STREAM, comment('c1'), as('bob'), { prepare });
    const behind = [run(comment('c2'), as('bob'), slow), slow.repeated(projectDecider, STREAM, as('bob')), slow.state(projectDecider, STREAM)];
    expect(await Promise.all([first, ...behind].map(refusedWith))).toEqual(['taken', 'store.busy', 'store.busy', 'store.busy']);
    expect(await refusedWith(run(comment('c3'), as('bob'), slow))).toBe('taken');
    expect((await typesInLog()).slice(4)).toEqual(['CommentAdded', 'CommentAdded']);
  });

  test('a command that is being prepared keeps no other one waiting, and is decided again afterwards', async () => {
    let finish: () => void = () => undefined;
    const prepared = new Promise<void>((resolve) => (finish = resolve));
    const prepare = prepareOnce(() => prepared);
    const slow = streams.execute(projectDecider, STREAM, comment('slow'), as('bob'), { prepare });
    expect(await refusedWith(run(comment('quick'), as('carl')))).toBe('taken');
    await run(dismiss('bob'), as('ana'));
    finish();
    expect(await refusedWith(slow)).toBe('project.not-found');
    expect(await refusedWith(streams.execute(projectDecider, STREAM, comment('later'), as('carl'), { prepare }))).toBe('taken');
    expect((await typesInLog()).slice(4)).toEqual(['CommentAdded', 'ProjectUsersRemoved', 'CommentAdded']);
  });

  test('a command that needs another preparation after each one is refused as busy; nothing was done', async () => {
    let prepared = 0;
    const prepare = () => async (): Promise<void> => void (prepared += 1);
    expect(await refusedWith(streams.execute(projectDecider, STREAM, comment('c1'), as('bob'), { prepare }))).toBe('store.busy');
    expect([prepared, (await typesInLog()).length]).toEqual([20, 4]);
  });

  test('the events of one command become visible together', async () => {
    await run({ type: 'EditProject', data: { projectName: 'High tide', completed: true } }, as('ana'));
    expect((await typesInLog()).slice(4)).toEqual(['ProjectRenamed', 'ProjectCompletionChanged']);
  });
});

test.each([
  [100, 30],
  [500, 6],
  [900, 5],
])('a command that loses every %i ms is refused as busy after three seconds and at least five attempts; nothing was done', async (milliseconds, times) => {
  const other = testStores.streams();
  const clock = manualClock();
  let tries = 0;
  const contended = beforeEachAppend(async () => {
    tries += 1;
    clock.move(milliseconds);
    await run(comment(`other-${tries}`), as('ana'), other);
  });
  const mine = new Streams(contended, new StreamFolds(testStores.store, testStores.opened), testStores.sealer, clock.now);
  expect(await refusedWith(run(comment('mine'), as('bob'), mine))).toBe('store.busy');
  expect(tries).toBe(times);
  expect(await refusedWith(run(comment('mine'), as('bob')))).toBe('taken');
});

describe('two processes on one stream', () => {
  test('the second one decides again on the result of the first', async () => {
    const other = testStores.streams();
    await run(comment('c1'), as('bob'), other);
    await run(comment('c2'), as('ana'));
    await run(comment('c3'), as('ana'), other);
    expect((await typesInLog()).slice(4)).toEqual(['CommentAdded', 'CommentAdded', 'CommentAdded']);
  });

  test('permissions are checked again: a member removed in between is refused', async () => {
    const other = testStores.streams();
    let tries = 0;
    const contended = beforeEachAppend(async () => {
      tries += 1;
      await run(dismiss('bob'), as('ana'), other);
    });
    const mine = new Streams(contended, new StreamFolds(testStores.store, testStores.opened), testStores.sealer);
    expect(await refusedWith(run(comment('c1'), as('bob'), mine))).toBe('project.not-found');
    expect(tries).toBe(1);
    expect(await typesInLog()).not.toContain('CommentAdded');
  });

  test('in any order of arrival, no event of a member follows the event that revoked their right', async () => {
    const other = testStores.streams();
    const writing = Promise.all(Array.from({ length: 60 }, (_, at) => refusedWith(run(comment(`c${at}`), as('bob'), other))));
    expect(await refusedWith(run(dismiss('bob'), as('ana')))).toBe('taken');
    const outcomes = await writing;
    const stored = await testStores.store.readStream(STREAM);
    const taken = stored.findIndex(({ type }) => type === 'ProjectUsersRemoved');
    expect(stored.slice(taken).filter(({ meta }) => meta.actorUid === 'bob')).toEqual([]);
    const written = stored.filter(({ type }) => type === 'CommentAdded').length;
    expect(outcomes).toEqual(outcomes.map((_, at) => (at < written ? 'taken' : 'project.not-found')));
  });

  test('the files are brought to where the newest decision wants them', async () => {
    const other = testStores.streams();
    const second = (versionId: string, uploadId: string): ProjectCommand => ({
      type: 'AddVersion',
      data: { projectId: PROJECT_ID, versionId, uploadId, first: false, updateType: 'minor', tinySummary: 'x', taggedUsers: [], file },
    });
    const keys: string[] = [];
    const done = await streams.execute(projectDecider, STREAM, second('v3', 'u3'), as('ana'), {
      prepare: (events) => {
        const [key = ''] = events.flatMap((event) => (event.type === 'VersionAdded' ? event.data.file.key : []));
        if (key === keys.at(-1)) return null;
        return async () => {
          keys.push(key);
          if (keys.length === 1) await run(second('v2', 'u2'), as('carl'), other);
        };
      },
    });
    expect(keys).toEqual(['ana/ProjectMediaFiles/p1/v3/1_1-audio', 'ana/ProjectMediaFiles/p1/v3/1_2-audio']);
    expect(done.events).toMatchObject([{ data: { major: 1, minor: 2, file: { key: keys[1] } } }]);
  });

  test('with many writers in each, every command succeeds when refused ones are sent again', async () => {
    const other = testStores.streams();
    expect(new Set(await Promise.all(Array.from({ length: 60 }, (_, at) => insistOn(comment(`c${at}`), at % 2 === 0 ? streams : other))))).toEqual(
      new Set(['taken']),
    );
    expect((await typesInLog()).filter((type) => type === 'CommentAdded')).toHaveLength(60);
  });

  test('one command id sent to both acts once', async () => {
    const other = testStores.streams();
    await run(comment('warm'), as('bob'), other);
    const done = await Promise.all(Array.from({ length: 10 }, (_, at) => run(comment('c1'), as('bob', 'key'), at % 2 === 0 ? streams : other)));
    expect(new Set(done.map((each) => each.position)).size).toBe(1);
    expect(done.filter((each) => !each.replayed)).toHaveLength(1);
    expect((await typesInLog()).filter((type) => type === 'CommentAdded')).toHaveLength(2);
  });
});

describe('a command sent again', () => {
  test('acts once and answers the same, fifty at once and after a restart', async () => {
    const context = as('bob', 'key');
    const done = await Promise.all(Array.from({ length: 50 }, () => run(comment('c1'), context)));
    expect(done.filter((each) => each.replayed)).toHaveLength(49);
    const [first] = done;
    for (const each of [...done, await run(comment('c1'), context, testStores.streams())]) {
      expect({ events: each.events, position: each.position }).toEqual({ events: first?.events, position: first?.position });
    }
    expect((await typesInLog()).slice(4)).toEqual(['CommentAdded']);
  });

  test('answers all events of a command that made several', async () => {
    const edit: ProjectCommand = { type: 'EditProject', data: { projectName: 'High tide', completed: true } };
    const first = await run(edit, as('ana', 'key'));
    await run(comment('c1'), as('bob'));
    const again = await run(edit, as('ana', 'key'));
    expect(again.events.map((event) => event.type)).toEqual(['ProjectRenamed', 'ProjectCompletionChanged']);
    expect(again).toMatchObject({ position: first.position, replayed: true });
  });

  test('with another body is refused as a reused key, for that person alone', async () => {
    await run(comment('c1'), as('bob', 'key', 'one'));
    expect(await refusedWith(run(comment('c2'), as('bob', 'key', 'two')))).toBe('command.key-reused');
    expect(await refusedWith(run(comment('c2'), as('carl', 'key', 'two')))).toBe('taken');
  });

  test('after a refusal, or if it changed nothing, is a new command', async () => {
    const tooEarly: ProjectCommand = { type: 'RateComment', data: { commentId: 'c1', type: 'likes', on: true } };
    const again = await run({ type: 'EditProject', data: { completed: false } }, as('ana', 'nothing', 'one'));
    expect(again).toEqual({ events: [], position: null, decidedAt: (await testStores.store.readStream(STREAM)).at(-1)?.position, replayed: false });
    expect(await refusedWith(run({ type: 'EditProject', data: { completed: true } }, as('ana', 'nothing', 'two')))).toBe('taken');
    expect(await refusedWith(run(tooEarly, as('ana', 'refused', 'one')))).toBe('comment.not-found');
    await run(comment('c1'), as('bob'));
    expect(await refusedWith(run(tooEarly, as('ana', 'refused', 'two')))).toBe('taken');
  });

  test('is recognised among the last 256 commands of the stream, and not beyond', async () => {
    await run(comment('c-first'), as('bob', 'first'));
    await Promise.all(Array.from({ length: 255 }, (_, at) => run(comment(`c${at}`), as('bob'))));
    expect((await run(comment('c-first'), as('bob', 'first'))).replayed).toBe(true);
    await run(comment('c-last'), as('bob'));
    expect((await run({ type: 'RemoveComment', data: { commentId: 'c-first' } }, as('bob', 'first'))).replayed).toBe(false);
  });

  test('by a person who lost the project in the meantime is 404, whatever the body', async () => {
    await run(comment('c1'), as('bob', 'key'));
    await run(dismiss('bob'), as('ana'));
    expect(await refusedWith(run(comment('c1'), as('bob', 'key')))).toBe('project.not-found');
    expect(await refusedWith(run(comment('c1'), as('bob', 'key', 'other')))).toBe('project.not-found');
    expect(await refusedWith(streams.repeated(projectDecider, STREAM, as('bob', 'key')))).toBe('project.not-found');
  });

  test('succeeds for leaving and removing, although the actor no longer has access', async () => {
    const leave: ProjectCommand = { type: 'LeaveProject', data: {} };
    const removal: ProjectCommand = { type: 'RemoveProject', data: {} };
    const ask = (command: ProjectCommand, context: CommandContext) => streams.execute(projectDecider, STREAM, command, context, { repeatBeforeSight: true });
    const left = await ask(leave, as('bob', 'key'));
    expect(await ask(leave, as('bob', 'key'))).toMatchObject({ position: left.position, replayed: true });
    expect(await refusedWith(ask(leave, as('bob')))).toBe('project.not-found');
    expect(await refusedWith(ask(leave, as('zoe', 'key')))).toBe('project.not-found');
    const removed = await ask(removal, as('ana', 'gone'));
    expect(await ask(removal, as('ana', 'gone'))).toMatchObject({ position: removed.position, replayed: true });
    expect(await refusedWith(ask(removal, as('ana')))).toBe('project.not-found');
  });

  test('can be looked up without deciding anything', async () => {
    expect(await streams.repeated(projectDecider, STREAM, as('bob', 'key'))).toBeNull();
    const done = await run(comment('c1'), as('bob', 'key'));
    expect(await streams.repeated(projectDecider, STREAM, as('bob', 'key'))).toEqual({ ...done, replayed: true });
    expect(await refusedWith(streams.repeated(projectDecider, STREAM, as('bob', 'key', 'other')))).toBe('command.key-reused');
  });
});

test('a repeat of a command with several appends runs those that are missing', async () => {
  const context = { ...as('bob', 'key'), part: 'second' };
  const first = await run(comment('c1'), as('bob', 'key'));
  await run(comment('c2'), as('carl'));
  const second = await run(comment('c3'), context);
  await run(comment('c4'), as('carl'));
  for (const on of [streams, testStores.streams()]) {
    expect(await run(comment('c1'), as('bob', 'key'), on)).toEqual({ ...first, replayed: true });
    expect(await run(comment('c3'), context, on)).toEqual({ ...second, replayed: true });
    expect(await refusedWith(run(comment('c3'), { ...context, part: 'third', request: 'other' }, on))).toBe('command.key-reused');
  }
  const third = await run(comment('c5'), { ...context, part: 'third' });
  expect(third).toMatchObject({ replayed: false, events: [{ type: 'CommentAdded', meta: { commandId: 'key', part: 'third' } }] });
});

test('an earlier result is looked up for an unread stream, a user without a role, or a known command', async () => {
  const other = testStores.streams();
  const isLookedFor = (context: CommandContext) => other.mayBeRepeated(projectDecider, STREAM, context);
  expect(isLookedFor(as('bob'))).toBe(true);
  await run(comment('c1'), as('bob', 'key'), other);
  expect([as('bob'), as('carl', 'key'), as('bob', 'key'), as('zoe')].map(isLookedFor)).toEqual([false, false, true, true]);
});

describe('a sealed text', () => {
  const bytesOfTheLog = async () => {
    const names = (await readdir(testStores.folder)).filter((name) => name.startsWith('log.db'));
    expect(names).toContain('log.db-wal');
    return Buffer.concat(await Promise.all(names.map((name) => readFile(join(testStores.folder, name))))).toString('latin1');
  };

  test('is stored encrypted in the log, and opens again', async () => {
    await run(comment('c1', 'A secret chorus'), as('bob'));
    const bytes = await bytesOfTheLog();
    expect(bytes).toContain('CommentAdded');
    for (const planted of ['Low tide', 'Planted words', 'A secret chorus', 'low tide.wav', 'Initial Version']) expect(bytes).not.toContain(planted);
    expect((await testStores.streams().state(projectDecider, STREAM)).comments['c1']?.content).toBe('A secret chorus');
  });

  test('is empty once its key is destroyed; plain fields stay', async () => {
    await run(comment('c1', 'A secret chorus'), as('bob'));
    await testStores.dataKeys.destroy(STREAM);
    const state = await testStores.streams().state(projectDecider, STREAM);
    expect({ name: state.projectName, content: state.comments['c1']?.content, members: Object.keys(state.members) }).toEqual({
      name: '',
      content: '',
      members: ['bob', 'carl'],
    });
  });

  test('about a person is sealed under the key of that person', async () => {
    const data = { uid: 'dora', username: 'Dora B', firstName: 'Dora', lastName: 'Bell', guest: false };
    const meta = { actorUid: 'dora', at: 1, commandId: 'k', correlationId: 'k', causationId: null };
    const sealed = await testStores.sealer.seal('user-dora', { type: 'UserRegistered', id: '00000000-0000-4000-8000-000000000001', meta, data });
    expect(JSON.stringify(sealed)).not.toMatch(/Dora|Bell/);
    const stored = { ...sealed, stream: 'user-dora', revision: 0, position: 1 };
    expect(await testStores.opened.open([stored])).toMatchObject([{ data }]);
    await testStores.dataKeys.destroy('user-dora');
    expect(await testStores.opened.open([stored])).toMatchObject([{ data: { uid: 'dora', username: '', firstName: '', lastName: '', guest: false } }]);
  });

  test('does not open in another event', async () => {
    const meta = { actorUid: 'bob', at: 1, commandId: 'k', correlationId: 'k', causationId: null };
    const event = { type: 'ProjectRenamed', id: '00000000-0000-4000-8000-000000000001', meta, data: { from: 'a', to: 'b' } };
    const sealed = await testStores.sealer.seal(STREAM, event);
    const moved = { ...sealed, id: '00000000-0000-4000-8000-000000000002', stream: STREAM, revision: 9, position: 9 };
    await expect(testStores.opened.open([moved])).rejects.toThrow(EventUnreadable);
  });

  test('in an undeclared field never reaches the log', async () => {
    const meta = { actorUid: 'bob', at: 1, commandId: 'k', correlationId: 'k', causationId: null };
    const event = { id: '00000000-0000-4000-8000-000000000001', meta };
    await expect(testStores.sealer.seal(STREAM, { ...event, type: 'ProjectRenamed', data: { from: 'a', to: 'b', why: 'c' } })).rejects.toThrow(
      'ProjectRenamed.why has no field class',
    );
    await expect(testStores.sealer.seal(STREAM, { ...event, type: 'Unheard', data: {} })).rejects.toThrow('no field classes are declared for Unheard');
  });
});
