import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { isAbort, errorMessage } from '../../shared/api/api-errors';
import { newVersionUpload, type NewVersion, type VersionAdded } from './new-version-upload';
import { takeVersion } from './versions.queries';

export interface VersionUpload {
  /** Bytes sent; null when idle. */
  readonly sent: number | null;
  readonly error: string | null;
  readonly start: (file: File, request: NewVersion) => void;
  readonly cancel: () => void;
}

/** Uploads a version and reports progress. */
export function useNewVersion(onDone: (added: VersionAdded) => void): VersionUpload {
  const cache = useQueryClient();
  const [run] = useState(newVersionUpload);
  const [sent, setSent] = useState<number | null>(null);
  const [error, setError] = useState<string | null>(null);
  const abort = useRef<AbortController | null>(null);
  useEffect(() => () => abort.current?.abort(), []);
  const upload = async (file: File, request: NewVersion) => {
    const controller = new AbortController();
    abort.current = controller;
    setError(null);
    setSent(0);
    try {
      const added = await run(file, request, { onProgress: setSent, signal: controller.signal });
      takeVersion(cache, added.version);
      onDone(added);
    } catch (failure) {
      if (!isAbort(failure)) setError(errorMessage(failure));
    } finally {
      setSent(null);
    }
  };
  return { sent, error, start: (file, request) => void upload(file, request), cancel: () => abort.current?.abort() };
}
