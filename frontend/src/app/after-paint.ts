// The script of prerendered pages: it loads the page's code once the HTML has been painted, so that running it does not delay the paint.
import { rememberPress } from './early-press';

const place = document.getElementById('root');
if (place === null) throw new Error('the page has no element with the id root');
const repeatPress = rememberPress(document);
const start = (): void => void import('./start-page').then(({ startPage }) => startPage(place, repeatPress));

// No frame is painted in a hidden tab.
if (document.visibilityState === 'hidden') start();
else requestAnimationFrame(() => setTimeout(start));
