import { describe, expect, test } from '@jest/globals';
import { render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { personCalled } from '../../testing/people-and-projects';
import { applyStyleSheet } from '../../testing/style-sheet';
import { MentionBox } from '../writing/mention-box';
import { mentionablesOf } from '../writing/mention-search';
import { ComboBox } from './combo-box';
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

describe('the open list is 222 px high before it scrolls:', () => {
  const people = ['Bob', 'Cleo'].map((name) => ({ id: name, label: name, content: name }));
  const mentionable = mentionablesOf(['Bob', 'Cleo'].map(personCalled), 'ana');

  function Mentions() {
    const [value, setValue] = useState('');
    return <MentionBox label="Text" value={value} onChange={setValue} people={mentionable} onSubmit={() => undefined} />;
  }
  const suggestions = (
    <ComboBox
      label="People"
      listLabel="Found"
      text=""
      onText={() => undefined}
      options={people}
      isCurrent
      emptyNote={null}
      onPick={() => undefined}
      offersAtOnce
    />
  );

  test.each([
    ['roles', 'shared/ui/select.css', <Role key="roles" />, () => userEvent.click(screen.getByRole('button', { name: 'Role Viewer' }))],
    ['people', 'shared/ui/combo-box.module.css', suggestions, () => userEvent.click(screen.getByRole('combobox', { name: 'People' }))],
    ['people to mention', 'shared/writing/writing.module.css', <Mentions key="mentions" />, () => userEvent.type(screen.getByRole('textbox'), '@')],
  ] as const)('%s', async (_what, path, list, open) => {
    const takeAway = await applyStyleSheet(path);
    render(list);
    await open();
    const scrolling = (await screen.findByRole('listbox')).closest<HTMLElement>('.select-list, .list, .options:not(.list > *)');
    expect(scrolling).not.toBeNull();
    expect(scrolling && getComputedStyle(scrolling).maxHeight).toBe('222px');
    takeAway();
  });
});
