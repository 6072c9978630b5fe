import { QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useState } from 'react';
import { createQueryClient } from '../shared/api/query-client';

/** The cache of the page, for components that are rendered without the app. */
export function WithCache({ children }: { readonly children: ReactNode }) {
  const [cache] = useState(createQueryClient);
  return <QueryClientProvider client={cache}>{children}</QueryClientProvider>;
}
