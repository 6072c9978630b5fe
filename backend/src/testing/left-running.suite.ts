// Run by compiled-program.spec.ts.
import { expect, test } from '@jest/globals';
import { startApp } from './app.js';

test('leaves its program running', async () => {
  const app = await startApp();
  expect((await app.anonymous.get('/health/live')).status).toBe(200);
});
