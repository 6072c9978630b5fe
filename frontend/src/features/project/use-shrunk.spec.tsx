import { afterEach, expect, test } from '@jest/globals';
import { act, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { MiniHeader } from './mini-header';

const scrollTo = (top: number) =>
  act(() => {
    Object.defineProperty(window, 'scrollY', { value: top, configurable: true });
    window.dispatchEvent(new Event('scroll'));
  });
afterEach(() => scrollTo(0));

test('the mini header appears beyond 144 px and disappears below 135 px', () => {
  render(
    <MiniHeader here={[]} hrefOfList="/projects">
      player
    </MiniHeader>,
    { wrapper: MemoryRouter },
  );
  const header = screen.getByText('player');
  const shown = [0, 144, 145, 900, 144, 135, 134, 144, 145].map((top) => {
    scrollTo(top);
    return [top, header.classList.contains('is-shown'), !header.hasAttribute('inert')];
  });
  expect(shown).toEqual([
    [0, false, false],
    [144, false, false],
    [145, true, true],
    [900, true, true],
    [144, true, true],
    [135, true, true],
    [134, false, false],
    [144, false, false],
    [145, true, true],
  ]);
});
