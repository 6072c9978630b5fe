import { expect, test } from '@jest/globals';
import { render, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { Button } from './button';
import { ConfirmDialog } from './confirm-dialog';
import { Dialog } from './dialog';
import '../../testing/surfaces';

function NewVersion({ isAlert = false }: { readonly isAlert?: boolean }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onPress={() => setOpen(true)}>New Version</Button>
      <Dialog title="New Version" isOpen={isOpen} onClose={() => setOpen(false)} isAlert={isAlert} footer={<Button variant="primary">Upload</Button>}>
        <input aria-label="Tiny summary" />
      </Dialog>
    </>
  );
}

test('a dialog takes the focus, contains it, and restores it after Escape', async () => {
  render(<NewVersion />);
  const opener = screen.getByRole('button', { name: 'New Version' });
  await userEvent.click(opener);

  const dialog = await screen.findByRole('dialog', { name: 'New Version' });
  await waitFor(() => expect(dialog).toContainElement(document.activeElement as HTMLElement));
  // All three stops and around again to the text box: on the cross, Escape would dismiss its tooltip first.
  for (let presses = 0; presses < 5; presses += 1) {
    await userEvent.tab();
    expect(dialog).toContainElement(document.activeElement as HTMLElement);
  }

  expect(within(dialog).getByLabelText('Tiny summary')).toHaveFocus();
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  await waitFor(() => expect(opener).toHaveFocus());
});

test('the cross closes a dialog', async () => {
  render(<NewVersion />);
  await userEvent.click(screen.getByRole('button', { name: 'New Version' }));
  const dialog = await screen.findByRole('dialog', { name: 'New Version' });

  await userEvent.click(within(dialog).getByRole('button', { name: 'Close' }));

  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
});

test('a confirmation says what is kept, starts on Cancel, and acts only on the answer', async () => {
  const answers: string[] = [];
  render(
    <ConfirmDialog
      title="Remove 2.1?"
      isOpen
      onClose={() => answers.push('kept')}
      onConfirm={() => answers.push('removed')}
      stays="Comments/Todos from this version will still be visible."
      confirm="Remove version"
      cancel="Keep it"
    >
      Are you sure you want to remove this version from the project?
    </ConfirmDialog>,
  );
  const dialog = await screen.findByRole('alertdialog', { name: 'Remove 2.1?' });

  expect(dialog).toHaveTextContent('Comments/Todos from this version will still be visible.');
  await waitFor(() => expect(within(dialog).getByRole('button', { name: 'Keep it' })).toHaveFocus());

  await userEvent.keyboard('{Enter}');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Remove version' }));
  expect(answers).toEqual(['kept', 'removed']);
});
