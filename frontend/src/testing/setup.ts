import '@testing-library/jest-dom/jest-globals';
import { afterEach } from '@jest/globals';
import { cleanup, configure, getConfig } from '@testing-library/react';
import * as react from 'react';

configure(({ getElementError }) => ({
  // A busy machine needs longer.
  asyncUtilTimeout: 10_000,
  // Text queries look for sent text, not for the value of a text box.
  defaultIgnore: 'script, style, textarea',
  // Printing the page is slow, so a query that polls prints it once, when its wait has timed out.
  getElementError: (message, container) => (isPolling() ? elementError(message) : getElementError(message, container)),
}));

/** Testing-library sets this flag, which its types leave out, while a wait runs its callback. */
function isPolling(): boolean {
  return (getConfig() as { readonly _disableExpensiveErrorDiagnostics?: boolean })._disableExpensiveErrorDiagnostics === true;
}

function elementError(message: string | null): Error {
  const error = new Error(message ?? undefined);
  error.name = 'TestingLibraryElementError';
  return error;
}

// In development, React records a stack for each element it creates, up to 10,000 a second. That takes a seventh of the processor time of the page's suites, so
// the counter always reads as full. Error.stackTraceLimit cannot do this: React sets it while it records. Warnings stay the same, apart from these stacks.
const { __CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE: internals } = react as unknown as Record<string, object>;
Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', { get: () => Infinity, set: () => {} });

// React-aria marks an option by dispatching an untrusted blur on the field, from an effect and without moving the focus. User-event takes
// it for the end of typing and flushes React inside that effect, which React refuses.
window.addEventListener(
  'blur',
  (event) => {
    if (!event.isTrusted && event.target === document.activeElement) event.stopImmediatePropagation();
  },
  true,
);

afterEach(cleanup);
