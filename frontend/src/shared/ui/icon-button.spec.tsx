import { expect, test } from '@jest/globals';
import { fireEvent, render, screen } from '@testing-library/react';
import { Repeat } from 'lucide-react';
import { useState } from 'react';
import { IconButton } from './icon-button';

function Loop() {
  const [isOn, setOn] = useState(false);
  return <IconButton label="Loop" icon={Repeat} isPressed={isOn} onPress={() => setOn(!isOn)} />;
}

/** A click at a time; `count` is 2 for the second click of a double click. */
function clickAt(ms: number, count = 1): void {
  const event = new MouseEvent('click', { bubbles: true, detail: count });
  Object.defineProperty(event, 'timeStamp', { value: ms });
  fireEvent(screen.getByRole('button', { name: 'Loop' }), event);
}
const isOn = () => screen.getByRole('button', { name: 'Loop' }).getAttribute('aria-pressed');

test('a double click within 300 ms toggles once, slower clicks and keys each time', () => {
  render(<Loop />);
  clickAt(1_000);
  clickAt(1_299, 2);
  expect(isOn()).toBe('true');
  clickAt(1_700);
  clickAt(2_000, 2);
  expect(isOn()).toBe('true');
  clickAt(2_100, 0);
  expect(isOn()).toBe('false');
});
