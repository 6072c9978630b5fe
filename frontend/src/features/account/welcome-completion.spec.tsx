import { afterEach, expect, jest, test } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import { WelcomeCompletion } from './welcome-completion';

afterEach(() => void jest.useRealTimers());

test('the completion screen leads on after 5000 ms', () => {
  jest.useFakeTimers();
  let elapsed = 0;
  render(
    <WelcomeCompletion title="Welcome, Maren" onElapsed={() => void (elapsed += 1)}>
      <p>Your projects open in a moment.</p>
    </WelcomeCompletion>,
  );
  expect(screen.getByRole('heading', { name: 'Welcome, Maren' })).toBeInTheDocument();
  jest.advanceTimersByTime(4_999);
  expect(elapsed).toBe(0);
  jest.advanceTimersByTime(1);
  expect(elapsed).toBe(1);
});
