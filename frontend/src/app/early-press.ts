/** Remembers the last button that was pressed while the page's code is loading; the function that is returned presses it again. */
export function rememberPress(page: Document): () => void {
  let pressed: HTMLButtonElement | null = null;
  const remember = ({ target }: Event) => {
    pressed = target instanceof Element ? target.closest('button') : null;
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
