import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { Repeat } from 'lucide-react';
import { useState } from 'react';
import { Avatar } from './avatar';
import { Button } from './button';
import { Faces } from './faces';
import { IconButton } from './icon-button';
import { SkeletonRows } from './skeleton';
import { Segmented } from './segmented';
import { Switch } from './switch';
import { Tabs } from './tabs';
import { Tag } from './tag';
import { TextField } from './text-field';
import '../../testing/surfaces';

const pages = [
  { id: 'todos', label: 'Todos', panel: 'Nothing todo... yet' },
  { id: 'comments', label: 'Comments', panel: 'No comments (yet)' },
  { id: 'notes', label: 'Notes', panel: 'Write here' },
] as const;

function Work() {
  const [value, setValue] = useState<(typeof pages)[number]['id']>('todos');
  return <Tabs label="Work" tabs={pages} selected={value} onSelect={setValue} />;
}

/** Until then tabs have no tabindex of their own. */
const arrowKeysReady = () => waitFor(() => expect(screen.getByRole('tab', { selected: true })).toHaveAttribute('tabindex', '0'));

describe('tabs', () => {
  test('show their panel at once, and a focused tab keeps the focus when the arrow keys are loaded', async () => {
    render(<Work />);
    act(() => screen.getByRole('tab', { name: 'Todos' }).focus());
    expect(screen.getByRole('tabpanel', { name: 'Todos' })).toHaveTextContent('Nothing todo... yet');

    await arrowKeysReady();
    await waitFor(() => expect(screen.getByRole('tab', { name: 'Todos' })).toHaveFocus());
  });

  test('can be switched by pointer before the arrow keys are loaded', async () => {
    render(<Work />);
    fireEvent.click(screen.getByRole('tab', { name: 'Notes' }));
    expect(screen.getByRole('tabpanel', { name: 'Notes' })).toHaveTextContent('Write here');
    await arrowKeysReady();
  });

  test('show one panel, named by its tab, and move with arrows, Home and End round the ends', async () => {
    render(<Work />);
    expect(screen.getByRole('tabpanel', { name: 'Todos' })).toHaveTextContent('Nothing todo... yet');
    await arrowKeysReady();

    await userEvent.tab();
    expect(screen.getByRole('tab', { name: 'Todos' })).toHaveFocus();
    await userEvent.keyboard('{ArrowRight}');
    expect(screen.getByRole('tab', { name: 'Comments' })).toHaveFocus();
    expect(screen.getByRole('tabpanel', { name: 'Comments' })).toHaveTextContent('No comments (yet)');
    await userEvent.keyboard('{End}');
    expect(screen.getByRole('tab', { name: 'Notes', selected: true })).toHaveFocus();
    await userEvent.keyboard('{ArrowRight}');
    expect(screen.getByRole('tab', { name: 'Todos', selected: true })).toHaveFocus();
    await userEvent.keyboard('{ArrowLeft}{Home}');
    expect(screen.getByRole('tab', { name: 'Todos', selected: true })).toHaveFocus();
    expect(screen.getAllByRole('tabpanel')).toHaveLength(1);
  });
});

function Match() {
  const [isOn, setOn] = useState(false);
  return <Switch label="Match loudness" isSelected={isOn} onChange={setOn} isSounding />;
}

afterEach(() => {
  jest.useRealTimers();
});

test('a switch is toggled by its label and by the space bar', async () => {
  render(<Match />);
  const match = screen.getByRole('switch', { name: 'Match loudness' });
  expect(match).not.toBeChecked();

  await userEvent.click(screen.getByText('Match loudness'));
  expect(match).toBeChecked();
  match.focus();
  await userEvent.keyboard(' ');
  expect(match).not.toBeChecked();
});

function Shown() {
  const [value, setValue] = useState<'active' | 'completed'>('active');
  const options = [
    { id: 'active', label: 'Active', count: 5 },
    { id: 'completed', label: 'Completed', count: 14 },
  ] as const;
  return <Segmented label="Which todos" options={options} value={value} onChange={setValue} />;
}

test('a segmented control is a group of choices that arrows move through', async () => {
  render(<Shown />);
  expect(screen.getByRole('radiogroup', { name: 'Which todos' })).toBeInTheDocument();
  expect(screen.getByRole('radio', { name: 'Active 5' })).toBeChecked();

  await userEvent.tab();
  await userEvent.keyboard('{ArrowRight}');

  expect(screen.getByRole('radio', { name: 'Completed 14' })).toBeChecked();
  expect(screen.getByRole('radio', { name: 'Completed 14' })).toHaveFocus();
});

test('a pending button keeps the focus and cannot be pressed', async () => {
  const presses: number[] = [];
  render(
    <Button isPending onPress={() => presses.push(1)}>
      Upload
    </Button>,
  );
  const button = screen.getByRole('button', { name: 'Upload' });
  await userEvent.click(button);

  expect(presses).toEqual([]);
  expect(button).toHaveFocus();
  expect(button).toHaveAttribute('aria-busy', 'true');
});

test('a field is described by its error and counts characters live', () => {
  render(<TextField label="Tiny summary" value="Vocal up, less room" onChange={() => undefined} limit={45} error="Needs a file" hint="Optional" />);
  const field = screen.getByRole('textbox', { name: 'Tiny summary' });

  expect(field).toBeInvalid();
  expect(field).toHaveAccessibleDescription('Needs a file Optional');
  expect(screen.getByText('19/45')).toBeInTheDocument();
});

test('a tag that seeks is a button that says its category and its span', async () => {
  const seeks: number[] = [];
  render(<Tag category="mix" span={{ start: 76.2, end: 83 }} onPress={() => seeks.push(76.2)} />);

  await userEvent.click(screen.getByRole('button', { name: 'Mix, 1:16.2 to 1:23.0' }));

  expect(seeks).toEqual([76.2]);
});

test('a broken photo falls back to the default face under the same name', () => {
  render(<Avatar name="Ida Lund" photo="/gone.jpg" isHere />);
  const photo = screen.getByRole('img', { name: 'Ida Lund, here now' });
  expect(photo).toHaveAttribute('src', '/gone.jpg');

  fireEvent.error(photo);

  expect(screen.getByRole('img', { name: 'Ida Lund, here now' }).tagName).toBe('svg');
});

test('faces that do not fit become a number', () => {
  const people = ['Ida', 'Noor', 'Teo', 'Bea', 'Kit'].map((name) => ({ id: name, name }));
  render(<Faces label="Here now" people={people} />);

  expect(screen.getAllByRole('img').map((face) => face.getAttribute('aria-label'))).toEqual(['Ida', 'Noor', 'Teo']);
  expect(screen.getByText('and 2 more')).toBeInTheDocument();
});

test('an icon button shows its name in a tooltip on keyboard focus, and Escape dismisses it', async () => {
  render(<IconButton label="Loop the region" keys="L" icon={Repeat} />);

  await userEvent.tab();
  expect(screen.getByRole('button', { name: 'Loop the region' })).toHaveFocus();
  expect(await screen.findByRole('tooltip')).toHaveTextContent('Loop the regionL');

  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('tooltip')).not.toBeInTheDocument());
});

/** Rests the mouse on a button with a tooltip until that opens. */
async function openTip(): Promise<HTMLElement> {
  render(<IconButton label="Drag regions" icon={Repeat} />);
  fireEvent.pointerMove(document.body, { pointerType: 'mouse' });
  await userEvent.hover(screen.getByRole('button', { name: 'Drag regions' }));
  return screen.findByRole('tooltip');
}

test('a tooltip stays open while the pointer is on it, and closes once the pointer leaves', async () => {
  const tip = await openTip();
  jest.useFakeTimers();
  const wait = () => act(() => jest.advanceTimersByTime(1_000));
  fireEvent.pointerLeave(screen.getByRole('button', { name: 'Drag regions' }), { pointerType: 'mouse' });
  fireEvent.pointerEnter(tip, { pointerType: 'mouse' });
  wait();
  expect(tip).toBeInTheDocument();

  fireEvent.pointerLeave(tip, { pointerType: 'mouse' });
  wait();
  expect(tip).not.toBeInTheDocument();
});

test('Escape dismisses a tooltip under the mouse, wherever the focus is', async () => {
  const tip = await openTip();
  expect(document.body).toHaveFocus();
  await userEvent.keyboard('{Escape}');
  expect(tip).not.toBeInTheDocument();
});

test('a pointer that enters twice and leaves keeps no tooltip open', async () => {
  render(
    <>
      <IconButton label="Loop the region" icon={Repeat} />
      <IconButton label="Drag regions" icon={Repeat} />
    </>,
  );
  const left = screen.getByRole('button', { name: 'Loop the region' });
  fireEvent.pointerMove(document.body, { pointerType: 'mouse' });
  fireEvent.pointerEnter(left, { pointerType: 'mouse' });
  fireEvent.pointerEnter(left, { pointerType: 'mouse' });
  fireEvent.pointerLeave(left, { pointerType: 'mouse' });
  fireEvent.pointerEnter(screen.getByRole('button', { name: 'Drag regions' }), { pointerType: 'mouse' });

  await waitFor(() => expect(screen.getAllByRole('tooltip').map(({ textContent }) => textContent)).toEqual(['Drag regions']));
});

test("rows that are not loaded show 'Loading...' and '...'", () => {
  render(<SkeletonRows label="Comments" rows={3} />);
  const rows = [...screen.getByRole('status', { name: 'Comments' }).children];
  expect(rows.map(({ textContent }) => textContent)).toEqual(['Loading...', '...', '...']);
});
