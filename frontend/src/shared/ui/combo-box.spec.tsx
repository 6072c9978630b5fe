import { expect, test } from '@jest/globals';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { ComboBox } from './combo-box';

const NAMES = ['Bobby', 'Boris', 'Bo'];

function aBox({ isCurrent = true }: { readonly isCurrent?: boolean } = {}) {
  const picked: string[] = [];
  const left: string[] = [];
  function Box() {
    const [text, setText] = useState('');
    const options = NAMES.filter((name) => name.toLowerCase().startsWith(text.toLowerCase())).map((name) => ({ id: name, label: name, content: name }));
    return (
      // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- represents the dialog that Escape closes
      <div onKeyDown={({ key }) => left.push(key)}>
        <ComboBox
          label="People"
          listLabel="People found"
          text={text}
          onText={setText}
          options={options}
          isCurrent={isCurrent}
          emptyNote="No people found"
          onPick={(id) => picked.push(id)}
        />
      </div>
    );
  }
  render(<Box />);
  return { picked, left, field: screen.getByRole<HTMLInputElement>('combobox', { name: 'People' }) };
}

test('marks the first option, moves with the arrows round the ends, and picks with Enter', async () => {
  const { picked, field } = aBox();
  await userEvent.type(field, 'bo');
  const first = await screen.findByRole('option', { name: 'Bobby', selected: true });
  await waitFor(() => expect(field).toHaveAttribute('aria-activedescendant', first.id));
  expect(field).toHaveAttribute('aria-expanded', 'true');

  await userEvent.keyboard('{ArrowUp}');
  expect(screen.getByRole('option', { name: 'Bo' })).toHaveAttribute('aria-selected', 'true');
  await userEvent.keyboard('{Enter}');
  expect(picked).toEqual(['Bo']);
  expect(field).toHaveFocus();
});

test('picks an option that is pressed', async () => {
  const { picked, field } = aBox();
  await userEvent.type(field, 'bo');
  await userEvent.click(screen.getByRole('option', { name: 'Boris' }));
  expect(picked).toEqual(['Boris']);
});

test.each([
  ['during a composition', { isComposing: true }],
  ['that ends a composition in Safari', { keyCode: 229 }],
])('leaves an Enter %s to the input method', async (_when, init) => {
  const { picked, field } = aBox();
  await userEvent.type(field, 'bo');
  await screen.findByRole('option', { name: 'Bobby', selected: true });
  fireEvent.keyDown(field, { key: 'Enter', ...init });
  expect(picked).toEqual([]);
});

test('picks nothing with Enter while the options belong to an earlier text', async () => {
  const { picked, field } = aBox({ isCurrent: false });
  await userEvent.type(field, 'bo{Enter}');
  expect(picked).toEqual([]);
  expect(screen.queryByRole('option', { selected: true })).not.toBeInTheDocument();
});

test('Escape clears the text first, and reaches the dialog after that', async () => {
  const { left, field } = aBox();
  await userEvent.type(field, 'bo');
  await userEvent.keyboard('{Escape}');
  expect(field).toHaveValue('');
  expect(left).not.toContain('Escape');

  await userEvent.keyboard('{Escape}');
  expect(left).toContain('Escape');
});

test('says why there are no options', async () => {
  const { field } = aBox();
  await userEvent.type(field, 'x');
  expect(screen.getByRole('status')).toHaveTextContent('No people found');
});
