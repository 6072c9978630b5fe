import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import { useSession } from '../session/session-provider';
import { createUploads, type Uploads } from './upload-jobs';

const UploadsContext = createContext<Uploads | null>(null);

/** Uploads go on from page to page, and end with the session. */
export function UploadsProvider({ children }: { readonly children: ReactNode }) {
  const [uploads] = useState(createUploads);
  const uid = useSession().user?.uid;
  useEffect(() => uploads.dropAll, [uploads, uid]);
  return <UploadsContext value={uploads}>{children}</UploadsContext>;
}

export function useUploads(): Uploads {
  const uploads = useContext(UploadsContext);
  if (uploads === null) throw new Error('no UploadsProvider above');
  return uploads;
}
