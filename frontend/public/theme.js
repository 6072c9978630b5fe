// Runs before the first paint, so that a chosen theme never flashes; without a choice the system decides in CSS.
(() => {
  try {
    const theme = localStorage.getItem('roughmix.theme');
    if (theme === 'dark' || theme === 'light') document.documentElement.dataset.theme = theme;
  } catch {
    // Storage is blocked: the system decides.
  }
})();
