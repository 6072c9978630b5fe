/** The theme: the system's, or the one chosen in this browser. */
export type Theme = 'system' | 'dark' | 'light';

/** Also in public/theme.js, which applies the choice before the first paint. */
const KEY = 'roughmix.theme';

/** The theme stored in this browser. */
export function chosenTheme(): Theme {
  const shown = document.documentElement.dataset['theme'];
  return shown === 'dark' || shown === 'light' ? shown : 'system';
}

/** Applies and stores a theme. Without storage the choice lasts until the page is closed. */
export function chooseTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
  try {
    if (theme === 'system') localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, theme);
  } catch {
    // Storage is blocked: the choice is not stored.
  }
}
