import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { act, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { styleSheet } from '../../testing/style-sheet';
import { useIsWanted, WhileOpen } from './while-open';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

function Word({ of }: { readonly of: string }) {
  const [first] = useState(of);
  return <p>{`${first} ${of} ${useIsWanted() ? 'open' : 'leaving'}`}</p>;
}
const shown = () => screen.queryByRole('paragraph')?.textContent ?? null;
const word = (value: string | null) => <WhileOpen value={value}>{(of) => <Word of={of} />}</WhileOpen>;
const pass = (milliseconds: number) =>
  act(() => {
    jest.advanceTimersByTime(milliseconds);
  });

test('a dialog keeps what it showed for the 250 ms of its exit, and is gone after that', async () => {
  const { rerender } = render(word(null));
  expect(shown()).toBeNull();
  rerender(word('one'));
  expect(shown()).toBe('one one open');
  rerender(word(null));
  expect(shown()).toBe('one one leaving');
  pass(250);
  expect(shown()).toBe('one one leaving');
  pass(50);
  expect(shown()).toBeNull();
  const dialog = await styleSheet('shared/ui/dialog.css');
  for (const part of ['.scrim', '.modal']) expect(dialog.declared(`${part}[data-exiting]`, 'animation')).toMatch(/var\(--t-modal\)/);
  expect((await styleSheet('shared/styles/tokens.css')).declared(':root', '--t-modal')).toBe('250ms');
});

test('a dialog that is opened again while it leaves starts afresh and stays', () => {
  const { rerender } = render(word('one'));
  rerender(word('another'));
  expect(shown()).toBe('one another open');
  rerender(word(null));
  pass(200);
  rerender(word('two'));
  expect(shown()).toBe('two two open');
  pass(1_000);
  expect(shown()).toBe('two two open');
});
