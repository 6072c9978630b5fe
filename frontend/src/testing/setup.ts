import '@testing-library/jest-dom/jest-globals';
import { afterEach } from '@jest/globals';
import { cleanup, configure } from '@testing-library/react';

configure({
  // What is waited for comes; a busy machine only needs longer.
  asyncUtilTimeout: 10_000,
  // What stands in a box is a value, not words of the page: whoever looks for what was just typed means where it ends up.
  defaultIgnore: 'script, style, textarea',
});

// React-aria marks an option by an untrusted blur of the field, from an effect and without moving the focus. User-event would take
// it for the end of typing and flush React inside that effect, which React refuses.
window.addEventListener(
  'blur',
  (event) => {
    if (!event.isTrusted && event.target === document.activeElement) event.stopImmediatePropagation();
  },
  true,
);

afterEach(cleanup);
