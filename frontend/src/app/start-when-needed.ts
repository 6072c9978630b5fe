/** The visitor is about to do something. */
const SIGNS = ['pointerover', 'pointerdown', 'focusin', 'keydown', 'scroll'] as const;
export interface PageCode {
  /** Loads the page's code and runs it. */
  readonly start: () => Promise<void>;
  /** Whether to wait until the visitor does something. */
  readonly waits: boolean;
}

/**
 * Starts the code of a page whose HTML is already shown: when the visitor first does something, or else after the first paint, so that running it
 * does not delay the paint. A press that came too early is repeated afterwards.
 */
export function startWhenNeeded({ start, waits }: PageCode): void {
  const untilStarted = new AbortController();
  let isStarting = false;
  let pressed: HTMLButtonElement | null = null;
  const startOnce = () => {
    if (isStarting) return;
    isStarting = true;
    void start().then(
      () => {
        untilStarted.abort();
        // Only then are texts that were typed early in the form's state.
        setTimeout(() => pressed?.click());
      },
      // The page stays readable, and the next sign tries again.
      () => void (isStarting = false),
    );
  };
  const keepPress = (event: MouseEvent) => {
    const button = event.target instanceof Element ? event.target.closest('button') : null;
    if (button === null) return;
    // The browser would send the form, and put what was typed, passwords too, into the URL.
    event.preventDefault();
    pressed = button;
    // Assistive technology presses without any other sign.
    startOnce();
  };

  addEventListener('click', keepPress, { capture: true, signal: untilStarted.signal });
  for (const sign of SIGNS) addEventListener(sign, startOnce, { passive: true, signal: untilStarted.signal });
  if (waits) return;
  // No frame is painted in a hidden tab.
  if (document.visibilityState === 'hidden') startOnce();
  else requestAnimationFrame(() => setTimeout(startOnce));
}
