import { setInteractionModality } from 'react-aria/useFocusVisible';

// Android reports the double tap of its screen reader in the same way, and react-aria then leaves the focus alone on purpose.
const isAndroid = /Android/.test(navigator.userAgent);

/**
 * Enter and Space on our native buttons (ADR 6) reach react-aria as clicks without a pointer, which it takes for those of a screen reader: it then moves
 * the focus only once no CSS transition runs. It misses the end of a transition of several properties that is cancelled, so from then on the focus
 * would never reach what opens. Import this where something opens: it runs after react-aria's own listener.
 */
document.addEventListener(
  'click',
  ({ detail }) => {
    if (detail === 0 && !isAndroid) setInteractionModality('keyboard');
  },
  true,
);
