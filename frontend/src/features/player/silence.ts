import type { PlayerMedia, PlayerStore } from './player-state';

type SilentMedia = Pick<PlayerMedia, 'src' | 'paused' | 'play' | 'pause' | 'addEventListener' | 'removeAttribute'> &
  Pick<HTMLMediaElement, 'loop' | 'removeEventListener'>;

/** Browsers ignore shorter media when they assign the media keys. */
const SECONDS = 10;
const SAMPLE_RATE = 8_000;
const HEADER_BYTES = 44;
const MIDDLE_OF_8_BIT = 128;

const ascii = new TextEncoder();

/** A silent mono WAV file with 8 bits per sample. */
export function silentWav(seconds = SECONDS): Uint8Array<ArrayBuffer> {
  const samples = seconds * SAMPLE_RATE;
  const bytes = new Uint8Array(HEADER_BYTES + samples).fill(MIDDLE_OF_8_BIT);
  const view = new DataView(bytes.buffer);
  bytes.set(ascii.encode('RIFF'), 0);
  view.setUint32(4, HEADER_BYTES - 8 + samples, true);
  bytes.set(ascii.encode('WAVEfmt '), 8);
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, SAMPLE_RATE, true);
  view.setUint32(28, SAMPLE_RATE, true);
  view.setUint16(32, 1, true);
  view.setUint16(34, 8, true);
  bytes.set(ascii.encode('data'), 36);
  view.setUint32(40, samples, true);
  return bytes;
}

/**
 * Plays silence in a media element while the player plays: Web Audio alone gets no media keys and no lock screen, and iOS mutes it with the ring switch.
 * When the system pauses the element (a call, unplugged headphones), the player pauses too.
 * @returns a function that stops this
 */
export function playSilenceAlong(store: PlayerStore, media: SilentMedia = document.createElement('audio')): () => void {
  let url: string | null = null;
  const start = () => {
    url ??= URL.createObjectURL(new Blob([silentWav()], { type: 'audio/wav' }));
    if (media.src === '') media.src = url;
    media.loop = true;
    // If a gesture is missing, the player itself reports the blocked start.
    media.play().catch(() => undefined);
  };
  let isWanted = false;
  // iOS requires this call to be inside the gesture that starts the player.
  const onState = () => {
    const { playing } = store.getSnapshot();
    if (playing === isWanted) return;
    isWanted = playing;
    if (playing) start();
    else media.pause();
  };
  const onPause = () => {
    if (isWanted && media.paused) store.pause();
  };
  media.addEventListener('pause', onPause);
  const unsubscribe = store.subscribe(onState);
  onState();
  return () => {
    unsubscribe();
    media.removeEventListener('pause', onPause);
    media.pause();
    media.removeAttribute('src');
    if (url !== null) URL.revokeObjectURL(url);
  };
}
