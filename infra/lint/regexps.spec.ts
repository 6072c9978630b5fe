import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';

const root = resolve('.');
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'regexps-'));
  const config = { jsPlugins: [join(root, 'infra/lint/regexps.js')], categories: { correctness: 'off' }, rules: { 'regexps/linear': 'error' } };
  await writeFile(join(folder, '.oxlintrc.json'), JSON.stringify(config));
});
afterAll(() => rm(folder, { recursive: true }));

/** The linter's messages about a program. */
async function messagesOf(program: string): Promise<readonly string[]> {
  await writeFile(join(folder, 'program.js'), program);
  return new Promise((resolved, failed) => {
    execFile(process.execPath, [join(root, 'node_modules/oxlint/bin/oxlint'), '-f', 'json', 'program.js'], { cwd: folder }, (_error, stdout, stderr) => {
      if (stdout === '') return failed(new Error(`the linter printed nothing: ${stderr}`));
      return resolved((JSON.parse(stdout) as { diagnostics: { message: string }[] }).diagnostics.map(({ message }) => message));
    });
  });
}

test.each([
  [
    'a list that is split at its blanks, as If-None-Match once was',
    String.raw`text.split(/\s*,\s*/)`,
    'takes quadratic time or worse on a text with many characters of /\\s/',
  ],
  [
    'a preference with three neighbours that match blanks',
    String.raw`/^\s*([\w-]+)\s*(?:=\s*"?([^";]*?)"?\s*)?(?:;|$)/.exec(text)`,
    'takes quadratic time or worse on a text with many characters of /\\s/',
  ],
  ['a repetition of repetitions', String.raw`/^(a+)+$/.test(text)`, 'takes exponential time or worse on a text with many characters of /a/'],
  ['a run before the end of the text', String.raw`text.replace(/=+$/, '')`, 'takes quadratic time or worse on a text with many characters of /=/'],
  ['an expression put together at run time', 'new RegExp(text)', 'is put together while the program runs, so its time cannot be checked'],
])('%s is refused', async (_what, program, message) => {
  expect(await messagesOf(program)).toEqual([message]);
});

test('expressions that take linear time are accepted', async () => {
  const program = String.raw`text.split(','); /^bytes=(\d*)-(\d*)$/.exec(text); text.replace(/\s+/g, ' '); new RegExp('a');`;
  expect(await messagesOf(program)).toEqual([]);
});

test('the programs of all three workspaces are checked', async () => {
  const { default: config } = (await import(`${root}/.oxlintrc.json`, { with: { type: 'json' } })) as {
    default: { overrides: { files: string[]; rules: object }[] };
  };
  expect(config.overrides.find(({ rules }) => 'regexps/linear' in rules)).toEqual({
    files: ['{contracts,backend,frontend}/src/**'],
    rules: { 'regexps/linear': 'error' },
  });
});
