import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ProjectPageAnswer } from '@roughmix/contracts/comments/comment.view.js';
import { applySplice, type Splice } from '@roughmix/contracts/notes/note-splice.js';
import type { UpdatedProjectAnswer } from '@roughmix/contracts/projects/project.view.js';
import { sha256 } from '@roughmix/contracts/shared/sha256.js';
import type { Problem } from '@roughmix/contracts/shared/problems.js';
import { seeded } from '../demo/music/dsp/random.js';
import { type Person, startApp, type TestApp } from '../testing/app.js';
import { analysed, aProjectWith } from '../testing/project-over-http.js';
import { bodyOf } from '../testing/test-client.js';

const SEED = Number(process.env['NOTES_SEED'] ?? 4_711);
const ROUNDS = 60;

/** A writer and the text that they last saw. */
interface Writer {
  readonly who: Person;
  text: string;
}

let app: TestApp;
let projectId: string;
let writers: readonly Writer[];
const random = seeded(SEED);
const below = (limit: number): number => Math.floor(random() * limit);
const inserted = new Set<string>();
const removed = new Set<string>();
let merged = 0;
/** What each conflict showed. */
const conflicts: { readonly shown: object; readonly expected: object }[] = [];
let made = 0;

beforeAll(async () => {
  app = await startApp();
  const [ana, bob, carl] = await app.people('Ana', 'Bob', 'Carl');
  const created = await aProjectWith(ana, { collaborators: [bob, carl] });
  projectId = created.projectId;
  await analysed(ana, created.versionId);
  writers = [ana, bob, carl].map((who) => ({ who, text: '' }));
});
afterAll(() => app.stop());

/** New characters, each used once; every second is a surrogate pair. */
const distinct = (count: number): string =>
  Array.from({ length: count }, () => String.fromCodePoint(((made += 1) % 2 === 0 ? 0x4e00 : 0x20000) + made)).join('');

function someSplice(text: string): Splice {
  const characters = Array.from(text);
  const start = below(characters.length + 1);
  const gone = random() < 0.4 ? characters.slice(start, start + below(4)) : [];
  return { at: characters.slice(0, start).join('').length, removed: gone.join('').length, inserted: distinct(gone.length === 0 ? 1 + below(3) : below(3)) };
}

/** Saves a random change of what a writer last saw. A writer shows a saved or a conflicting text only now and then: the others write on meanwhile. */
async function write(writer: Writer): Promise<void> {
  const base = writer.text;
  const splice = someSplice(base);
  const body = { submission: { owner: { notes: { public: { ...splice, hash: sha256(base) } } } } };
  const answer = await writer.who.put<UpdatedProjectAnswer | Problem>(`/api/projects/${projectId}`, body);
  const wanted = applySplice(base, splice);
  if (answer.status === 409) {
    const { note, theirs = '', hash, yours } = answer.body as Problem;
    conflicts.push({ shown: { note, hash, yours }, expected: { note: 'public', hash: sha256(theirs), yours: wanted } });
    writer.text = theirs;
    return;
  }
  const { notes } = (bodyOf(answer) as UpdatedProjectAnswer).updatedProject.owner;
  for (const character of splice.inserted) inserted.add(character);
  for (const character of base.slice(splice.at, splice.at + splice.removed)) removed.add(character);
  if (notes?.public !== wanted) merged += 1;
  if (random() < 0.5) writer.text = notes?.public ?? '';
}

test(`three writers at once (NOTES_SEED=${SEED}): every character that no saved change removed is there once, and everyone reads the same text`, async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    await Promise.all(writers.filter(() => random() < 0.8).map(write));
    // Only the last hundred texts are known.
    if (round % 20 === 19) for (const writer of writers) writer.text = await read(writer.who);
  }
  const texts = await Promise.all(writers.map(({ who }) => read(who)));
  expect(new Set(texts).size).toBe(1);
  const expected = [...inserted].filter((character) => !removed.has(character));
  expect(Array.from(texts[0] ?? '').toSorted()).toEqual(expected.toSorted());
  expect(conflicts.map(({ shown }) => shown)).toEqual(conflicts.map((each) => each.expected));
  expect(Math.min(merged, conflicts.length)).toBeGreaterThan(0);
});

async function read(who: Person): Promise<string> {
  const { data } = bodyOf(await who.get<ProjectPageAnswer>(`/api/projects/${projectId}/visitor/${who.uid}`));
  return data.project.owner.notes?.public ?? '';
}
