import { afterEach, expect, test } from '@jest/globals';
import { render, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { turnSingleKeys } from '../../shared/shortcuts/single-keys';
import { useShortcuts } from '../../shared/shortcuts/use-shortcuts';
import { KeysDialog } from './keys-dialog';
import '../../testing/surfaces';

afterEach(() => turnSingleKeys(true));

const nothing = () => undefined;

function Page() {
  useShortcuts([
    { keys: ['c'], label: 'Write a comment', run: nothing },
    { keys: ['1', '2', '3'], caps: ['1–3'], label: 'Switch version', run: nothing },
    { keys: ['Escape'], label: 'Clear the selection', run: nothing, isEnabled: false },
    { keys: ['Space'], label: 'Play or pause', run: nothing },
  ]);
  return <KeysDialog isOpen onClose={nothing} />;
}

test('lists every shortcut that the page has registered, with the keys as they are printed', async () => {
  render(<Page />);
  const dialog = await screen.findByRole('dialog', { name: 'Keyboard shortcuts' });
  const textOf = (role: string) =>
    within(dialog)
      .getAllByRole(role)
      .map(({ textContent }) => textContent);

  expect(textOf('definition')).toEqual(['Play or pause', 'Clear the selection', 'Switch version', 'Write a comment']);
  expect(textOf('term')).toEqual(['Space', 'Esc', '1–3', 'C']);
});

test('turns single-key shortcuts off for this browser', async () => {
  render(<Page />);
  const off = await screen.findByRole('switch', { name: 'Turn off single-key shortcuts' });
  expect(off).not.toBeChecked();

  await userEvent.click(off);
  expect(off).toBeChecked();
  expect(localStorage.getItem('roughmix.single-key-shortcuts')).toBe('off');
  expect(screen.getByText(/^Letters, digits and symbols do nothing now/)).toBeInTheDocument();
});
