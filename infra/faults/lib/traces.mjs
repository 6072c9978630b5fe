// Planted words, and where they are found again: in every file of a folder, in whatever form a program could have written them.
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { readLog } from './log-fold.mjs';

const LETTERS = 'bcdfghjklmnpqrstvwxz';

/** A word that stands nowhere else: letters only, so that no escaping changes it, and no syllables, so that nothing else holds it by chance. */
export const plant = (random) => `Zq${Array.from({ length: 14 }, () => LETTERS[Math.floor(random() * LETTERS.length)]).join('')}`;

/** The word as base64 leaves it at each of three places within a text. */
const inBase64 = (word) =>
  [0, 1, 2].map((before) => {
    const encoded = Buffer.from(`${' '.repeat(before)}${word}`)
      .toString('base64')
      .replace(/=+$/, '');
    // The first and last characters depend on what stands around the word.
    return encoded.slice(before === 0 ? 0 : before + 1, -2);
  });

/** A word in every form in which it could lie somewhere: as it is, in lower case, in UTF-16, in base64 and in hex. */
const formsOf = (word) => {
  const cases = [word, word.toLowerCase(), word.toUpperCase()];
  const texts = [...cases, ...cases.flatMap(inBase64), ...cases.map((each) => Buffer.from(each).toString('hex'))];
  return [...texts.map((text) => Buffer.from(text)), ...cases.map((text) => Buffer.from(text, 'utf16le'))];
};

/** The names of the planted words ({ name: word }) that bytes hold in any form. */
export function wordsIn(bytes, words) {
  const all = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes);
  return Object.entries(words).flatMap(([name, word]) => (formsOf(word).some((form) => all.includes(form)) ? [name] : []));
}

/** What `read` gives; `none` for what has gone since it was seen: a program that runs puts files away. */
const unlessGone = (read, none) =>
  read.catch((error) => {
    if (error.code === 'ENOENT') return none;
    throw error;
  });

async function* filesBelow(folder) {
  for (const entry of await unlessGone(readdir(folder, { withFileTypes: true }), [])) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesBelow(path);
    else if (entry.isFile()) yield path;
  }
}

/** Every file below a folder that holds planted words, in its bytes or its name: [{ file, names }]. */
export async function tracesIn(folder, words) {
  const found = [];
  for await (const path of filesBelow(folder)) {
    const file = relative(folder, path);
    const inName = wordsIn(file, words);
    if (inName.length > 0) found.push({ file: `the name of ${file}`, names: inName });
    const names = wordsIn(await unlessGone(readFile(path), ''), words);
    if (names.length > 0) found.push({ file, names });
  }
  return found;
}

/** The planted words that the log tells when everything is opened that the vault has a key for. */
export const wordsInOpenedLog = (folder, words) => wordsIn(JSON.stringify(readLog(folder)), words);
