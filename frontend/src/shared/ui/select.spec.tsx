import { expect, test } from '@jest/globals';
import { render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { styleSheet } from '../../testing/style-sheet';
import { Select } from './select';
import '../../testing/surfaces';

const roles = [
  { id: 'viewer', label: 'Viewer' },
  { id: 'collaborator', label: 'Collaborator' },
] as const;

function Role() {
  const [role, setRole] = useState<(typeof roles)[number]['id']>('viewer');
  return <Select label="Role" options={roles} value={role} onChange={setRole} />;
}

test('the button of a select shows its label and the current option', () => {
  render(<Role />);
  expect(screen.getByRole('button', { name: 'Role Viewer' })).toHaveAttribute('aria-haspopup', 'listbox');
});

test('a select opens on the current option, arrows and Enter choose another, and the focus returns', async () => {
  render(<Role />);
  screen.getByRole('button', { name: 'Role Viewer' }).focus();

  await userEvent.keyboard('{ArrowDown}');
  await screen.findByRole('listbox', { name: 'Role' });
  await waitFor(() => expect(screen.getByRole('option', { name: 'Viewer' })).toHaveFocus());
  expect(screen.getByRole('option', { name: 'Viewer' })).toHaveAttribute('aria-selected', 'true');
  await userEvent.keyboard('{ArrowDown}{Enter}');

  const button = await screen.findByRole('button', { name: 'Role Collaborator' });
  await waitFor(() => expect(button).toHaveFocus());
  expect(screen.queryByRole('listbox')).not.toBeInTheDocument();
});

test('choosing the same option again, or Escape, changes nothing', async () => {
  render(<Role />);
  await userEvent.click(screen.getByRole('button', { name: 'Role Viewer' }));
  await userEvent.click(await screen.findByRole('option', { name: 'Viewer' }));
  await waitFor(() => expect(screen.queryByRole('listbox')).not.toBeInTheDocument());

  await userEvent.click(screen.getByRole('button', { name: 'Role Viewer' }));
  await screen.findByRole('listbox');
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('listbox')).not.toBeInTheDocument());
  expect(screen.getByRole('button', { name: 'Role Viewer' })).toBeInTheDocument();
});

test('the list of options is 222 px high before it scrolls', async () => {
  const { declared } = await styleSheet('shared/ui/select.css');
  render(<Role />);
  await userEvent.click(screen.getByRole('button', { name: 'Role Viewer' }));
  expect((await screen.findByRole('listbox')).closest('.select-list')).not.toBeNull();
  expect(declared('.select-list', 'max-height')).toBe('222px');
});

test.each([
  ['of a field with suggestions', 'shared/ui/combo-box.module.css', '.list'],
  ['of people to mention', 'shared/writing/writing.module.css', '.box > .options'],
])('so is the list %s', async (_what, path, selector) => {
  expect((await styleSheet(path)).declared(selector, 'max-height')).toBe('222px');
});
