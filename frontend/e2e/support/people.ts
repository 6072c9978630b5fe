import type { BrowserContext, Page } from 'playwright-core';
import { type ContextOptions, openContext } from './browser';
import { retryWhileReadModelsLag } from './retry-while-read-models-lag';
import type { EntryPoint } from './server';

/** A user with an account. */
export interface Person {
  readonly email: string;
  readonly password: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly uid: string;
  readonly username: string;
}

/** Creates an account with the admin key. @throws if the server refuses */
export async function addUser(server: EntryPoint, firstName: string, lastName: string): Promise<Person> {
  const input = {
    firstName,
    lastName,
    email: `${firstName}.${lastName}@example.test`.toLowerCase(),
    password: `a quiet ${lastName} room`.replaceAll(' ', '-'),
  };
  const key = encodeURIComponent(await server.adminKey());
  const address = `${server.callAddress ?? server.address}/api/admin/${key}/users/addUser`;
  const answer = await retryWhileReadModelsLag(
    (headers) => fetch(address, { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(input) }),
    ({ status }) => status,
  );
  if (answer.status !== 201) throw new Error(`addUser returned ${answer.status}: ${await answer.text()}`);
  const { user } = (await answer.json()) as { user: { uid: string; username: string } };
  return { ...input, uid: user.uid, username: user.username };
}

/** Signs in on the login page, and waits until another page opens. */
export async function signIn(page: Page, server: EntryPoint, person: Pick<Person, 'email' | 'password'>): Promise<void> {
  await page.goto(`${server.address}/login`);
  await page.getByLabel('Email').fill(person.email);
  await page.getByRole('textbox', { name: 'Password' }).fill(person.password);
  await page.getByRole('button', { name: 'Log In', exact: true }).click();
  await page.waitForURL((url) => url.pathname !== '/login');
}

/** Opens an isolated browser context and signs in. Close `context` afterwards. */
export async function openAs(server: EntryPoint, person: Person, options: ContextOptions = {}): Promise<{ context: BrowserContext; page: Page }> {
  const context = await openContext({ baseURL: server.address, ...(server.hostRules === undefined ? {} : { hostRules: server.hostRules }), ...options });
  const page = await context.newPage();
  await signIn(page, server, person);
  return { context, page };
}
