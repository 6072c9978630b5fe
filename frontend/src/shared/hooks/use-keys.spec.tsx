import { expect, test } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useKeys } from './use-keys';

function aPage() {
  const pressed: string[] = [];
  const note = (name: string) => () => void pressed.push(name);
  function Page() {
    useKeys({ Space: note('space'), Enter: note('enter'), ArrowRight: note('right'), l: note('l'), '[': note('['), '?': note('?'), Escape: note('escape') });
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

test('keys act wherever nothing else has a use for them', async () => {
  const { pressed, user } = aPage();
  await user.keyboard(' {Enter}{ArrowRight}lL[[?{Escape}');

  expect(pressed).toEqual(['space', 'enter', 'right', 'l', 'l', '[', '?', 'escape']);
});

test.each(['field', 'comment', 'note'])('none acts while somebody types in the %s', async (name) => {
  const { pressed, user } = aPage();
  await user.click(screen.getByRole('textbox', { name }));
  await user.keyboard(' l[[?{ArrowRight}{Escape}');

  expect(pressed).toEqual([]);
});

test('none acts in a dialog', async () => {
  const { pressed, user } = aPage();
  screen.getByRole('button', { name: 'inside' }).focus();
  await user.keyboard('l?{Escape}');

  expect(pressed).toEqual([]);
});

test('none acts with Ctrl, Alt or Meta held', async () => {
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

test('Space presses a button that was reached by Tab, and plays after a click on one', async () => {
  const { pressed, user } = aPage();
  await user.click(screen.getByRole('button', { name: 'press' }));
  await user.keyboard(' ');
  expect(pressed).toEqual(['button', 'space']);

  await user.tab({ shift: true });
  await user.tab();
  await user.keyboard(' ');
  expect(pressed).toEqual(['button', 'space', 'button']);
});
