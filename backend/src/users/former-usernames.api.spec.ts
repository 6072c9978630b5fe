import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { USER_PATHS } from '@roughmix/contracts/users/user.paths.js';
import { EmbeddedVault } from '../platform/vault/embedded-vault.js';
import { PASSWORD, startApp, type TestApp } from '../testing/app.js';
import { bodyOf } from '../testing/test-client.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.stop());

test('the usernames of an erased user are free again, the earlier one too, even if a crash interrupted the rename', async () => {
  const ana = await app.person('Ana');
  for (const username of ['Owl', 'Anouk']) bodyOf(await ana.put(`/api/users/${ana.uid}`, { username }));
  await app.restart(async () => {
    const vault = await EmbeddedVault.open({ file: join(app.folder, 'vault.db') });
    await vault.declare({ name: 'accounts', indexes: ['state'] });
    const account = await vault.get('accounts', ana.uid);
    if (account === null) throw new Error('the account is gone');
    // As between the event and the end of the request, and unsealed, as earlier versions stored it.
    const before = {
      sealedIdentity: undefined,
      email: 'ana.tester@example.org',
      usernameSlug: 'owl',
      formerSlugs: [],
      claims: [{ slug: 'anouk', at: Date.now() }],
    };
    await vault.replace('accounts', ana.uid, account.version, { ...account.body, ...before });
    await vault.close();
  });
  bodyOf(await app.anonymous.post(`/api/admin/${app.adminKey}/users/erase`, { user: ana.uid }));
  const register = (username: string) =>
    app.anonymous.post(USER_PATHS.addUser(app.adminKey), { email: `${username}@example.org`, password: PASSWORD, username });
  expect([(await register('Owl')).status, (await register('Anouk')).status]).toEqual([201, 201]);
});
