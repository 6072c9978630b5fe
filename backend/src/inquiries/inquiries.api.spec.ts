import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { INQUIRY_PATHS } from '@roughmix/contracts/inquiries/inquiry.paths.js';
import type { InviteRequestsAnswer } from '@roughmix/contracts/inquiries/inquiry.view.js';
import { type Person, startApp, type TestApp } from '../testing/app.js';
import { compiled } from '../testing/compiled.js';
import { outboxOf, outboxWith } from '../testing/outbox.js';
import { type Answer, bodyOf, expectRefused, statusAndCode } from '../testing/test-client.js';

const SUPPORT = 'help@roughmix.example';
const MESSAGE = { firstName: 'Cleo', lastName: 'Tide Reef', reply_to: ' Cleo@Example.org' };
const NO_SUCH = 'abcdefghijklmnopqrstuvwxyz0123';

let app: TestApp;
let ana: Person;
beforeAll(async () => {
  app = await startApp({ SUPPORT_EMAIL: SUPPORT, THROTTLE_INVITE_REQUESTS: '1000', THROTTLE_CONTACT: '1000' });
  ana = await app.person('Ana');
});
afterAll(() => app.stop());

const ask = (email: unknown, who = app.anonymous): Promise<Answer> => who.post(INQUIRY_PATHS.inviteRequests, { email });
const contact = (body: object, who = app.anonymous): Promise<Answer> => who.post(INQUIRY_PATHS.contact, body);
const listed = async (query = ''): Promise<InviteRequestsAnswer> =>
  bodyOf(await app.anonymous.get<InviteRequestsAnswer>(`${INQUIRY_PATHS.inviteRequestsWithKey(app.adminKey)}${query}`));
const requestsOf = async (email: string): Promise<readonly { readonly _id: string; readonly state: string }[]> =>
  (await listed()).inviteRequests.filter((request) => request.email === email);
const decline = (id: string): Promise<Answer> => app.anonymous.post(INQUIRY_PATHS.declineWithKey(app.adminKey, id));

test('the site names its support address, or none, the limits that texts name, and the program', async () => {
  const { BUILD } = await compiled<typeof import('../platform/version.js')>('platform/version.js');
  const limits = { audioBytes: 48_000_000, pickerBytes: 31_457_280, trashDays: 30 };
  expect((await app.anonymous.get(INQUIRY_PATHS.site)).body).toEqual({ ...BUILD, supportEmail: SUPPORT, limits });
  const silent = await startApp({ TRASH_DAYS: '7', AUDIO_LIMIT: '64000000', VERSION_PICKER_LIMIT: '50000000' });
  expect((await silent.anonymous.get(INQUIRY_PATHS.site)).body).toEqual({
    ...BUILD,
    supportEmail: null,
    limits: { audioBytes: 64_000_000, pickerBytes: 50_000_000, trashDays: 7 },
  });
  bodyOf(await silent.anonymous.post(INQUIRY_PATHS.inviteRequests, { email: 'cleo@example.org' }));
  await silent.reactorsIdle();
  expect(await outboxOf(silent)).toEqual([]);
  await silent.stop();
});

describe('an invite request', () => {
  test('is accepted, listed with its normal address, and e-mailed to the operator', async () => {
    const { status, body } = await ask('  Mara.Lund@Example.ORG ');
    expect({ status, body }).toEqual({ status: 202, body: { message: 'Request sent' } });
    const { inviteRequests, next } = await listed();
    expect({ next, first: inviteRequests[0] }).toEqual({
      next: null,
      first: { _id: expect.any(String), email: 'mara.lund@example.org', dateAdded: expect.any(Number), state: 'open', position: expect.any(Number) },
    });
    const [email] = await outboxWith(app, 1);
    expect([email?.headers.to, email?.headers.subject, email?.headers['reply-to']]).toEqual([SUPPORT, 'Invite request', undefined]);
    expect(email?.text).toContain('E-mail: mara.lund@example.org');
  });

  test.each(['', 'x', 'mara@localhost', 'mara@example', 'a@example.org, b@example.org'])('of the malformed address %j is refused', async (email) => {
    expectRefused(await ask(email), 'email.invalid', { field: 'email' });
  });

  test.each([[undefined], [null], [7], [['mara@example.org']]])('without an address, or of %j, is refused', async (email) => {
    expect(statusAndCode(await ask(email))).toBe('400 request.invalid');
  });

  test('that is open already is answered alike and not recorded again', async () => {
    const [first, again] = [await ask('nils@example.org'), await ask('NILS@example.org')];
    expect({ status: again.status, body: again.body }).toEqual({ status: first.status, body: first.body });
    expect(await requestsOf('nils@example.org')).toHaveLength(1);
  });

  test('sent twice at once is recorded once', async () => {
    await Promise.all([ask('twice@example.org'), ask('twice@example.org')]);
    expect(await requestsOf('twice@example.org')).toHaveLength(1);
  });

  test('is recorded again after a decline, and for an address that has an account', async () => {
    await ask('otto@example.org');
    const [declined] = await requestsOf('otto@example.org');
    expect((await decline(declined?._id ?? '')).status).toBe(204);
    await ask('otto@example.org');
    expect((await requestsOf('otto@example.org')).map(({ state }) => state)).toEqual(['open', 'declined']);
    await ask('ana.tester@example.org');
    expect(await requestsOf('ana.tester@example.org')).toHaveLength(1);
  });

  test('of an open address takes as long as a new one', async () => {
    const took = async (email: string): Promise<number> => {
      const since = performance.now();
      await ask(email);
      return performance.now() - since;
    };
    expect([await took('timed@example.org'), await took('timed@example.org')].map((milliseconds) => milliseconds >= 245)).toEqual([true, true]);
  });

  test('may come from a signed-in user and from the guest', async () => {
    expect((await ask('friend@example.org', ana)).status).toBe(202);
    expect((await ask('guests@example.org', await app.guest())).status).toBe(202);
  });

  test('is declined once or twice with the same answer; an unknown one is not found', async () => {
    await ask('decline@example.org');
    const [{ _id } = { _id: '' }] = await requestsOf('decline@example.org');
    expect([(await decline(_id)).status, (await decline(_id)).status]).toEqual([204, 204]);
    for (const id of [NO_SUCH, 'constructor', '__proto__']) expectRefused(await decline(id), 'inviteRequest.not-found');
  });

  test('is listed newest first, by state, in pages', async () => {
    const all = (await listed()).inviteRequests;
    expect(all.map(({ position }) => position).length).toBeGreaterThan(5);
    const walked: string[] = [];
    for (let next: string | null = ''; next !== null;) {
      const page: InviteRequestsAnswer = await listed(`?limit=2${next === '' ? '' : `&before=${next}`}`);
      walked.push(...page.inviteRequests.map(({ _id }) => _id));
      ({ next } = page);
    }
    expect(walked).toEqual(all.map(({ _id }) => _id));
    expect((await listed('?state=declined')).inviteRequests).toEqual(all.filter(({ state }) => state === 'declined'));
    for (const query of ['state=gone', 'limit=0', 'before=x']) {
      expect(statusAndCode(await app.anonymous.get(`${INQUIRY_PATHS.inviteRequestsWithKey(app.adminKey)}?${query}`))).toBe('400 request.invalid');
    }
  });
});

describe('a contact message', () => {
  test('is e-mailed to the operator with the bare address to reply to, and no typed text in the subject', async () => {
    const before = (await outboxOf(app)).length;
    const { status, body } = await contact({ ...MESSAGE, phone: '+1 555', subscribe: true, message_content: 'Louder\nvocals' });
    expect({ status, body }).toEqual({ status: 202, body: { message: 'Email successfully sent' } });
    await app.reactorsIdle();
    const email = (await outboxWith(app, before + 1)).at(-1);
    expect([email?.headers.to, email?.headers['reply-to'], email?.headers.subject]).toEqual([SUPPORT, 'cleo@example.org', 'Message from the contact form']);
    expect(email?.text.replaceAll('\r\n', '\n')).toContain('> Louder\n> vocals');
  });

  test.each<[what: string, body: object, expected: string]>([
    ['everything optional left out', MESSAGE, '202'],
    ['everything', { ...MESSAGE, fullName: 'Cleo Tide', company: 'Tides', phone: '1', subscribe: false, message_content: 'x' }, '202'],
    ['a malformed address', { ...MESSAGE, reply_to: 'cleo' }, '400 email.invalid'],
    ['two addresses', { ...MESSAGE, reply_to: 'cleo@example.org\r\nBcc: bob@example.org' }, '400 email.invalid'],
    ['no address', { firstName: 'Cleo', lastName: 'Tide' }, '400 request.invalid'],
    ['no last name', { ...MESSAGE, lastName: undefined }, '400 request.invalid'],
    ['a blank name', { ...MESSAGE, firstName: ' ' }, '400 request.invalid'],
    ['a long name', { ...MESSAGE, firstName: 'x'.repeat(51) }, '400 limit.firstName'],
    ['a long last name', { ...MESSAGE, lastName: 'x'.repeat(51) }, '400 limit.lastName'],
    ['a long full name', { ...MESSAGE, fullName: 'x'.repeat(102) }, '400 limit.fullName'],
    ['a long company', { ...MESSAGE, company: 'x'.repeat(121) }, '400 request.invalid'],
    ['a long phone number', { ...MESSAGE, phone: 'x'.repeat(41) }, '400 request.invalid'],
    ['a long message', { ...MESSAGE, message_content: 'x'.repeat(10_001) }, '400 limit.message_content'],
    ['the longest message', { ...MESSAGE, message_content: 'ü'.repeat(10_000) }, '202'],
    ['text instead of a flag', { ...MESSAGE, subscribe: 'yes' }, '400 request.invalid'],
    ['an unknown field', { ...MESSAGE, fax: '1' }, '400 request.unknown-field'],
  ])('with %s', async (_what, body, expected) => {
    expect(statusAndCode(await contact(body))).toBe(expected);
  });
});

describe('from one address in an hour', () => {
  let now = 1_700_000_000_000;
  let slow: TestApp;
  beforeAll(async () => {
    slow = await startApp({}, { clock: () => now });
  });
  afterAll(() => slow.stop());

  test('ten invite requests are accepted, whether recorded or not; those that are refused do not count', async () => {
    const asked = (email: string): Promise<Answer> => slow.anonymous.post(INQUIRY_PATHS.inviteRequests, { email });
    expect(statusAndCode(await asked('x'))).toBe('400 email.invalid');
    const answers = await Promise.all(Array.from({ length: 12 }, (_, at) => asked(`mara${at % 4}@example.org`)));
    expect(answers.map(statusAndCode).toSorted()).toEqual([...Array.from({ length: 10 }, () => '202'), '429 throttled', '429 throttled']);
    now += 3_599_000;
    const refused = await asked('later@example.org');
    expect([statusAndCode(refused), refused.headers.get('retry-after')]).toEqual(['429 throttled', '1']);
    expect(statusAndCode(await asked('x'))).toBe('429 throttled');
    now += 1_000;
    expect(statusAndCode(await asked('later@example.org'))).toBe('202');
  });

  test('five contact messages are accepted', async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, () => slow.anonymous.post(INQUIRY_PATHS.contact, MESSAGE)));
    expect(answers.map(statusAndCode).toSorted()).toEqual(['202', '202', '202', '202', '202', '429 throttled']);
  });
});
