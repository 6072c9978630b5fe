import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { type ComponentType, Suspense } from 'react';
import { startStubServer, type StubServer } from '../../testing/stub-server';
import { Panel, part } from './part';

const OFFLINE = new TypeError('Failed to fetch dynamically imported module: https://roughmix.example/assets/a.js');
const MISSING = 'This part of the page could not be loaded. Are you offline?';
let server: StubServer;
beforeEach(async () => {
  // React reports every error that a boundary catches.
  jest.spyOn(console, 'error').mockImplementation(() => undefined);
  sessionStorage.clear();
  server = await startStubServer({ 'HEAD /': () => 'hang up' });
});
afterEach(async () => {
  jest.restoreAllMocks();
  await server.close();
});

/** Code that fails to load so many times. */
function failing<Props>(times: number, loaded: ComponentType<Props>) {
  let left = times;
  return async () => {
    left -= 1;
    if (left >= 0) throw OFFLINE;
    return { default: loaded };
  };
}

const retry = async () => userEvent.click(screen.getByRole('button', { name: 'Retry' }));

describe('code that cannot be loaded', () => {
  test('is reported in its place, and Retry loads it', async () => {
    const Notes = part(failing<{ of: string }>(2, ({ of }) => <p>{of}</p>));
    render(
      <Suspense fallback="Loading">
        <h1>Page</h1>
        <Notes of="Low tide" />
      </Suspense>,
    );
    expect(await screen.findByText(MISSING)).toBeInTheDocument();
    expect(screen.getByRole('heading', { name: 'Page' })).toBeInTheDocument();
    await retry();
    expect(await screen.findByText(MISSING)).toBeInTheDocument();
    await retry();
    expect(await screen.findByText('Low tide')).toBeInTheDocument();
    expect(screen.queryByText(MISSING)).toBeNull();
  });

  test('of a dialog is reported over the page, which stays usable, and the message can be closed', async () => {
    const onClose = jest.fn();
    const Invite = part(
      failing<{ isOpen: boolean; onClose: () => void }>(1, () => <p>Invite</p>),
      { isOpen: ({ isOpen }) => isOpen, close: (props) => props.onClose() },
    );
    const page = (isOpen: boolean) => (
      <Suspense>
        <Invite isOpen={isOpen} onClose={onClose} />
      </Suspense>
    );
    const { rerender } = render(page(true));
    expect(await screen.findByText(MISSING)).toBeInTheDocument();
    await userEvent.click(screen.getByRole('button', { name: 'Close' }));
    expect(onClose).toHaveBeenCalledTimes(1);
    rerender(page(false));
    expect(screen.queryByText(MISSING)).toBeNull();
    rerender(page(true));
    await retry();
    expect(await screen.findByText('Invite')).toBeInTheDocument();
  });
});

describe('a panel that fails', () => {
  let isBroken: boolean;
  const Fragile = () => {
    if (isBroken) throw new Error('x is not a function');
    return <p>Todos</p>;
  };

  test('says so in its place, leaves the rest of the page alone, and can be retried', async () => {
    isBroken = true;
    render(
      <>
        <p>Player</p>
        <Panel>
          <Fragile />
        </Panel>
      </>,
    );
    expect(screen.getByText('Player')).toBeInTheDocument();
    expect(screen.getByRole('alert')).toHaveTextContent('This part of the page failed.');
    isBroken = false;
    await retry();
    expect(screen.getByText('Todos')).toBeInTheDocument();
    expect(screen.queryByRole('alert')).toBeNull();
  });
});
