import { afterEach, describe, expect, test } from '@jest/globals';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { Repeat } from 'lucide-react';
import { useState } from 'react';
import { Dialog } from '../ui/dialog';
import { IconButton } from '../ui/icon-button';
import { Menu } from '../ui/menu';
import { pageShortcuts } from './shortcut-registry';
import { turnSingleKeys } from './single-keys';
import { useShortcuts } from './use-shortcuts';
import '../../testing/surfaces';

afterEach(() => turnSingleKeys(true));

function aPage() {
  const pressed: string[] = [];
  const note = (name: string) => () => void pressed.push(name);
  const shortcut = (key: string, name: string) => ({ keys: [key], label: name, run: note(name) });
  function Page() {
    useShortcuts([
      shortcut('Space', 'space'),
      shortcut('Enter', 'enter'),
      shortcut('ArrowRight', 'right'),
      shortcut('l', 'l'),
      shortcut('[', '['),
      shortcut('?', '?'),
      shortcut('Escape', 'escape'),
    ]);
    return (
      <>
        <input aria-label="field" />
        <textarea aria-label="comment" />
        <div contentEditable suppressContentEditableWarning role="textbox" aria-label="note" tabIndex={0} />
        <input type="range" aria-label="volume" />
        <div role="dialog" aria-label="dialog">
          <button type="button">inside</button>
        </div>
        <button type="button" onClick={note('button')}>
          press
        </button>
        <div role="slider" aria-label="wave" aria-valuenow={0} tabIndex={0} data-page-keys="" />
      </>
    );
  }
  render(<Page />);
  return { pressed, user: userEvent.setup() };
}

test('shortcuts run wherever no control needs the key itself', async () => {
  const { pressed, user } = aPage();
  await user.keyboard(' {Enter}{ArrowRight}lL[[?{Escape}');

  expect(pressed).toEqual(['space', 'enter', 'right', 'l', 'l', '[', '?', 'escape']);
});

test.each(['field', 'comment', 'note'])('no shortcut runs while the user types in the %s', async (name) => {
  const { pressed, user } = aPage();
  await user.click(screen.getByRole('textbox', { name }));
  await user.keyboard(' l[[?{ArrowRight}{Escape}');

  expect(pressed).toEqual([]);
});

test('no shortcut of the page runs in a dialog', async () => {
  const { pressed, user } = aPage();
  screen.getByRole('button', { name: 'inside' }).focus();
  await user.keyboard('l?{Escape}');

  expect(pressed).toEqual([]);
});

test('no shortcut runs with Ctrl, Alt or Meta held', async () => {
  const { pressed, user } = aPage();
  await user.keyboard('{Control>}l{/Control}{Meta>}l{/Meta}{Alt>}l{/Alt}');

  expect(pressed).toEqual([]);
});

test('a slider keeps its arrows, the wave lets them through', async () => {
  const { pressed, user } = aPage();
  screen.getByRole('slider', { name: 'volume' }).focus();
  await user.keyboard('{ArrowRight}l');
  expect(pressed).toEqual(['l']);

  screen.getByRole('slider', { name: 'wave' }).focus();
  await user.keyboard('{ArrowRight} ');
  expect(pressed).toEqual(['l', 'right', 'space']);
});

test('Space presses a button that was reached by Tab, and stays a shortcut after a click on one', async () => {
  const { pressed, user } = aPage();
  await user.click(screen.getByRole('button', { name: 'press' }));
  await user.keyboard(' ');
  expect(pressed).toEqual(['button', 'space']);

  await user.tab({ shift: true });
  await user.tab();
  await user.keyboard(' ');
  expect(pressed).toEqual(['button', 'space', 'button']);
});

test('Space presses a button that the page focused for a user of the keyboard', async () => {
  const { pressed, user } = aPage();
  await user.click(screen.getByRole('textbox', { name: 'field' }));
  screen.getByRole('button', { name: 'press' }).focus();
  await user.keyboard(' ');
  expect(pressed).toEqual(['button']);
});

describe('a bracket that a German keyboard types with a modifier', () => {
  const press = (modifiers: object) => fireEvent.keyDown(document.body, modifiers);

  afterEach(() => void Reflect.deleteProperty(navigator, 'platform'));

  test('is a shortcut on a Mac, with Option and 5', () => {
    Object.defineProperty(navigator, 'platform', { configurable: true, value: 'MacIntel' });
    const optionFive = { key: '[', code: 'Digit5', altKey: true };
    const { pressed } = aPage();
    press(optionFive);
    expect(pressed).toEqual(['[']);

    press({ key: 'l', code: 'KeyL', altKey: true });
    press({ ...optionFive, ctrlKey: true });
    press({ ...optionFive, metaKey: true });
    expect(pressed).toEqual(['[']);
  });

  test.each([
    ['as AltGraph', { modifierAltGraph: true }],
    ['as Ctrl, Alt and AltGraph', { ctrlKey: true, altKey: true, modifierAltGraph: true }],
    ['as Ctrl and Alt', { ctrlKey: true, altKey: true }],
  ])('is a shortcut elsewhere, with AltGr and 8, reported %s', (_, modifiers) => {
    const { pressed } = aPage();
    press({ key: '[', code: 'Digit8', ...modifiers });
    expect(pressed).toEqual(['[']);

    press({ key: 'l', code: 'KeyL', ctrlKey: true, altKey: true });
    press({ key: '[', code: 'BracketLeft', altKey: true });
    press({ key: '[', code: 'BracketLeft', ctrlKey: true });
    expect(pressed).toEqual(['[']);
  });

  test('is typed into a field that has the focus', () => {
    const { pressed } = aPage();
    fireEvent.keyDown(screen.getByRole('textbox', { name: 'comment' }), { key: '[', code: 'Digit8', modifierAltGraph: true });
    expect(pressed).toEqual([]);
  });
});

test('with single-key shortcuts off, characters do nothing and the other keys still work', async () => {
  const { pressed, user } = aPage();
  turnSingleKeys(false);
  await user.keyboard('l[[? {Enter}{ArrowRight}{Escape}');
  expect(pressed).toEqual(['space', 'enter', 'right', 'escape']);
  expect(localStorage.getItem('roughmix.single-key-shortcuts')).toBe('off');

  turnSingleKeys(true);
  await user.keyboard('l');
  expect(pressed.at(-1)).toBe('l');
});

function Counter({ name, pressed }: { readonly name: string; readonly pressed: string[] }) {
  useShortcuts([{ keys: ['l'], label: name, run: () => pressed.push(name) }]);
  return null;
}

test('the innermost open dialog has the keys, and the page has them back when it closes', async () => {
  const pressed: string[] = [];
  function Page() {
    const [isOpen, setOpen] = useState(true);
    return (
      <>
        <Counter name="page" pressed={pressed} />
        <Dialog title="Outer" isOpen={isOpen} onClose={() => setOpen(false)}>
          <Counter name="dialog" pressed={pressed} />
        </Dialog>
      </>
    );
  }
  render(<Page />);
  await screen.findByRole('dialog', { name: 'Outer' });
  await userEvent.keyboard('l');
  expect(pressed).toEqual(['dialog']);
  expect(pageShortcuts().map(({ label }) => label)).toEqual(['page']);

  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  await userEvent.keyboard('l');
  expect(pressed).toEqual(['dialog', 'page']);
});

describe('what was closed with Escape', () => {
  function aPageWithMenu() {
    const pressed: string[] = [];
    function Page() {
      useShortcuts([{ keys: ['Space'], label: 'Play', run: () => pressed.push('play') }]);
      const [isOpen, setOpen] = useState(false);
      return (
        <>
          <Menu
            label="More"
            entries={[{ id: 'one', label: 'One', onSelect: () => setOpen(true) }]}
            trigger={(trigger) => <IconButton {...trigger} label="Menu" icon={Repeat} />}
          />
          <button type="button" onClick={() => setOpen(true)}>
            Open
          </button>
          <Dialog title="Users" isOpen={isOpen} onClose={() => setOpen(false)}>
            Nobody
          </Dialog>
        </>
      );
    }
    render(<Page />);
    return { pressed, user: userEvent.setup(), button: (name: string) => screen.getByRole('button', { name }) };
  }

  test('does not open again by Space, which plays, but by Enter, and by Space after Tab', async () => {
    const { pressed, user, button } = aPageWithMenu();
    const closes = async () => {
      await user.keyboard('{Escape}');
      await waitFor(() => expect(button('Menu')).toHaveFocus());
    };
    await user.click(button('Menu'));
    await screen.findByRole('menu');
    await closes();
    await user.keyboard('  ');
    expect(pressed).toEqual(['play', 'play']);
    await user.keyboard('{Enter}');
    await screen.findByRole('menu');
    await closes();
    await user.keyboard(' ');
    expect(pressed).toEqual(['play', 'play', 'play']);
    await user.tab();
    await user.tab({ shift: true });
    await user.keyboard(' ');
    expect(await screen.findByRole('menu')).toBeInTheDocument();
    expect(pressed).toHaveLength(3);
  });

  test('a dialog leaves Space to the player too, until Tab moves the focus', async () => {
    const { pressed, user, button } = aPageWithMenu();
    await user.click(button('Open'));
    const dialog = await screen.findByRole('dialog', { name: 'Users' });
    await waitFor(() => expect(dialog).toContainElement(document.activeElement as HTMLElement));
    await user.keyboard('{Escape}');
    await waitFor(() => expect(button('Open')).toHaveFocus());
    await user.keyboard(' ');
    expect(pressed).toEqual(['play']);
    await user.tab({ shift: true });
    await user.keyboard(' ');
    expect(await screen.findByRole('menu')).toBeInTheDocument();
    expect(pressed).toEqual(['play']);
  });
});

test('Escape dismisses a tooltip first, and is a shortcut after that', async () => {
  const { pressed, user } = aPage();
  render(<IconButton label="Loop" icon={Repeat} />);
  fireEvent.pointerMove(document.body, { pointerType: 'mouse' });
  await user.hover(screen.getByRole('button', { name: 'Loop' }));
  await screen.findByRole('tooltip');

  await user.keyboard('{Escape}');
  expect(screen.queryByRole('tooltip')).not.toBeInTheDocument();
  expect(pressed).toEqual([]);
  await user.keyboard('{Escape}');
  expect(pressed).toEqual(['escape']);
});
