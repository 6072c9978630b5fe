import { startPage } from './start-page';

const place = document.getElementById('root');
if (place === null) throw new Error('the page has no element with the id root');
void startPage(place);
