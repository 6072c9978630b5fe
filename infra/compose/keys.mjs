// Creates the keys of a compose deployment at its first start, each in the volume of the service that needs it. Existing keys are kept.
//   node keys.mjs FOLDER     FOLDER/roughmix, worker, bucket, backup, mongo, s3, mail and grafana must exist in it
import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Readable by all users, because containers run as different users; access is limited by who mounts the volume. */
const MODE = 0o444;

const hex = (bytes) => randomBytes(bytes).toString('hex');

function sync(path) {
  const handle = openSync(path, 'r');
  fsyncSync(handle);
  closeSync(handle);
}

/** Writes atomically: data encrypted with half a key would be lost. */
function write(path, text) {
  rmSync(`${path}.new`, { force: true });
  const handle = openSync(`${path}.new`, 'wx', MODE);
  writeSync(handle, `${text}\n`);
  fsyncSync(handle);
  closeSync(handle);
  renameSync(`${path}.new`, path);
  sync(dirname(path));
}

/** Reads a key, after creating it if it is missing. */
function key(path, make) {
  if (!existsSync(path)) write(path, make());
  return readFileSync(path, 'utf8').trim();
}

/** Writes a file that is derived from another key. */
function derived(path, text) {
  if (!existsSync(path) || readFileSync(path, 'utf8').trim() !== text) write(path, text);
}

/** The files of each reader's folder that are also in `roughmix`, the folder of the web processes. Only those have the admin key. */
const COPIES = {
  worker: ['master-key', 'mongo-url', 's3-access-key-id', 's3-secret-access-key'],
  bucket: ['s3-access-key-id', 's3-secret-access-key'],
  backup: ['mongo-url'],
};

/** Creates the missing keys. */
function makeKeys(folder) {
  const place = (...parts) => join(folder, ...parts);
  key(place('roughmix', 'admin-key'), () => hex(32));
  key(place('roughmix', 'master-key'), () => hex(32));
  key(place('mongo', 'root-password'), () => hex(24));
  key(place('mongo', 'keyfile'), () => randomBytes(756).toString('base64'));
  const password = key(place('mongo', 'roughmix-password'), () => hex(24));
  derived(place('roughmix', 'mongo-url'), `mongodb://roughmix:${password}@mongo:27017/roughmix?replicaSet=rs0`);
  derived(
    place('roughmix', 's3-access-key-id'),
    key(place('s3', 'access-key-id'), () => `roughmix-${hex(6)}`),
  );
  derived(
    place('roughmix', 's3-secret-access-key'),
    key(place('s3', 'secret-access-key'), () => hex(24)),
  );
  for (const [reader, names] of Object.entries(COPIES))
    for (const name of names) derived(place(reader, name), readFileSync(place('roughmix', name), 'utf8').trim());
  key(place('mail', 'ui-auth'), () => `roughmix:${hex(16)}`);
  key(place('grafana', 'admin-password'), () => hex(16));
}

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  process.stderr.write('usage: node keys.mjs FOLDER\n');
  process.exitCode = 2;
} else {
  makeKeys(folder);
}
