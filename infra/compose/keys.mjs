// Makes the keys of a compose deployment at its first start, each in the volume of whoever needs it; what is there already stays.
//   node keys.mjs FOLDER     FOLDER/roughmix, FOLDER/mongo, FOLDER/s3 and FOLDER/grafana have to be there
import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The containers read these as users of their own; who may not read a key does not have its volume. */
const MODE = 0o444;

const hex = (octets) => randomBytes(octets).toString('hex');

function sync(path) {
  const handle = openSync(path, 'r');
  fsyncSync(handle);
  closeSync(handle);
}

/** A file is there whole or not at all: half a key that was believed would lock everything that was written with it. */
function write(path, text) {
  rmSync(`${path}.new`, { force: true });
  const handle = openSync(`${path}.new`, 'wx', MODE);
  writeSync(handle, `${text}\n`);
  fsyncSync(handle);
  closeSync(handle);
  renameSync(`${path}.new`, path);
  sync(dirname(path));
}

/** The text of a key, made when it is missing. */
function key(path, make) {
  if (!existsSync(path)) write(path, make());
  return readFileSync(path, 'utf8').trim();
}

/** What follows from another key. */
function derived(path, text) {
  if (!existsSync(path) || readFileSync(path, 'utf8').trim() !== text) write(path, text);
}

/** Makes what is missing. */
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
  key(place('grafana', 'admin-password'), () => hex(16));
}

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  process.stderr.write('which folder?\n');
  process.exitCode = 2;
} else {
  makeKeys(folder);
}
