import '@testing-library/jest-dom/jest-globals';
import { afterEach } from '@jest/globals';
import { cleanup, configure } from '@testing-library/react';

configure({
  // A busy machine needs longer.
  asyncUtilTimeout: 10_000,
  // Text queries look for sent text, not for the value of a text box.
  defaultIgnore: 'script, style, textarea',
});

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
