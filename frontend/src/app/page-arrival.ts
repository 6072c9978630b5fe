const DIALOGS = '[role=dialog], [role=alertdialog]';

/** Focuses an element that is not focusable, without scrolling. It stays focusable until it loses the focus. */
function focusOn(element: HTMLElement): void {
  if (!element.hasAttribute('tabindex')) {
    element.tabIndex = -1;
    element.addEventListener('blur', () => element.removeAttribute('tabindex'), { once: true });
  }
  element.focus({ preventScroll: true });
}

/** True where the focus is left over from the page before: not in the new page, which may set it itself, and not in a dialog. */
const isLeftOver = (element: Element | null): boolean => element === null || element.closest(`main, ${DIALOGS}`) === null;

/**
 * Waits for a page's heading, which may appear only after its data is loaded.
 * @param takesFocus moves the focus to the heading, and to `main` until that is there
 * @param onHeading called once, when the heading is on the page
 * @returns ends the wait
 */
export function awaitPage(takesFocus: boolean, onHeading: (heading: HTMLElement) => void): () => void {
  const before = document.activeElement;
  let placed: HTMLElement | null = null;
  // The user may have moved on while the page was loading.
  const mayMove = (active: Element | null): boolean => active === document.body || active === placed || (active === before && isLeftOver(active));
  const look = (): boolean => {
    const heading = document.querySelector<HTMLElement>('main h1');
    const target = heading ?? document.querySelector<HTMLElement>('main');
    if (takesFocus && target !== null && target !== placed && mayMove(document.activeElement)) {
      placed = target;
      focusOn(target);
    }
    if (heading !== null) onHeading(heading);
    return heading !== null;
  };
  if (look()) return () => undefined;
  const observer = new MutationObserver(() => look() && observer.disconnect());
  observer.observe(document.body, { childList: true, subtree: true });
  return () => observer.disconnect();
}

/** Moves the focus to the page's heading if the element that had it is gone. */
export function focusHeadingIfLost(): void {
  const heading = document.querySelector<HTMLElement>('main h1');
  if (document.activeElement === document.body && heading !== null) focusOn(heading);
}

/** Moves the focus to the page's heading once no dialog is open, if the element that the dialog would return it to is gone. */
export function focusHeadingAfterDialog(): void {
  const observer = new MutationObserver(() => {
    if (document.querySelector(DIALOGS) !== null) return;
    observer.disconnect();
    // The dialog returns the focus in the next frame.
    requestAnimationFrame(() => requestAnimationFrame(focusHeadingIfLost));
  });
  observer.observe(document.body, { childList: true, subtree: true });
}
