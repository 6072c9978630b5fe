import { expect, test } from '@jest/globals';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { Ellipsis } from 'lucide-react';
import { useState } from 'react';
import { IconButton } from './icon-button';
import { Menu, type MenuEntry } from './menu';
import '../../testing/surfaces';

const entriesInto = (done: string[]): MenuEntry[] => [
  { id: 'export', label: 'Export markers', onSelect: () => done.push('export') },
  { id: 'owner', label: 'Change Owner', isDisabled: true, onSelect: () => done.push('owner') },
  'line',
  { id: 'remove', label: 'Remove', isDanger: true, onSelect: () => done.push('remove') },
];

const renderMenu = (entries: MenuEntry[]) => {
  render(<Menu label="Project" entries={entries} trigger={(props) => <IconButton {...props} label="More" icon={Ellipsis} />} />);
  return screen.getByRole('button', { name: 'More' });
};

test('the down arrow opens a menu on its first entry, arrows skip disabled entries, Enter runs one, and the focus returns', async () => {
  const done: string[] = [];
  const button = renderMenu(entriesInto(done));
  expect(button).toHaveAttribute('aria-haspopup', 'menu');
  expect(button).toHaveAttribute('aria-expanded', 'false');
  button.focus();

  await userEvent.keyboard('{ArrowDown}');
  expect(await screen.findByRole('menu', { name: 'Project' })).toBeInTheDocument();
  await waitFor(() => expect(screen.getByRole('menuitem', { name: 'Export markers' })).toHaveFocus());
  expect(button).toHaveAttribute('aria-expanded', 'true');

  await userEvent.keyboard('{ArrowDown}');
  expect(screen.getByRole('menuitem', { name: 'Remove' })).toHaveFocus();
  await userEvent.keyboard('{Enter}');

  await waitFor(() => expect(screen.queryByRole('menu')).not.toBeInTheDocument());
  expect(done).toEqual(['remove']);
  await waitFor(() => expect(button).toHaveFocus());
});

test('the up arrow opens a menu on its last entry and Escape closes it without running anything', async () => {
  const done: string[] = [];
  const button = renderMenu(entriesInto(done));
  button.focus();

  await userEvent.keyboard('{ArrowUp}');
  await waitFor(() => expect(screen.getByRole('menuitem', { name: 'Remove' })).toHaveFocus());
  await userEvent.keyboard('{Escape}');

  await waitFor(() => expect(screen.queryByRole('menu')).not.toBeInTheDocument());
  expect(done).toEqual([]);
});

test('a disabled entry does nothing when it is pressed', async () => {
  const done: string[] = [];
  await userEvent.click(renderMenu(entriesInto(done)));

  await userEvent.click(await screen.findByRole('menuitem', { name: 'Change Owner' }));

  expect(done).toEqual([]);
});

function Filter() {
  const [chosen, setChosen] = useState<readonly string[]>(['mix']);
  const options = [
    { id: 'mix', label: 'Mix' },
    { id: 'style', label: 'Style' },
  ];
  return (
    <Menu
      label="Filter regions"
      entries={[{ id: 'category', label: 'Category', mode: 'several', options, chosen, onChange: setChosen }]}
      trigger={(props) => <IconButton {...props} label="Filter" icon={Ellipsis} />}
    />
  );
}

test('several choices are ticked without leaving the menu', async () => {
  render(<Filter />);
  await userEvent.click(screen.getByRole('button', { name: 'Filter' }));
  const style = await screen.findByRole('menuitemcheckbox', { name: 'Style' });
  expect(style).not.toBeChecked();

  await userEvent.click(style);

  expect(screen.getByRole('menuitemcheckbox', { name: 'Style' })).toBeChecked();
  expect(screen.getByRole('menuitemcheckbox', { name: 'Mix' })).toBeChecked();
});

test('an entry that has nothing to open shakes, and the menu stays', async () => {
  const done: string[] = [];
  const button = renderMenu([{ id: 'messages', label: 'Messages', isEmpty: true, onSelect: () => done.push('messages') }]);
  await userEvent.click(button);
  const entry = await screen.findByRole('menuitem', { name: 'Messages' });
  await userEvent.click(entry);
  expect(entry).toHaveClass('shakes');
  expect(done).toEqual(['messages']);
  fireEvent.animationEnd(entry);
  expect(entry).not.toHaveClass('shakes');
  expect(entry).toBeInTheDocument();
});

/** Reports transitions of an element that stays on the page, all of which are cancelled, as browsers do when it is hidden. */
function cancelTransitions(element: Element): void {
  for (const type of ['transitionrun', 'transitioncancel']) {
    for (const propertyName of ['color', 'background-color']) fireEvent(element, Object.assign(new Event(type, { bubbles: true }), { propertyName }));
  }
}

test.each(['{Enter}', ' '])('%j opens a menu on its first entry each time, also after transitions were cancelled', async (key) => {
  const button = renderMenu(entriesInto([]));
  button.focus();
  for (const _time of [1, 2]) {
    await userEvent.keyboard(key);
    await waitFor(() => expect(screen.getByRole('menuitem', { name: 'Export markers' })).toHaveFocus());
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(button).toHaveFocus());
    cancelTransitions(button);
  }
});
