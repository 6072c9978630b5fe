// The script of prerendered pages.
import { isCodeMissing, reloadForNewerBuild } from '../shared/api/newer-build';
import { startWhenNeeded } from './start-when-needed';

/** Not imported, because that would load more code. */
const LANDING = '/';

const place = document.getElementById('root');
if (place === null) throw new Error('the page has no element with the id root');
startWhenNeeded({ start: () => startOrReload(place), waits: location.pathname === LANDING });

/** The code of a page that was open during a deployment is gone. */
async function startOrReload(root: HTMLElement): Promise<void> {
  try {
    await (await import('./start-page')).startPage(root);
  } catch (error) {
    if (isCodeMissing(error)) await reloadForNewerBuild();
    throw error;
  }
}
