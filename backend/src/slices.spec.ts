import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { projector } from './kernel/projector.js';
import { composeSlices, loadParts, refuseDuplicates, type Slice } from './platform/slice.js';
import { KEPT } from './platform/vault/record-kinds.js';
import { PROJECT_EVENT_TYPES } from './projects/project-parts.decider.js';
import { slices } from './slices.js';

const SOURCE = fileURLToPath(new URL('./', import.meta.url));
const CONTRACTS = fileURLToPath(new URL('../../contracts/src/', import.meta.url));

/** The exports of the files below a folder with this ending. */
async function modulesIn(folder: string, ending: string): Promise<readonly (readonly [file: string, exported: Readonly<Record<string, unknown>>])[]> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith(ending) && !/^(testing|platform|kernel)\//.test(file),
  );
  const found: [string, Record<string, unknown>][] = [];
  for (const file of files.toSorted()) found.push([file, (await import(pathToFileURL(join(folder, file)).href)) as Record<string, unknown>]);
  return found;
}

/** The exported values of such files that are not in the list, as `file: name`. */
async function unregistered(folder: string, ending: string, listed: readonly unknown[], isRelevant = (_value: unknown) => true): Promise<readonly string[]> {
  const modules = await modulesIn(folder, ending);
  expect(modules.length).toBeGreaterThan(0);
  return modules.flatMap(([file, exported]) =>
    Object.entries(exported).flatMap(([name, value]) => (isRelevant(value) && !listed.includes(value) ? [`${file}: ${name}`] : [])),
  );
}

const hasMethod = (method: string) => (value: unknown) =>
  typeof value === 'function' && typeof (value.prototype as object | undefined) === 'object' && method in (value.prototype as object);

describe('everything in a slice is registered', () => {
  test('every manifest is in the list of slices', async () => {
    expect(await unregistered(SOURCE, '.slice.ts', slices.manifests)).toEqual([]);
  });

  test('every projector is in a manifest', async () => {
    expect(
      await unregistered(SOURCE, '.projector.ts', slices.projectors, (value) => typeof value === 'object' && value !== null && 'handles' in value),
    ).toEqual([]);
  });

  test('every event of contracts is in a manifest', async () => {
    const declared = slices.manifests.map(({ eventClasses }) => eventClasses);
    expect(await unregistered(CONTRACTS, '.events.ts', declared, (value) => typeof value === 'object')).toEqual([]);
  });

  test('every module, reactor, push source, source of topics, timer and source of chores is among the parts of a slice', async () => {
    const parts = await loadParts(slices);
    const all = (list: 'pushes' | 'reactors' | 'chores' | 'topics' | 'timers') => parts.flatMap((each): readonly unknown[] => each[list] ?? []);
    expect(await unregistered(SOURCE, '.pushes.ts', all('pushes'), hasMethod('steps'))).toEqual([]);
    expect(await unregistered(SOURCE, '.topics.ts', all('topics'), (value) => typeof value === 'function')).toEqual([]);
    expect(await unregistered(SOURCE, '.reactor.ts', all('reactors'), hasMethod('react'))).toEqual([]);
    expect(await unregistered(SOURCE, '.timer.ts', all('timers'), hasMethod('fire'))).toEqual([]);
    expect(await unregistered(SOURCE, '.chores.ts', all('chores'), hasMethod('chores'))).toEqual([]);
    const wholeProgram = /^(app|doors|live|reacting)\.module\.ts/;
    const modules = parts.map(({ module }) => module);
    const left = await unregistered(SOURCE, '.module.ts', modules, (value) => typeof value === 'function');
    expect(left.filter((each) => !wholeProgram.test(each) && !each.startsWith('operations/'))).toEqual([]);
  });

  test('every event on the stream of projects is folded there, and declared by the slices that write on it', () => {
    const declared = slices.manifests.flatMap(({ stream, eventClasses = {} }) => (stream === 'project-<id>' ? Object.keys(eventClasses) : []));
    expect(declared.toSorted()).toEqual(PROJECT_EVENT_TYPES.toSorted());
  });

  test('a slice with events names their stream, and no other slice does', () => {
    const unnamed = slices.manifests.filter(({ eventClasses, stream }) => (eventClasses === undefined) !== (stream === undefined));
    expect(unnamed.map(({ name }) => name)).toEqual([]);
  });
});

describe('slices that declare the same name do not start', () => {
  const todoEvents = { TodoAdded: { todoId: 'plain' } } as const;
  const projecting = (name: string, collection: string) => projector({ name, version: 1, collections: [{ name: collection, indexes: [] }] }, {});
  const todos: Slice = {
    name: 'todos',
    eventClasses: todoEvents,
    projectors: [projecting('todos', 'todos')],
    recordKinds: { reminders: KEPT },
    upcasters: [{ from: 'TodoMade', to: 'TodoAdded', classes: { todoId: 'plain' }, change: (data) => data }],
  };
  const notes = (own: Partial<Slice>): Slice => ({ name: 'notes', ...own });

  test.each<readonly [what: string, other: Slice, message: string]>([
    ['event', notes({ eventClasses: todoEvents }), 'the event TodoAdded is declared twice: by todos and by notes'],
    ['former event', notes({ eventClasses: { TodoMade: {} } }), 'the event TodoMade is declared twice: by todos and by notes'],
    ['projector', notes({ projectors: [projecting('todos', 'notes')] }), 'the projector todos is declared twice: by todos and by notes'],
    ['collection', notes({ projectors: [projecting('notes', 'todos')] }), 'the collection todos is declared twice: by todos and by notes'],
    ['record kind', notes({ recordKinds: { reminders: KEPT } }), 'the record kind reminders is declared twice: by todos and by notes'],
    ['record kind of the platform', notes({ recordKinds: { sessions: KEPT } }), 'the record kind sessions is declared twice: by the platform and by notes'],
    ['slice', { name: 'todos' }, 'the slice todos is declared twice: by todos and by todos'],
  ])('%s', (_what, other, message) => {
    expect(() => composeSlices([todos, other])).toThrow(message);
  });

  test('two reactors of one name, which would share a checkpoint, do not start', () => {
    const both = [
      ['mail', 'todos'],
      ['mail', 'notes'],
    ] as const;
    expect(() => refuseDuplicates('reactor', both)).toThrow('the reactor mail is declared twice: by todos and by notes');
  });

  test('slices with different names are combined', () => {
    const composed = composeSlices([todos, notes({ eventClasses: { NoteAdded: {} } })]);
    expect([...composed.fieldClasses.keys()]).toEqual(['TodoAdded', 'TodoMade', 'NoteAdded']);
    expect(composed.projectors.map(({ name }) => name)).toEqual(['todos']);
    expect(composed.recordKinds).toMatchObject({ reminders: KEPT, sessions: {} });
  });
});
