import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { importProblem } from './may-import.js';

const may = (file: string, specifier: string) => importProblem(file, specifier) ?? 'may';

describe('refused imports', () => {
  test.each([
    ['backend/src/todos/todos.controller.ts', '../comments/comments.handlers.js', 'todos/todos.controller may not import comments/comments.handlers'],
    ['backend/src/todos/todos.handlers.ts', '../projects/project.decider.js', 'todos/todos.handlers may not import projects/project.decider'],
    [
      'backend/src/platform/streams/streams.ts',
      '../../projects/project.decider.js',
      'platform (platform/streams/streams) may not import projects/project.decider',
    ],
    [
      'backend/src/platform/documents/mongo-document-store.ts',
      '../../testing/document-store-fixture.js',
      'platform (platform/documents/mongo-document-store) may not import whole (testing/document-store-fixture)',
    ],
    ['backend/src/platform/http/actor.ts', '../../users/users.queries.js', 'platform (platform/http/actor) may not import users/users.queries'],
    ['backend/src/kernel/decider.ts', '../platform/clock.js', 'kernel (kernel/decider) may not import platform (platform/clock)'],
    ['backend/src/kernel/decider.ts', 'node:crypto', 'kernel (kernel/decider) is pure and imports no node:crypto'],
    ['backend/src/regions/region.decider.ts', '../platform/clock.js', 'regions/region.decider may not import platform (platform/clock)'],
    ['backend/src/regions/region.decider.ts', '../projects/projects.queries.js', 'regions/region.decider may not import projects/projects.queries'],
    ['backend/src/regions/region.decider.ts', '../projects/projects.projector.js', 'regions/region.decider may not import projects/projects.projector'],
    ['backend/src/regions/region.decider.ts', '../projects/project.streams.js', 'regions/region.decider may not import projects/project.streams'],
    ['backend/src/projects/project.state.ts', '../platform/clock.js', 'projects/project.state may not import platform (platform/clock)'],
    [
      'backend/src/testing/sample-slice/rehearsal.decider.ts',
      '../../platform/clock.js',
      'testing/sample-slice/rehearsal.decider may not import platform (platform/clock)',
    ],
    ['backend/src/tutorial/tutorial-audio.ts', '../demo/seed-demo.js', 'tutorial/tutorial-audio may not import whole (demo/seed-demo)'],
    ['backend/src/tutorial/tutorial.decider.ts', '../demo/music/rendering.js', 'tutorial/tutorial.decider may not import library'],
    ['backend/src/demo/music/rendering.ts', '../../tutorial/tutorials.js', 'library may not import tutorial/tutorials'],
    ['backend/src/regions/region.decider.ts', './regions.controller.js', 'regions/region.decider may not import regions/regions.controller'],
    ['backend/src/regions/region.decider.ts', 'node:crypto', 'regions/region.decider is pure and imports no node:crypto'],
    ['backend/src/regions/regions.projector.ts', '@nestjs/common', 'regions/regions.projector is pure and imports no @nestjs/common'],
    [
      'backend/src/projects/projects.queries.ts',
      'mongodb',
      'only backend/platform/mongo, backend/platform/documents, backend/platform/vault may import mongodb',
    ],
    [
      'backend/src/platform/event-store/log-file.ts',
      'mongodb',
      'only backend/platform/mongo, backend/platform/documents, backend/platform/vault may import mongodb',
    ],
    ['backend/src/platform/streams/streams.ts', '@eventstore/db-client', 'only backend/platform/event-store may import @eventstore/db-client'],
    ['backend/src/main.ts', '@eventstore/db-client', 'only backend/platform/event-store may import @eventstore/db-client'],
    ['backend/src/platform/streams/streams.ts', '@grpc/grpc-js', 'only backend/platform/event-store may import @grpc/grpc-js'],
    ['backend/src/media/media.handlers.ts', '@aws-sdk/client-s3', 'only backend/platform/blobs may import @aws-sdk/client-s3'],
    ['backend/src/app.module.ts', '../../frontend/src/app/paths.js', 'backend may not import frontend'],
    ['contracts/src/regions/region.api.ts', '@nestjs/common', 'contracts may import class-validator and class-transformer only, not @nestjs/common'],
    ['contracts/src/shared/ids.ts', 'node:crypto', 'contracts may import class-validator and class-transformer only, not node:crypto'],
    ['contracts/src/shared/ids.ts', '../../../backend/src/kernel/event.js', 'contracts may not import backend'],
    ['frontend/src/features/regions/region-list.tsx', '../comments/thread', 'feature regions may not import feature comments'],
    ['frontend/src/features/regions/region-list.tsx', '../../app/router', 'feature regions may not import app'],
    ['frontend/src/shared/ui/button.tsx', '../../features/player/player', 'shared may not import feature player'],
    ['frontend/src/features/regions/region-list.tsx', 'wavesurfer.js/dist/plugins/regions.esm.js', 'only frontend/shared/wave may import wavesurfer.js'],
    ['frontend/src/shared/wave/whole-track-wave.ts', 'soundtouchjs', 'only frontend/feature/player may import soundtouchjs'],
    ['frontend/src/shared/ui/button.tsx', '../../testing/setup', 'shared may not import testing'],
    ['frontend/src/features/notes/note-editor.ts', '@roughmix/contracts/notes/note.api.js', 'the page imports bodies of requests as types only'],
    ['frontend/src/shared/api/client.ts', '../../../../backend/src/kernel/event', 'frontend may not import backend'],
  ])('%s from %s', (file, specifier, message) => {
    expect(may(file, specifier)).toBe(message);
  });
});

describe('allowed imports', () => {
  test.each([
    ['backend/src/todos/todos.controller.ts', '../comments/comments.queries.js'],
    ['backend/src/todos/todos.handlers.ts', '../projects/project.streams.js'],
    ['backend/src/todos/todos.controller.ts', '../platform/http/actor.js'],
    ['backend/src/todos/todos.controller.ts', '@nestjs/common'],
    ['backend/src/todos/todos.module.ts', '../comments/comments.module.js'],
    ['backend/src/projects/project.decider.ts', '../regions/region.decider.js'],
    ['backend/src/regions/region.decider.ts', './region-state.js'],
    ['backend/src/regions/region.decider.ts', '../projects/project.state.js'],
    ['backend/src/regions/region.decider.ts', '../kernel/refusal.js'],
    ['backend/src/regions/region.decider.ts', '@roughmix/contracts/regions/region.access.js'],
    ['backend/src/regions/region.decider.spec.ts', '../testing/given.js'],
    ['backend/src/platform/documents/mongo-document-store.ts', 'mongodb'],
    ['backend/src/platform/event-store/eventstoredb.ts', '@eventstore/db-client'],
    ['backend/src/platform/streams/streams.ts', '../documents/documents.js'],
    ['backend/src/tutorial/tutorial-audio.ts', '../demo/music/rendering.js'],
    ['backend/src/app.module.ts', './projects/projects.handlers.js'],
    ['backend/src/demo/seed.ts', '../projects/projects.handlers.js'],
    ['backend/src/testing/app.ts', '../app.module.js'],
    ['backend/src/testing/sample-slice/rehearsals.queries.ts', '../../platform/projections/read-models.js'],
    ['backend/src/testing/sample-slice/rehearsals.api.spec.ts', '../app.js'],
    ['backend/src/testing/fresh-database.ts', 'mongodb'],
    ['backend/src/platform/documents/documents.contract.ts', '../../testing/document-store-fixture.js'],
    ['contracts/src/regions/region.api.ts', 'class-validator'],
    ['contracts/src/regions/region.api.ts', '../shared/ids.js'],
    ['frontend/src/app/routes/project-page.tsx', '../../features/player/player'],
    ['frontend/src/shared/wave/whole-track-wave.ts', 'wavesurfer.js'],
    ['frontend/src/features/player/engine/mixer.ts', 'soundtouchjs'],
    ['frontend/src/features/regions/region-list.tsx', '../../app/paths'],
    ['frontend/src/features/regions/region-list.tsx', '../../shared/ui/button'],
    ['frontend/src/features/regions/region-list.tsx', '@roughmix/contracts/regions/region.access.js'],
    ['frontend/src/features/regions/region-list.spec.tsx', '../../testing/page'],
    ['infra/bench/append.mjs', 'mongodb'],
  ])('%s from %s', (file, specifier) => {
    expect(may(file, specifier)).toBe('may');
  });
});

const root = resolve('.');
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rooms-'));
  const config = {
    jsPlugins: [join(root, 'infra/lint/rooms.js')],
    categories: { correctness: 'off' },
    rules: { 'rooms/imports': 'error', 'rooms/pure': 'error', 'rooms/monotonic': 'error', 'rooms/outbound': 'error' },
  };
  await plant('.oxlintrc.json', JSON.stringify(config));
});
afterAll(() => rm(folder, { recursive: true }));

async function plant(file: string, text: string) {
  await mkdir(dirname(join(folder, file)), { recursive: true });
  await writeFile(join(folder, file), text);
}

const lint = (file: string) =>
  new Promise<{ exit: number; messages: string[] }>((resolved, failed) => {
    execFile(process.execPath, [join(root, 'node_modules/oxlint/bin/oxlint'), '-f', 'json', file], { cwd: folder }, (error, stdout, stderr) => {
      if (!stdout) return failed(new Error(`the linter printed nothing: ${stderr}`));
      const { diagnostics } = JSON.parse(stdout) as { diagnostics: { code: string; message: string }[] };
      return resolved({ exit: Number(error?.code ?? 0), messages: diagnostics.map(({ code, message }) => `${code}: ${message}`).toSorted() });
    });
  });

describe('the linter with these rules', () => {
  test('refuses all forms of import, including types', async () => {
    const bad = '../comments/comments.handlers.js';
    const said = 'rooms(imports): todos/todos.handlers may not import comments/comments.handlers';
    await plant(
      'backend/src/todos/todos.handlers.ts',
      `import { a } from '${bad}';\nimport type { B } from '${bad}';\nexport { c } from '${bad}';\nexport * from '${bad}';\nexport const d = () => import('${bad}');\nexport type E = import('${bad}').E;\nconsole.log(a, {} as B);\n`,
    );
    expect(await lint('backend/src/todos/todos.handlers.ts')).toEqual({ exit: 1, messages: Array<string>(6).fill(said) });
  });

  test('lets the page import bodies of requests as types only', async () => {
    const body = '@roughmix/contracts/notes/note.api.js';
    await plant('frontend/src/features/notes/a.ts', `import type { A } from '${body}';\nimport { b } from '${body}';\nexport const c = { b } as A;\n`);
    expect(await lint('frontend/src/features/notes/a.ts')).toEqual({
      exit: 1,
      messages: ['rooms(imports): the page imports bodies of requests as types only'],
    });
  });

  test('refuses clock and randomness in deciders, projectors, the kernel and access rules', async () => {
    const text = 'export const now = () => [Date.now(), new Date(), Math.random(), crypto.randomUUID(), performance.now()];\n';
    const files = ['backend/src/a/a.decider.ts', 'backend/src/a/as.projector.ts', 'backend/src/kernel/a.ts', 'contracts/src/a/a.access.ts'];
    const said = ['Date.now', 'Math.random', 'crypto.randomUUID', 'new Date()', 'performance.now'];
    for (const file of files) {
      await plant(file, text);
      const { messages } = await lint(file);
      expect(messages).toEqual(said.map((what) => `rooms(pure): ${what} in a pure file: pass time and randomness in with the command or the event`));
    }
  });

  test('allows the clock in other files, and dates from events in pure files', async () => {
    await plant('backend/src/a/a.handlers.ts', "import { b } from '../platform/clock.js';\nexport const now = () => [b, performance.now(), Math.random()];\n");
    await plant('backend/src/b/b.decider.ts', 'export const day = (at: number) => new Date(at).getUTCDate();\n');
    expect(await lint('backend/src/b/b.decider.ts')).toEqual({ exit: 0, messages: [] });
    expect(await lint('backend/src/a/a.handlers.ts')).toEqual({ exit: 0, messages: [] });
  });

  test('refuses Date.now() in the backend, where durations are measured with the monotonic clock', async () => {
    const text = 'export const since = (begun: number) => Date.now() - begun;\nexport const { now } = { now: Date.now };\n';
    const said = 'rooms(monotonic): Date.now() jumps when the clock is set: measure durations with performance.now(), and take instants from the Clock';
    for (const file of ['backend/src/platform/leases/a.ts', 'backend/src/media/a.reactor.ts']) {
      await plant(file, text);
      expect(await lint(file)).toEqual({ exit: 1, messages: [said, said] });
    }
    for (const file of ['backend/src/platform/clock.ts', 'backend/src/platform/leases/a.spec.ts', 'frontend/src/shared/a.ts']) {
      await plant(file, text);
      expect(await lint(file)).toEqual({ exit: 0, messages: [] });
    }
  });

  test('refuses requests outside platform/outbound, which checks where they go', async () => {
    const text = "import { get, request as send } from 'node:https';\nexport const sent = [get, send, fetch('https://example.org/')];\n";
    const said = 'rooms(outbound): requests to other hosts go through platform/outbound, which checks their address';
    await plant('backend/src/media/a.reactor.ts', text);
    expect(await lint('backend/src/media/a.reactor.ts')).toEqual({ exit: 1, messages: [said, said, said] });
    for (const file of ['backend/src/platform/outbound/a.ts', 'backend/src/media/a.spec.ts', 'frontend/src/shared/a.ts']) {
      await plant(file, text);
      expect(await lint(file)).toEqual({ exit: 0, messages: [] });
    }
  });
});
