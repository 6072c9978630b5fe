import { afterEach, expect, test } from '@jest/globals';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { startWhenNeeded } from './start-when-needed';

/** A page with a button, and its code, whose attempts to load end with `loaded` or `failed`. */
function aPage({ waits }: { readonly waits: boolean }) {
  document.body.innerHTML = '<div id="root"><button type="button">Log In</button> <a href="#terms">Terms</a></div>';
  const presses: string[] = [];
  const attempts: { readonly loaded: () => void; readonly failed: () => void }[] = [];
  startWhenNeeded({
    waits,
    start: async () => {
      await new Promise<void>((loaded, fail) => attempts.push({ loaded, failed: () => fail(new Error('gone')) }));
      screen.getByRole('button').addEventListener('click', () => presses.push('Log In'));
    },
  });
  return { presses, starts: () => attempts.length, loaded: () => attempts.at(-1)?.loaded(), failed: () => attempts.at(-1)?.failed() };
}

afterEach(() => {
  document.body.innerHTML = '';
});

test('the code of a page that waits is loaded when the visitor first does something, once', async () => {
  const page = aPage({ waits: true });
  await new Promise(requestAnimationFrame);
  expect(page.starts()).toBe(0);
  await userEvent.hover(screen.getByRole('link'));
  await userEvent.hover(screen.getByRole('button'));
  expect(page.starts()).toBe(1);
  page.loaded();
});

test('the code of another page is loaded after the first paint', async () => {
  const page = aPage({ waits: false });
  expect(page.starts()).toBe(0);
  await waitFor(() => expect(page.starts()).toBe(1));
  page.loaded();
});

test('a press that comes before the code is repeated once it runs', async () => {
  const page = aPage({ waits: true });
  screen.getByRole('button').click();
  expect([page.starts(), page.presses]).toEqual([1, []]);
  page.loaded();
  await waitFor(() => expect(page.presses).toEqual(['Log In']));
  screen.getByRole('button').click();
  expect(page.presses).toEqual(['Log In', 'Log In']);
});

test('links work before the code is loaded', () => {
  const page = aPage({ waits: true });
  expect([fireEvent.click(screen.getByRole('link')), fireEvent.click(screen.getByRole('button'))]).toEqual([true, false]);
  page.loaded();
});

test('code that could not be loaded is asked for again', async () => {
  const page = aPage({ waits: true });
  screen.getByRole('button').click();
  page.failed();
  await waitFor(() => {
    screen.getByRole('button').click();
    expect(page.starts()).toBe(2);
  });
  page.loaded();
  await waitFor(() => expect(page.presses).toEqual(['Log In']));
});
