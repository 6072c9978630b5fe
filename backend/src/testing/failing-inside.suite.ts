// Run by compiled-program.spec.ts.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startApp, type TestApp } from './app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.stop());

test('meets an error in the program that nothing catches', async () => {
  void app.inside.vault.get('undeclared', 'x');
  expect((await app.anonymous.get('/health/live')).status).toBe(200);
});
