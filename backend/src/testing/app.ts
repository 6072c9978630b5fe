import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SessionAnswer, UserAddedAnswer } from '@roughmix/contracts/users/user.view.js';
import type { SecurityLine } from '../platform/security/security-event.js';
import { startCompiled } from './compiled.js';
import { freePort } from './free-port.js';
import { bodyOf, TestClient } from './test-client.js';
import type { Inside, TestedOptions, TestedProgram } from './tested-program.js';

export const PASSWORD = 'tide-and-reef-42';

/** A user with an account and a session. */
export class Person extends TestClient {
  constructor(
    url: string,
    token: string,
    readonly uid: string,
    readonly username: string,
  ) {
    super(url, token);
  }
}

/** The session cookie's value in a response. */
export function sessionIn(headers: Headers): string {
  const cookie = headers.getSetCookie().find((each) => each.startsWith('roughmix_session='));
  if (cookie === undefined) throw new Error('the response has no session cookie');
  return (cookie.split(';')[0] ?? '').slice('roughmix_session='.length);
}

/** What a spec adds to the program: its clock, processes for uploaded files, and slices besides its own. With slices that have Nest parts it runs from the sources, which takes seconds to load. */
export type AppAdditions = Pick<TestedOptions, 'clock' | 'hasChildProcesses' | 'manifests'>;

/** The program on a port that no other start beside it picks. */
async function begin(environment: NodeJS.ProcessEnv, options: TestedOptions): Promise<TestedProgram> {
  const hasParts = options.manifests?.some(({ load }) => load !== undefined) ?? false;
  const start = hasParts ? (await import('./tested-program.js')).startTested : startCompiled;
  return start({ PORT: await freePort(), ...environment }, options);
}

/** The whole program on a free port with its data in a temporary folder. */
export class TestApp {
  private constructor(
    readonly folder: string,
    readonly adminKey: string,
    private readonly environment: NodeJS.ProcessEnv,
    private readonly started: { readonly options: TestedOptions; readonly securityLines: readonly string[]; program: TestedProgram },
  ) {}

  static async start(environment: NodeJS.ProcessEnv = {}, additions: AppAdditions = {}): Promise<TestApp> {
    const folder = await mkdtemp(join(tmpdir(), 'roughmix-app-'));
    const adminKey = randomBytes(24).toString('hex');
    const all = {
      DATA_DIR: folder,
      ERASURES_FILE: join(folder, 'erasures', 'erasures.ndjson'),
      LOG_LEVEL: 'silent',
      ADMIN_KEY: adminKey,
      MASTER_KEY: 'specs-master-key-7d2c94f06be1a853',
      ...environment,
    };
    const lines: string[] = [];
    const writeSecurity = (line: string): void => void lines.push(line);
    const options = { ...additions, writeSecurity };
    return new TestApp(folder, adminKey, all, { options, securityLines: lines, program: await begin(all, options) });
  }

  get url(): string {
    return this.started.program.address;
  }

  /** The link by which the first account is made. */
  get firstAccountLink(): string | null {
    return this.started.program.firstAccountLink;
  }

  get inside(): Inside {
    return this.started.program.inside;
  }

  /** The security channel's lines so far, as written. */
  get securityLines(): readonly string[] {
    return this.started.securityLines;
  }

  /** The same, parsed. */
  get security(): readonly SecurityLine[] {
    return this.started.securityLines.map((line) => JSON.parse(line) as SecurityLine);
  }

  /** Calls without a session. */
  get anonymous(): TestClient {
    return new TestClient(this.url);
  }

  /** A new account, signed in. */
  async person(firstName: string, lastName = 'Tester'): Promise<Person> {
    const email = `${firstName}.${lastName}@example.org`.toLowerCase();
    const added = bodyOf(
      await this.anonymous.post<UserAddedAnswer>(`/api/admin/${this.adminKey}/users/addUser`, { email, password: PASSWORD, firstName, lastName }),
    );
    return this.signIn(email, added.user.username);
  }

  async people<const Names extends readonly string[]>(...names: Names): Promise<{ readonly [At in keyof Names]: Person }> {
    return (await Promise.all(names.map((name) => this.person(name)))) as { readonly [At in keyof Names]: Person };
  }

  /** Opens a new session for an existing account. */
  async signIn(email: string, username: string): Promise<Person> {
    const answer = await this.anonymous.post<SessionAnswer>('/api/auth/login', { email, password: PASSWORD });
    return new Person(this.url, sessionIn(answer.headers), bodyOf(answer).user.uid, username);
  }

  async guest(): Promise<Person> {
    const answer = await this.anonymous.post<SessionAnswer>('/api/auth/guest');
    return new Person(this.url, sessionIn(answer.headers), bodyOf(answer).user.uid, answer.body.user.username);
  }

  /** The path of every file in the blob store. A folder that is removed meanwhile makes it read again. */
  async blobs(): Promise<readonly string[]> {
    const folder = join(this.folder, 'blobs');
    const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((error: unknown) => {
      // Node's own errors come from outside Jest's realm: they are no instance of the Error known here.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    });
    if (entries === null) return this.blobs();
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
      .toSorted();
  }

  /** Waits until every reactor has reached the end of the log. */
  async reactorsIdle(): Promise<void> {
    for (const until = Date.now() + 50_000; Date.now() < until;) {
      const { body } = await this.anonymous.get<{ reactors: Readonly<Record<string, number>> }>('/health/ready');
      // Not reported until the reactors have started.
      const lags = Object.values(body.reactors);
      if (lags.length > 0 && lags.every((lag) => lag === 0)) return;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    throw new Error('the reactors did not catch up');
  }

  /** The same session at the address of the last start. */
  again({ token, uid, username }: Person): Person {
    return new Person(this.url, token ?? '', uid, username);
  }

  /** Stops, lets something be done to the data folder, and starts again on it, with changes to the environment; sessions live on, addresses do not. */
  async restart(meanwhile: () => Promise<void> = () => Promise.resolve(), changes: NodeJS.ProcessEnv = {}): Promise<void> {
    await this.started.program.stop();
    await meanwhile();
    this.started.program = await begin({ ...this.environment, ...changes }, this.started.options);
  }

  async stop(): Promise<void> {
    await this.started.program.stop();
    await rm(this.folder, { recursive: true, force: true });
  }
}

export const startApp = (environment?: NodeJS.ProcessEnv, additions?: AppAdditions): Promise<TestApp> => TestApp.start(environment, additions);
