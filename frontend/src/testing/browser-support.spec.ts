import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

/** What Chrome and Edge 111, Firefox 115 or Safari 16.4 lack, besides syntax, which the build lowers. */
const TOO_NEW: readonly (readonly [name: string, use: RegExp])[] = [
  ['AbortSignal.any', /AbortSignal\.any\(/],
  ['Promise.withResolvers', /Promise\.(?:withResolvers|try)\b/],
  ['grouping', /(?:Object|Map)\.groupBy\b/],
  ['Array.fromAsync', /Array\.fromAsync\b/],
  ['set methods', /\.(?:union|intersection|difference|symmetricDifference|isSubsetOf|isSupersetOf|isDisjointFrom)\(/],
  ['iterator helpers', /\.(?:values|keys|entries)\(\)\s*\.(?:map|filter|take|drop|flatMap|reduce|toArray|forEach|some|every|find)\(/],
  ['URL.canParse', /URL\.(?:canParse|parse)\(/],
  ['well-formed strings', /\.(?:isWellFormed|toWellFormed)\(/],
  ['view transitions', /startViewTransition\b/],
  ['the popover API', /\.(?:showPopover|hidePopover|togglePopover)\(/],
  ['crypto.randomUUID, which needs TLS', /randomUUID\(/],
  ['requestIdleCallback', /requestIdleCallback\(/],
  ['scheduler', /\bscheduler\.(?:yield|postTask)\b/],
  ['RegExp.escape', /RegExp\.escape\b/],
  ['base64 of bytes', /\.(?:fromBase64|toBase64|fromHex|toHex)\(/],
];

const FOLDERS = ['frontend/src', 'contracts/src'];
/** Has a fallback for each. */
const FALLBACKS = ['frontend/src/shared/api/any-signal.ts'];
const isShipped = (path: string): boolean => /\.tsx?$/.test(path) && !/\.spec\.tsx?$|(?:^|\/)testing\//.test(path);

test('the page uses nothing that the oldest supported browsers lack', async () => {
  const found: string[] = [];
  for (const folder of FOLDERS) {
    for (const path of (await readdir(folder, { recursive: true })).filter(isShipped)) {
      const code = (await readFile(join(folder, path), 'utf8')).replaceAll(/^\s*(?:\/\/|\*|\/\*\*).*$/gm, '');
      if (FALLBACKS.includes(`${folder}/${path}`)) continue;
      for (const [name, use] of TOO_NEW) if (use.test(code)) found.push(`${folder}/${path}: ${name}`);
    }
  }
  expect(found).toEqual([]);
});

test('the build targets these browsers, and the README names them', async () => {
  const config = await readFile('frontend/browsers.json', 'utf8');
  expect(JSON.parse(config)).toEqual(['chrome111', 'edge111', 'firefox115', 'safari16.4']);
  expect((await readFile('README.md', 'utf8')).replaceAll(/\s+/g, ' ')).toContain('Chrome and Edge 111, Firefox 115 and Safari 16.4');
});
