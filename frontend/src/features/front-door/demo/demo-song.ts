import { decodePeaks, type PeaksLevel } from '@roughmix/contracts/media/peaks.js';
import { useQuery } from '@tanstack/react-query';
import { addressOf } from '../../../shared/api/client';

/** Recorded mixes of the demo songs, whose peaks are files of the page. infra/site-pictures.mjs makes them, and the faces. */
export type DemoTrack = 'low-tide-1.0' | 'low-tide-1.1' | 'low-tide-2.0' | 'paper-moon-1.0';

/** The people of the demo, with faces that the server would generate for them. */
export const FACES = { Ines: '/site/faces/ines.svg', Ravi: '/site/faces/ravi.svg', Maud: '/site/faces/maud.svg', Sam: '/site/faces/sam.svg' } as const;

export type DemoPerson = keyof typeof FACES;

async function fetchPeaks(track: DemoTrack): Promise<PeaksLevel> {
  const answer = await fetch(addressOf(`/site/${track}.peaks`));
  if (!answer.ok) throw new Error(`${track}: ${answer.status}`);
  return decodePeaks(await answer.arrayBuffer());
}

/** A demo track's peaks; null until they are loaded, and if they cannot be: a picture then stays a zero line. */
export function useDemoPeaks(track: DemoTrack): PeaksLevel | null {
  const { data } = useQuery({ queryKey: ['demo-peaks', track], queryFn: () => fetchPeaks(track), staleTime: Number.POSITIVE_INFINITY, retry: false });
  return data ?? null;
}

/** Seconds of Low Tide. */
export const LOW_TIDE_SECONDS = 72.17;
