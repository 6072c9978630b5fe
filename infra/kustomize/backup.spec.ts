import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { absolutePath } from '../test/deployment-files.js';

let root: string;
const at = (...parts: readonly string[]): string => join(root, ...parts);
const put = (path: string, text: string): void => {
  mkdirSync(join(at(path), '..'), { recursive: true });
  writeFileSync(at(path), text);
};

/** Instead of MongoDB's tool: writes its arguments and configuration into the archive that it is asked for. */
const MONGODUMP = `#!/bin/sh
for each in "$@"; do case "$each" in --archive=*) archive=\${each#--archive=};; esac; done
[ -z "$FAIL" ] || exit 3
{ echo "$@"; cat "$2"; } > "$archive"
`;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'roughmix-backup-'));
  for (const file of [
    'index/indexmap',
    'index/5b1c',
    'index/scavenge/old.chk',
    'writer.chk',
    'chaser.chk',
    'truncate.chk',
    'chunk-000001.000000',
    'chunk-000000.000000',
  ])
    put(`log/${file}`, file);
  put('files/roughmix/projects/one.flac', 'music');
  put('mongo-url', 'mongodb://roughmix:a-password@mongo:27017/roughmix?replicaSet=rs0\n');
  put('bin/mongodump', MONGODUMP);
  chmodSync(at('bin', 'mongodump'), 0o755);
  mkdirSync(at('backups'));
});
afterEach(() => rmSync(root, { recursive: true }));

const backup = (environment: Readonly<Record<string, string>> = {}): { readonly status: number | null; readonly stdout: string } =>
  spawnSync('sh', [absolutePath('infra/kustomize/components/backup/backup.sh')], {
    encoding: 'utf8',
    env: {
      PATH: `${at('bin')}:${process.env['PATH'] ?? ''}`,
      LOG_DIR: at('log'),
      FILES_DIR: at('files'),
      MONGO_URL_FILE: at('mongo-url'),
      BACKUP_DIR: at('backups'),
      ...environment,
    },
  });
const made = (): readonly string[] => readdirSync(at('backups')).toSorted();
const listed = (archive: string): readonly string[] => execFileSync('tar', ['--list', '--file', archive], { encoding: 'utf8' }).trim().split('\n');

test('copies the log in the order that EventStoreDB documents, then the vault without read models, then the files', () => {
  const { status, stdout } = backup();
  const [name = ''] = made();
  expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringContaining(`backed up to ${at('backups', name)}: `) as unknown });
  expect(name).toMatch(/^\d{4}-\d\d-\d\dT\d{6}Z$/);
  const log = listed(at('backups', name, 'log.tar'));
  expect(log.slice(0, 1)).toEqual(['index/scavenge/old.chk']);
  expect(log.slice(1, 3).toSorted()).toEqual(['index/5b1c', 'index/indexmap']);
  expect(log.slice(3, 5).toSorted()).toEqual(['./chaser.chk', './writer.chk']);
  expect(log.slice(5)).toEqual(['./chunk-000000.000000', './chunk-000001.000000']);
  const vault = readFileSync(at('backups', name, 'vault.gz'), 'utf8');
  expect(vault).toContain('--excludeCollectionsWithPrefix=read.');
  expect(vault.split('\n')[0]).not.toContain('a-password');
  expect(vault).toContain('uri: "mongodb://roughmix:a-password@mongo:27017/roughmix?replicaSet=rs0"\n');
  expect(listed(at('backups', name, 'files.tar'))).toContain('./roughmix/projects/one.flac');
});

test('is named a backup only when it is complete', () => {
  expect(backup({ FAIL: 'yes' }).status).toBe(3);
  expect(made()).toEqual([expect.stringMatching(/Z\.partial$/)]);
});

test('removes backups older than BACKUP_DAYS, and nothing else', () => {
  const old = new Date(Date.now() - 40 * 86_400_000);
  for (const name of ['2020-01-01T000000Z', 'my-own-copy']) {
    mkdirSync(at('backups', name));
    utimesSync(at('backups', name), old, old);
  }
  mkdirSync(at('backups', '2020-01-02T000000Z'));
  backup({ BACKUP_DAYS: '30' });
  expect(made()).toEqual(['2020-01-02T000000Z', expect.stringMatching(/^20[^.]*Z$/), 'my-own-copy']);
});

test('leaves out the files where the store has its own way', () => {
  backup({ FILES_DIR: '' });
  const [name = ''] = made();
  expect(readdirSync(at('backups', name)).toSorted()).toEqual(['log.tar', 'vault.gz']);
});
