import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { isAbort, sentenceOf } from '../../shared/api/api-errors';
import { newVersionRun, type NewVersion, type VersionAdded } from './new-version-run';
import { takeVersion } from './versions.queries';

export interface Sending {
  /** Bytes sent; null when idle. */
  readonly sent: number | null;
  readonly error: string | null;
  readonly start: (file: File, wish: NewVersion) => void;
  readonly cancel: () => void;
}

/** Uploads a version and reports progress. */
export function useNewVersion(onDone: (added: VersionAdded) => void): Sending {
  const cache = useQueryClient();
  const [run] = useState(newVersionRun);
  const [sent, setSent] = useState<number | null>(null);
  const [error, setError] = useState<string | null>(null);
  const abort = useRef<AbortController | null>(null);
  useEffect(() => () => abort.current?.abort(), []);
  const follow = async (file: File, wish: NewVersion) => {
    const controller = new AbortController();
    abort.current = controller;
    setError(null);
    setSent(0);
    try {
      const added = await run(file, wish, { onProgress: setSent, signal: controller.signal });
      takeVersion(cache, added.version);
      onDone(added);
    } catch (failure) {
      if (!isAbort(failure)) setError(sentenceOf(failure));
    } finally {
      setSent(null);
    }
  };
  return { sent, error, start: (file, wish) => void follow(file, wish), cancel: () => abort.current?.abort() };
}
