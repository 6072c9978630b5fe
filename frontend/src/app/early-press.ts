/** Remembers the last button that was pressed while the page's code is loading, and sends no form; the function that is returned presses it again. */
export function rememberPress(page: Document): () => void {
  let pressed: HTMLButtonElement | null = null;
  const remember = (event: Event) => {
    pressed = event.target instanceof Element ? event.target.closest('button') : null;
    // The browser would put what was typed, passwords too, into the URL.
    if (pressed !== null) event.preventDefault();
  };
  page.addEventListener('click', remember);
  return () => {
    page.removeEventListener('click', remember);
    const button = pressed;
    pressed = null;
    // Only then are texts that were typed early in the form's state.
    setTimeout(() => button?.click());
  };
}
