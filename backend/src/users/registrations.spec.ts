import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type SelfView, usernameSlug } from '@roughmix/contracts/users/user.view.js';
import type { Refused } from '../kernel/refusal.js';
import type { EventStore } from '../platform/event-store/event-store.js';
import { ServiceUnavailable } from '../platform/store-errors.js';
import type { Vault } from '../platform/vault/vault.js';
import { type UsersProcess, type UsersFixture, openUsersFixture } from '../testing/users-fixture.js';
import { VAULT_WRITES, WriteFailure } from '../testing/write-failure.js';
import { GUEST_UID } from './registrations.js';

const MINUTE_MS = 60_000;
const request = { email: 'Ana@Example.org', password: 'tape-hiss-and-rain', firstName: 'Ana', lastName: 'Lima' };

/** Of an account without names. */
const MADE_UP: unknown = expect.stringMatching(/^newcomer-[0-9a-f]{8}$/);

let world: UsersFixture;
let sound: UsersProcess;

beforeEach(async () => {
  world = await openUsersFixture();
  sound = world.process();
});
afterEach(() => world.remove());

/** A process whose stores fail at a write. */
function failingProcess(): { readonly process: UsersProcess; readonly failure: WriteFailure } {
  const failure = new WriteFailure();
  const vault = failure.guard<Vault>(world.vault, VAULT_WRITES);
  return { process: world.process(vault, failure.guard<EventStore>(world.log, ['append'])), failure };
}

async function register(changes: Partial<typeof request & { username: string }> = {}, { registrations, selves }: UsersProcess = sound): Promise<SelfView> {
  const { uid } = await registrations.register({ ...request, ...changes });
  return selves.view(uid);
}

/** 'done', or the refusal's code. */
const outcome = (registering: Promise<SelfView>): Promise<string> =>
  registering.then(
    () => 'done',
    (error: Refused) => error.code,
  );

const registrationsInLog = async (): Promise<number> =>
  (await world.log.readAll({ after: 0, limit: 100 })).filter(({ type }) => type === 'UserRegistered').length;

describe('a registration', () => {
  test('creates an account that can sign in', async () => {
    const ana = await register();
    expect(ana).toMatchObject({ email: 'ana@example.org', username: 'Ana Lima', firstName: 'Ana', lastName: 'Lima', profileCompletion: 1, isGuest: false });
    expect(ana.dateAdded).toBe(world.clock.now());
    expect((await sound.accounts.registered('ana@example.org'))?.uid).toBe(ana.uid);
  });

  test('without both names leaves the profile incomplete, with a username from one name, or a made-up one that does not show the email address', async () => {
    expect(await register({ firstName: '', lastName: '' })).toMatchObject({ username: MADE_UP, firstName: '', lastName: '', profileCompletion: 0 });
    expect(await register({ email: 'bo@example.org', lastName: '' })).toMatchObject({ username: 'Ana', profileCompletion: 0 });
  });

  test('keeps the email address out of the log, and encrypts names with the key of the user', async () => {
    await register();
    expect(JSON.stringify(await world.log.readAll({ after: 0, limit: 100 }))).not.toMatch(/example|Lima/i);
  });

  test.each([
    [{ email: 'ana' }, 'email.invalid'],
    [{ email: `${'a'.repeat(250)}@example.org` }, 'email.invalid'],
    [{ password: '1234567' }, 'password.too-short'],
    [{ password: 'x'.repeat(129) }, 'password.too-long'],
    [{ password: 'tape hiss' }, 'password.space'],
    [{ password: 'password1' }, 'password.too-common'],
    [{ firstName: 'Ana Maria' }, 'name.space'],
    [{ firstName: 'Help', lastName: 'Desk' }, 'name.reserved'],
    [{ username: 'billing' }, 'user.username-taken'],
    [{ username: 'a_n_a' }, 'username.invalid'],
    [{ username: 'al' }, 'username.invalid'],
    [{ username: 'everyone' }, 'user.username-taken'],
  ])('of %j is refused: %s', async (changes, code) => {
    await expect(register(changes)).rejects.toMatchObject({ code });
    expect(await world.vault.find('accounts', {})).toEqual([]);
  });

  test('of a taken email address is refused, regardless of case', async () => {
    await register();
    await expect(register({ email: ' ANA@example.ORG ' })).rejects.toMatchObject({ code: 'user.email-taken' });
  });

  test('of a taken username is refused and leaves the email address free; a derived username gets a number', async () => {
    await register();
    const bo = { email: 'bo@example.org', password: 'another-tape-1' };
    await expect(register({ ...bo, username: 'ana-lima' })).rejects.toMatchObject({ code: 'user.username-taken' });
    expect(await register({ ...bo, password: 'yet-another-tape-2' })).toMatchObject({ username: 'Ana Lima2' });
  });

  test('with a username that looks like a taken one is refused; a derived one gets a number', async () => {
    await register();
    const bo = { email: 'bo@example.org', firstName: '\u0410na' };
    await expect(register({ ...bo, username: '\u0430na-lima' })).rejects.toMatchObject({ code: 'user.username-taken' });
    expect(await register(bo)).toMatchObject({ username: '\u0410na Lima2' });
  });

  test.each([
    ['its first 30 characters', { firstName: 'Customer-Support', lastName: 'Services-Teams' }],
    ['what is left of it without characters that are not allowed', { firstName: 'Support', lastName: '\u2167' }],
  ])('gets a made-up username if %s look official, which the full name does not', async (_what, names) => {
    expect(await register(names)).toMatchObject({ ...names, username: MADE_UP });
  });

  test('sent twice at once creates one account', async () => {
    const done = await Promise.allSettled([register(), register()]);
    expect(done.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(done.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'user.email-taken' } });
    expect(await registrationsInLog()).toBe(1);
  });

  test('of many users with the same name at once gives each a unique username', async () => {
    const done = await Promise.all(Array.from({ length: 6 }, (_, index) => register({ email: `ana${index}@example.org` })));
    expect(new Set(done.map(({ username }) => username)).size).toBe(6);
  });
});

describe.each([
  ['before', false],
  ['after', true],
])('a crash %s any step takes effect', (_when, takesEffect) => {
  /** Registers users whose process crashes at each write in turn, then runs `recover`. */
  async function crashAtEachStep(recover: (email: string) => Promise<void>): Promise<void> {
    const counting = failingProcess();
    await register({ email: 'whole@example.org' }, counting.process);
    expect(counting.failure.writes).toBeGreaterThanOrEqual(5);
    for (let step = 0; step < counting.failure.writes; step += 1) {
      const { process, failure } = failingProcess();
      failure.failAfter(step, takesEffect);
      const email = `step${step}@example.org`;
      await expect(register({ email, firstName: `Step${step}` }, process)).rejects.toThrow(ServiceUnavailable);
      await recover(email);
    }
  }

  test('is completed by the next attempt with the same email and password, and creates one user', async () => {
    let people = 1;
    await crashAtEachStep(async (email) => {
      const step = email.split('@')[0]?.replace('step', 'Step') ?? '';
      // If the crash came after the last write, the same registration finds its own address taken.
      expect(['done', 'user.email-taken']).toContain(await outcome(register({ email, firstName: step })));
      const self = await sound.selves.view((await sound.accounts.registered(email))?.uid ?? '');
      people += 1;
      expect(self.username).toBe(`${step} Lima`);
      expect(await sound.accounts.registered(email)).toMatchObject({ uid: self.uid });
      expect(await registrationsInLog()).toBe(people);
    });
  });

  test('leaves only reservations that expire after twenty minutes, and no account that can half sign in', async () => {
    await crashAtEachStep(async (email) => {
      const known = await sound.accounts.registered(email);
      expect(known === null).toBe((await uidInLog(email)) === null);
      world.clock.move(20 * MINUTE_MS);
      const firstName = email.split('@')[0]?.replace('step', 'Step');
      const other = await outcome(register({ email, password: 'somebody-elses-1', firstName }));
      expect(other).toBe(known === null ? 'done' : 'user.email-taken');
      const holder = await sound.accounts.registered(email);
      expect(holder?.usernameSlug).toBe(`${firstName?.toLowerCase()}-lima`);
      expect(holder?.uid === known?.uid).toBe(known !== null);
    });
  });

  test('is completed by the next attempt when the account is for an invited person', async () => {
    const counting = failingProcess();
    await counting.process.registrations.registerInvited('whole', 'whole@example.org');
    for (let step = 0; step < counting.failure.writes; step += 1) {
      const { process, failure } = failingProcess();
      failure.failAfter(step, takesEffect);
      const [uid, email] = [`invited${step}`, `step${step}@example.org`];
      await expect(process.registrations.registerInvited(uid, email)).rejects.toThrow(ServiceUnavailable);
      await sound.registrations.registerInvited(uid, email);
      expect(await sound.selves.view(uid)).toMatchObject({ email, username: MADE_UP, firstName: '', profileCompletion: 0 });
      expect(await sound.accounts.registered(email)).toMatchObject({ uid, passwordHash: '' });
      expect(await registrationsInLog()).toBe(step + 2);
    }
  });

  test('is resolved by the sweep', async () => {
    await crashAtEachStep(() => Promise.resolve());
    world.clock.move(20 * MINUTE_MS);
    await sound.accounts.sweep();
    expect(await world.vault.find('accounts', { field: 'state', value: 'reserved' })).toEqual([]);
    const accounts = await world.vault.find('accounts', {});
    expect(accounts).toHaveLength(await registrationsInLog());
    expect(await world.vault.find('reserved-slugs', {})).toHaveLength(accounts.length);
  });
});

/** The uid that the log has for an address, or null. */
async function uidInLog(email: string): Promise<string | null> {
  const holder = await sound.accounts.holderOf(email);
  return holder !== null && (await sound.streams.isRegistered(holder.id)) ? holder.id : null;
}

test('an unfinished registration cannot be taken over with a different password', async () => {
  const { process, failure } = failingProcess();
  failure.failAfter(2, false);
  await expect(register({}, process)).rejects.toThrow(ServiceUnavailable);
  await expect(register({ password: 'somebody-elses-1' })).rejects.toMatchObject({ code: 'user.email-taken' });
  world.clock.move(20 * MINUTE_MS);
  expect((await register({ password: 'somebody-elses-1' })).username).toBe('Ana Lima');
});

test('there is one guest after any number of starts, and no user can sign in as it or take its name', async () => {
  await sound.registrations.ensureGuest();
  await sound.registrations.ensureGuest();
  await world.process().registrations.ensureGuest();
  expect(await registrationsInLog()).toBe(1);
  expect(await sound.selves.view(GUEST_UID)).toMatchObject({ username: 'Guest', email: '', isGuest: true, profileCompletion: 1 });
  expect(await sound.accounts.registered('')).toBeNull();
  expect(await register({ firstName: 'Guest', lastName: '' })).toMatchObject({ username: 'Guest2' });
});

test('a registration sent to two servers at once creates one account with a unique name', async () => {
  for (let nth = 0; nth < 8; nth += 1) {
    const both = { email: `both${nth}@example.org`, firstName: `Both${nth % 2}` };
    const [one, other] = [world.process(), world.process()];
    const outcomes = await Promise.all([one, other, one, other].map((process) => outcome(register(both, process))));
    expect(outcomes).toContain('done');
    expect(outcomes.filter((each) => each !== 'done' && each !== 'user.email-taken')).toEqual([]);
    const account = await sound.accounts.registered(both.email);
    const person = await sound.streams.person(account?.uid ?? '');
    expect(account).toMatchObject({ usernameSlug: usernameSlug(person?.username ?? '') });
    expect(await sound.reservations.get('slug', account?.usernameSlug ?? '')).toMatchObject({ body: { uid: account?.uid } });
  }
  const accounts = await world.vault.find('accounts', {});
  expect([accounts.length, (await world.vault.find('reserved-slugs', {})).length, (await world.vault.find('reserved-emails', {})).length]).toEqual([8, 8, 8]);
  expect(await registrationsInLog()).toBe(8);
});

test('two servers that start at once create one guest', async () => {
  await Promise.all(Array.from({ length: 4 }, () => world.process().registrations.ensureGuest()));
  expect(await registrationsInLog()).toBe(1);
  expect(await sound.reservations.get('slug', 'guest')).toMatchObject({ body: { uid: GUEST_UID } });
});
