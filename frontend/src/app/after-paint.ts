// The script of prerendered pages.
import { reloadForNewerPage } from './newer-page';
import { startWhenNeeded } from './start-when-needed';

/** Not imported, because that would load more code. */
const LANDING = '/';

const place = document.getElementById('root');
if (place === null) throw new Error('the page has no element with the id root');
reloadForNewerPage(window);
startWhenNeeded({ start: async () => (await import('./start-page')).startPage(place), waits: location.pathname === LANDING });
