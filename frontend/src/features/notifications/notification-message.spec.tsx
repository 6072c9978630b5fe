import { expect, test } from '@jest/globals';
import { isolated } from '@roughmix/contracts/shared/visible-text.js';
import { render, screen } from '@testing-library/react';
import { personCalled } from '../../testing/people-and-projects';
import { styleSheet } from '../../testing/style-sheet';
import { NotificationMessage } from './notification-message';

test.each(['Bob', 'עדי', '\u202ebob'])('a sentence starts with the name %j in bold', (name) => {
  const { container } = render(<NotificationMessage view={{ user: personCalled(name), message: `${isolated(name)} left Song` }} />);
  expect(screen.getByText(isolated(name).trim()).tagName).toBe('B');
  expect(container.textContent).toBe(`${isolated(name)} left Song`);
});

test('elements with names leave the direction of the text around them alone', async () => {
  const { declared } = await styleSheet('shared/styles/base.css');
  expect(declared('a, b, span', 'unicode-bidi')).toBe('isolate');
});
