import { expect, test } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { Button } from 'react-aria-components';

test('a button is found by role and name, and pressed as a user presses it', async () => {
  const pressed: string[] = [];
  render(<Button onPress={({ pointerType }) => pressed.push(pointerType)}>Request Invite</Button>);

  const button = screen.getByRole('button', { name: 'Request Invite' });
  await userEvent.click(button);
  await userEvent.keyboard('{Enter}');

  expect(button).toBeEnabled();
  expect(pressed).toEqual(['mouse', 'keyboard']);
});

test('a page can fetch, clone, encode and query the system’s theme', async () => {
  expect(await new Response('ja').text()).toBe('ja');
  expect(structuredClone({ at: new Date(5) })).toEqual({ at: new Date(5) });
  expect(new TextEncoder().encode('ü')).toEqual(new Uint8Array([195, 188]));
  expect(window.matchMedia('(prefers-color-scheme: dark)').matches).toBe(false);
});

test('aborting a signal ends a request with the signal’s reason and removes listeners', async () => {
  const controller = new AbortController();
  const { signal } = controller;
  const received: string[] = [];
  document.addEventListener('ping', ({ type }) => received.push(type), { signal });
  const request = new Request('http://localhost/', { signal });
  const underWay = fetch('data:,late', { signal }).catch((error: unknown) => error);

  document.dispatchEvent(new Event('ping'));
  controller.abort();
  document.dispatchEvent(new Event('ping'));

  expect(received).toEqual(['ping']);
  expect(request.signal.aborted).toBe(true);
  expect(signal.reason).toBeInstanceOf(DOMException);
  expect(await underWay).toBe(signal.reason);
  await expect(fetch('data:,later', { signal })).rejects.toBe(signal.reason);
});
