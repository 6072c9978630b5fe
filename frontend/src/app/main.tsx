import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router-dom';
import { createQueryClient } from '../shared/api/query-client';
import '../shared/styles';
import { reloadForNewerPage } from './newer-page';
import { Providers } from './providers';
import { createRouter } from './router';

const place = document.getElementById('root');
if (place === null) throw new Error('the page has no element with the id root');

reloadForNewerPage(window);
const cache = createQueryClient();
const router = createRouter();

createRoot(place).render(
  <StrictMode>
    <Providers cache={cache}>
      <RouterProvider router={router} />
    </Providers>
  </StrictMode>,
);
