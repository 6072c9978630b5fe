import { afterEach, expect, jest, test } from '@jest/globals';
import { fireEvent, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { personCalled } from '../../testing/people-and-projects';
import { MentionBox } from './mention-box';
import { mentionablesOf } from './mention-search';

afterEach(() => void jest.restoreAllMocks());

function Box({ onSubmit = () => undefined }: { readonly onSubmit?: () => void }) {
  const [value, setValue] = useState('');
  const people = mentionablesOf(['Bob', 'Cleo', 'Dora'].map(personCalled), 'ana');
  return <MentionBox label="Text" value={value} onChange={setValue} people={people} onSubmit={onSubmit} />;
}

test('the list scrolls to the suggestion that the arrows move to', async () => {
  const scrolledTo: (string | null)[] = [];
  jest.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(function scroll(this: Element) {
    scrolledTo.push(this.textContent);
  });
  render(<Box />);
  await userEvent.type(screen.getByRole('textbox'), '@');
  await userEvent.keyboard('{ArrowDown}{ArrowUp}{ArrowUp}');
  expect(scrolledTo).toEqual(['CleoCleo', 'BobBob', 'Everyone']);
  expect(screen.getByRole('option', { selected: true })).toHaveTextContent('Everyone');
});

test('keys that belong to an input method neither choose a suggestion nor send', async () => {
  let submitted = 0;
  render(<Box onSubmit={() => (submitted += 1)} />);
  const box = screen.getByRole('textbox');
  await userEvent.type(box, '@');
  fireEvent.keyDown(box, { key: 'Enter', isComposing: true });
  fireEvent.keyDown(box, { key: 'Enter', keyCode: 229 });
  fireEvent.keyDown(box, { key: 'Enter', keyCode: 229, ctrlKey: true });
  expect(box).toHaveValue('@');
  expect(submitted).toBe(0);
  fireEvent.keyDown(box, { key: 'Enter' });
  expect(box).toHaveValue('@Bob ');
});
