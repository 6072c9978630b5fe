import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { EmbeddedDocumentStore } from '../documents/embedded-document-store.js';
import { EmbeddedEventStore } from '../event-store/embedded-event-store.js';
import { ServiceUnavailable, StoreDamaged } from '../store-errors.js';
import { EmbeddedVault } from '../vault/embedded-vault.js';
import { SupervisedThread, type ThreadOptions } from './supervised-thread.js';
import { compiledWorker } from './worker-file.js';
import { OWN_THREADS, type WritingThreads } from './writing-threads.js';

let folder: string;
let started: Worker[];
let messages: string[];
let ended: Error[];
/** Thrown instead of starting a replacement. */
let failure: Error | null;

const threads: WritingThreads = {
  ...OWN_THREADS,
  take(worker) {
    if (failure !== null) throw failure;
    const thread = OWN_THREADS.take(worker);
    started.push(thread);
    return thread;
  },
};
const options = () => ({ threads, onTrouble: (message: string) => void messages.push(message), onHopeless: (error: Error) => void ended.push(error) });

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'roughmix-thread-'));
  [started, messages, ended, failure] = [[], [], [], null];
});
afterEach(() => rm(folder, { recursive: true }));

/** A request that the thread's code does not survive. Terminating a thread in the middle of SQLite's code would end the whole process. */
const loseThread = async (poison: unknown): Promise<void> => {
  const thread = started.at(-1);
  if (thread === undefined) throw new Error('no thread was started');
  const lost = new Promise((resolve) => thread.once('exit', resolve));
  thread.postMessage(poison);
  await lost;
};

/** A store, as far as these specs use it. */
interface Written {
  readonly poison: unknown;
  write(n: number): Promise<unknown>;
  count(): Promise<number>;
  close(): Promise<void>;
}

const event = (n: number) => ({
  id: randomUUID(),
  type: 'ThreadTried',
  data: { n },
  meta: { actorUid: null, at: 1, commandId: `k${n}`, correlationId: 'k', causationId: null },
});

const stores: readonly (readonly [name: string, open: () => Promise<Written>])[] = [
  [
    'the vault',
    async () => {
      const vault = await EmbeddedVault.open({ file: join(folder, 'vault.db'), ...options() });
      await vault.declare({ name: 'keys' });
      return {
        poison: {},
        write: (n) => vault.put('keys', `k${n}`, { n }),
        count: async () => (await vault.find('keys', {})).length,
        close: () => vault.close(),
      };
    },
  ],
  [
    'the read models',
    async () => {
      const documents = await EmbeddedDocumentStore.open({ file: join(folder, 'read.db'), ...options() });
      const [collection, field] = ['notes_v1', 'song'];
      await documents.declare({ name: collection, indexes: [{ field }] });
      const write = (n: number) =>
        documents.save({ projector: 'notes', checkpoint: n, writes: [{ collection, id: `n${n}`, position: n + 1, body: { song: 's', n } }] });
      return {
        poison: {},
        write,
        count: async () => (await documents.find(collection, { where: { field, value: 's' } })).length,
        close: () => documents.close(),
      };
    },
  ],
  [
    'the log',
    async () => {
      const log = await EmbeddedEventStore.open({ file: join(folder, 'log.db'), ...options() });
      const poison = { kind: 'append', items: null, last: true };
      return {
        poison,
        write: (n) => log.append(`s-${n}`, 'none', [event(n)]),
        count: async () => (await log.readAll({ after: 0 })).length,
        close: () => log.close(),
      };
    },
  ],
];

/** Writes until the store accepts it again; everything else is the error that clients retry. */
async function writeAgain(store: Written, n: number): Promise<void> {
  for (;;) {
    try {
      await store.write(n);
      return;
    } catch (error) {
      if (!(error instanceof ServiceUnavailable)) throw error;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}

describe.each(stores)('%s', (_name, open) => {
  test('replaces a lost writer thread: nothing acknowledged is missing, and writing and reading continue', async () => {
    const store = await open();
    for (let n = 0; n < 5; n += 1) await store.write(n);
    for (let round = 1; round <= 3; round += 1) {
      const during = Array.from({ length: 40 }, (_, at) => store.write(round * 100 + at).then(() => 1));
      await new Promise((resolve) => setImmediate(resolve));
      await loseThread(store.poison);
      const acknowledged = (await Promise.allSettled(during)).filter(({ status }) => status === 'fulfilled').length;
      expect(await store.count()).toBeGreaterThanOrEqual(acknowledged);
      await writeAgain(store, round * 10);
    }
    expect(started.length).toBe(4);
    for (let n = 1_000; n < 1_005; n += 1) await store.write(n);
    const count = await store.count();
    await store.close();
    expect([ended, messages.length > 0]).toEqual([[], true]);
    const reopened = await open();
    expect(await reopened.count()).toBe(count);
    await reopened.close();
  });

  test('ends the process when the file proves to be damaged', async () => {
    const store = await open();
    await store.write(1);
    failure = new StoreDamaged('found damaged', 'a.db', 0);
    await loseThread(store.poison);
    await expect(store.write(2)).rejects.toThrow(ServiceUnavailable);
    expect(ended).toEqual([failure]);
    await store.close();
  });

  test('closes while its thread is being replaced', async () => {
    const store = await open();
    await store.write(1);
    failure = new ServiceUnavailable('too many open files');
    await loseThread(store.poison);
    await expect(store.write(2)).rejects.toThrow(ServiceUnavailable);
    await store.close();
    expect(ended).toEqual([]);
  });
});

describe('a thread that cannot be replaced', () => {
  test('for a while is tried again, and ends the process after that', async () => {
    const idle = new Worker("require('node:worker_threads').parentPort.on('message', () => undefined)", { eval: true });
    let tries = 0;
    const start: ThreadOptions['start'] = (isReplacement) => {
      if (!isReplacement) return Promise.resolve(idle);
      tries += 1;
      return Promise.reject(new ServiceUnavailable('too many open files'));
    };
    const hopeless = new Promise<Error>((resolve) => {
      void SupervisedThread.open({ start, giveBack: (thread) => OWN_THREADS.giveBack(thread), onHopeless: resolve, times: { retry: 5, replace: 50 } });
    });
    await idle.terminate();
    expect(await hopeless).toEqual(new ServiceUnavailable('too many open files'));
    expect(tries).toBeGreaterThan(1);
  });

  test('ends a real process with exit code 1', async () => {
    const module = new URL('./supervised-thread.js', compiledWorker(import.meta.url, 'rewrite-worker')).href;
    const program = `
      import { Worker } from 'node:worker_threads';
      import { SupervisedThread } from '${module}';
      const start = async (isReplacement) => {
        if (isReplacement) throw new Error('no thread');
        return new Worker('require("node:worker_threads").parentPort.once("message", () => process.exit(3))', { eval: true });
      };
      const thread = await SupervisedThread.open({ start, giveBack: () => undefined, times: { retry: 1, replace: 0 } });
      thread.post('exit');
      setInterval(() => undefined, 1_000);
    `;
    const [code, said] = await new Promise<readonly [unknown, string]>((resolve) => {
      execFile(process.execPath, ['--input-type=module', '-e', program], (error, _out, stderr) => resolve([error?.code, stderr]));
    });
    expect([code, said.includes('Error: no thread')]).toEqual([1, true]);
  });
});
