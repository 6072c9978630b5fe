// Planted words, and a search for them in every file of a folder and every encoding a program could have used.
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { readLog } from './log-fold.mjs';

const LETTERS = 'bcdfghjklmnpqrstvwxz';

/** A unique word: only letters, so that no escaping changes it, and no syllables, so that it does not occur by chance. */
export const plant = (random) => `Zq${Array.from({ length: 14 }, () => LETTERS[Math.floor(random() * LETTERS.length)]).join('')}`;

/** The word in base64 at each of the three possible offsets. */
const inBase64 = (word) =>
  [0, 1, 2].map((before) => {
    const encoded = Buffer.from(`${' '.repeat(before)}${word}`)
      .toString('base64')
      .replace(/=+$/, '');
    // The first and last characters depend on the surrounding text.
    return encoded.slice(before === 0 ? 0 : before + 1, -2);
  });

/** A word in every searched encoding: plain, lower case, UTF-16, base64 and hex. */
const formsOf = (word) => {
  const cases = [word, word.toLowerCase(), word.toUpperCase()];
  const texts = [...cases, ...cases.flatMap(inBase64), ...cases.map((each) => Buffer.from(each).toString('hex'))];
  return [...texts.map((text) => Buffer.from(text)), ...cases.map((text) => Buffer.from(text, 'utf16le'))];
};

/** The names of the planted words ({ name: word }) that occur in bytes in any encoding. */
export function wordsIn(bytes, words) {
  const all = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes);
  return Object.entries(words).flatMap(([name, word]) => (formsOf(word).some((form) => all.includes(form)) ? [name] : []));
}

/** Runs `read`, returning `none` for files that a running program removed meanwhile. */
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

/** Every file below a folder with planted words in its content or name: [{ file, names }]. */
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

/** The planted words in the log after decrypting everything the vault has keys for. */
export const wordsInOpenedLog = (folder, words) => wordsIn(JSON.stringify(readLog(folder)), words);
