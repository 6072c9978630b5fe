/** How the page looks: as the system does, or as chosen in this browser. */
export type Theme = 'system' | 'dark' | 'light';

/** The same name stands in public/theme.js, which shows the choice before the first paint. */
const KEY = 'roughmix.theme';

/** The choice kept in this browser. */
export function chosenTheme(): Theme {
  const shown = document.documentElement.dataset['theme'];
  return shown === 'dark' || shown === 'light' ? shown : 'system';
}

/** Shows a theme and keeps the choice; where the browser keeps nothing it holds until the page is left. */
export function chooseTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
  try {
    if (theme === 'system') localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, theme);
  } catch {
    // Storage is blocked: the choice is not kept.
  }
}
