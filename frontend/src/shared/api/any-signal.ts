/** A signal that aborts with the first of these. Firefox before 124 and Safari before 17.4 lack `AbortSignal.any`. */
export function anySignal(signals: readonly AbortSignal[]): AbortSignal {
  if ('any' in AbortSignal) return AbortSignal.any([...signals]);
  const combined = new AbortController();
  for (const signal of signals) {
    if (signal.aborted) combined.abort(signal.reason);
    else signal.addEventListener('abort', () => combined.abort(signal.reason), { once: true, signal: combined.signal });
  }
  return combined.signal;
}
