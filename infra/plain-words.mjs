// Finds phrases that read as translated. `node infra/plain-words.mjs` prints each place.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { argv, stdout } from 'node:process';
import { fileURLToPath } from 'node:url';

const repository = fileURLToPath(new URL('..', import.meta.url));

/** The folders and files that are scanned. Others, such as data and node_modules, are not ours or not text. */
const ROOTS = ['backend', 'contracts', 'frontend', 'infra', 'docs'];
const SKIPPED = ['node_modules', 'dist', 'data'];
const TEXT = /\.(?:ts|tsx|mjs|md|css)$/;

/** Each phrase with what to write instead. A space also matches a line break, within a comment too. */
export const TELL_TALES = [
  ['whoever', 'the caller, the user'],
  ['somebody', 'a user, another process'],
  ['anew', 'again, rebuild, retry'],
  ['octets?', 'bytes'],
  ['(?:is|are|was|were|be) told(?! apart)', 'is notified, receives, is logged'],
  ['told of', 'notified of, aware of'],
  ['heard of', 'knows of, is notified of'],
  ['for want of', 'because there is no'],
  ['what is over', 'what has ended'],
  ['(?:so|as) long a(?:t a)?(?: time)?', 'name the interval'],
  ['nobody minds', 'say what the effect is'],
  ['stands? for', 'means, represents'],
  ['br(?:eaks?|oke|oken) off', 'is interrupted, fails'],
  ['what (?:was|is) (?:said|asked|told)', 'name it: the message, the request'],
].map(([phrase = '', instead = '']) => ({
  phrase: new RegExp(String.raw`(?<![-\w/.])(?:${phrase.replaceAll(' ', String.raw`[\s*/]+`)})(?![-\w(])`, 'gi'),
  instead,
}));

/** Places where a phrase is right: texts of the product's specification, names of libraries. One line each, with the reason. */
export const EXCEPTIONS = [
  { file: 'infra/plain-words.mjs', reason: 'lists the phrases' },
  { file: 'infra/plain-words.spec.ts', reason: 'shows that the phrases are found' },
  { file: 'backend/src/notifications/notification-sentences.ts', reason: "'Somebody disliked your post' is the specified text" },
  { file: 'backend/src/notifications/notification-sentences.spec.ts', reason: 'the same text' },
];

/** The places in a text where a phrase occurs: its line, from 1, and what to write instead. */
export function tellTalesIn(text) {
  return TELL_TALES.flatMap(({ phrase, instead }) =>
    [...text.matchAll(phrase)].map((match) => ({
      line: text.slice(0, match.index).split('\n').length,
      found: match[0].replaceAll(/[\s*/]+/g, ' '),
      instead,
    })),
  ).toSorted((one, other) => one.line - other.line);
}

function* filesBelow(folder) {
  for (const entry of readdirSync(join(repository, folder), { withFileTypes: true })) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isFile() && TEXT.test(entry.name)) yield path;
    else if (entry.isDirectory() && !entry.name.startsWith('.') && (folder === '' ? ROOTS : [entry.name]).includes(entry.name)) {
      if (!SKIPPED.includes(entry.name)) yield* filesBelow(path);
    }
  }
}

/** Every file of the project with such a phrase, without the exceptions. */
export function filesWithTellTales() {
  const allowed = new Set(EXCEPTIONS.map(({ file }) => file));
  return [...filesBelow('')]
    .filter((path) => !allowed.has(path))
    .map((path) => ({ path, places: tellTalesIn(readFileSync(join(repository, path), 'utf8')) }))
    .filter(({ places }) => places.length > 0)
    .toSorted((one, other) => (one.path < other.path ? -1 : 1));
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  for (const { path, places } of filesWithTellTales()) {
    for (const { line, found, instead } of places) stdout.write(`${path}:${line}: "${found}"; better: ${instead}\n`);
  }
}
