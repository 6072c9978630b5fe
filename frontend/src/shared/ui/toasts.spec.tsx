import { afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { Button } from './button';
import { Dialog } from './dialog';
import { type ToastMessage, useToast } from './toast-queue';
import { Toasts } from './toasts';
import '../../testing/surfaces';

function Shower({ toast }: { readonly toast: ToastMessage }) {
  const { show } = useToast();
  return <Button onPress={() => show(toast)}>Show</Button>;
}

const showToast = (toast: ToastMessage, times = 1) => {
  render(
    <Toasts>
      <Shower toast={toast} />
    </Toasts>,
  );
  for (let count = 0; count < times; count += 1) fireEvent.click(screen.getByRole('button', { name: 'Show' }));
};

const shown = () => within(screen.getByRole('region', { name: 'Messages' })).queryAllByRole('listitem');
const pass = (ms: number) => act(() => jest.advanceTimersByTime(ms));

// The list is loaded with the first toast.
beforeAll(async () => {
  showToast({ message: 'Loaded' });
  await screen.findByText('Loaded');
  cleanup();
});

describe('a toast', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  test('is announced politely and disappears after six seconds', () => {
    showToast({ message: 'Invitations sent.' });
    expect(screen.getByRole('region', { name: 'Messages' })).toHaveAttribute('aria-live', 'polite');
    expect(shown()).toHaveLength(1);

    pass(5_999);
    expect(shown()).toHaveLength(1);
    pass(1);
    expect(shown()).toHaveLength(0);
  });

  test('stays when something failed, until its action is taken', () => {
    const retried: number[] = [];
    showToast({ kind: 'failed', message: 'The comment was not sent. It is kept here.', action: { label: 'Retry', onPress: () => retried.push(1) } });

    pass(60_000);
    expect(shown()).toHaveLength(1);
    fireEvent.click(screen.getByRole('button', { name: 'Retry' }));

    expect(retried).toEqual([1]);
    expect(shown()).toHaveLength(0);
  });

  test('stays while hovered, and for the whole time again after that', () => {
    showToast({ message: 'Request sent' });
    fireEvent.pointerEnter(screen.getByRole('list'));
    pass(20_000);
    expect(shown()).toHaveLength(1);

    fireEvent.pointerLeave(screen.getByRole('list'));
    pass(6_000);
    expect(shown()).toHaveLength(0);
  });

  test('is dismissed by its cross and by Escape', () => {
    showToast({ message: 'Request sent' }, 2);
    const [first] = screen.getAllByRole('button', { name: 'Dismiss' });
    if (first) fireEvent.click(first);
    expect(shown()).toHaveLength(1);

    fireEvent.keyDown(screen.getByRole('button', { name: 'Dismiss' }), { key: 'Escape' });
    expect(shown()).toHaveLength(0);
  });

  test('makes room when there are more than four', () => {
    showToast({ message: 'Request sent' }, 6);
    expect(shown()).toHaveLength(4);
  });

  test('never makes room when it is a failure', () => {
    showToast({ kind: 'failed', message: 'Not sent' }, 6);
    expect(shown()).toHaveLength(6);
  });
});

function InviteDialog({ onRetry }: { readonly onRetry: () => void }) {
  const [isOpen, setOpen] = useState(true);
  const { show } = useToast();
  return (
    <Dialog title="Invite Users" isOpen={isOpen} onClose={() => setOpen(false)}>
      <Button onPress={() => show({ kind: 'failed', message: 'Not sent', action: { label: 'Retry', onPress: onRetry } })}>Invite</Button>
    </Dialog>
  );
}

test('a toast over an open dialog is announced, and pressing its action leaves the dialog open', async () => {
  const retried: number[] = [];
  render(
    <Toasts>
      <InviteDialog onRetry={() => retried.push(1)} />
    </Toasts>,
  );
  await userEvent.click(await screen.findByRole('button', { name: 'Invite' }));
  expect(screen.getByRole('region', { name: 'Messages' })).toHaveTextContent('Not sent');

  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));

  expect(retried).toEqual([1]);
  expect(shown()).toHaveLength(0);
  expect(screen.getByRole('dialog', { name: 'Invite Users' })).toBeInTheDocument();
});

test.each([
  ['Dismiss', () => userEvent.click(screen.getByRole('button', { name: 'Dismiss' }))],
  ['its action', () => userEvent.click(screen.getByRole('button', { name: 'Retry' }))],
  [
    'Escape',
    async () => {
      act(() => screen.getByRole('button', { name: 'Retry' }).focus());
      await userEvent.keyboard('{Escape}');
    },
  ],
])('%s gives the focus back to where it was', async (_what, leave) => {
  showToast({ kind: 'failed', message: 'Not sent', action: { label: 'Retry', onPress: () => undefined } });
  const opener = screen.getByRole('button', { name: 'Show' });
  opener.focus();
  await leave();
  expect(shown()).toHaveLength(0);
  expect(opener).toHaveFocus();
});
