import type { Id } from '@roughmix/contracts/shared/ids.js';
import { parseClock } from '../../shared/format/time';

/** Where in a project an address leads. */
export interface Target {
  /** A version's id or number. */
  readonly version: string | null;
  /** Seconds. */
  readonly at: number | null;
  readonly region: Id | null;
  readonly comment: Id | null;
}

/** Reads `?v=`, `?t=` (seconds or a clock), `?region=` and `?comment=`. */
export function targetOf(search: URLSearchParams): Target {
  return { version: search.get('v'), at: parseClock(search.get('t') ?? '') ?? null, region: search.get('region'), comment: search.get('comment') };
}

/** The address of a moment in a version. */
export function addressOfMoment(here: string, versionId: Id | null, seconds: number): string {
  const url = new URL(here);
  url.search = new URLSearchParams({ ...(versionId === null ? {} : { v: versionId }), t: String(Math.round(seconds * 10) / 10) }).toString();
  url.hash = '';
  return url.href;
}
