import { watchOutputs } from './output-devices';
import type { AppPlayer } from './player-state';
import { playSilenceAlong } from './silence';

declare global {
  interface Navigator {
    /** Only in Safari, from version 16.4 on. */
    readonly audioSession?: { type: 'auto' | 'playback' };
  }
}

/** Reacts to the system: media keys, calls, output devices that disappear. @returns a function that stops this */
export function watchSystemAudio(player: AppPlayer): () => void {
  // iOS plays this category also with the ring switch off.
  if (navigator.audioSession) navigator.audioSession.type = 'playback';
  const endSilence = playSilenceAlong(player);
  // Absent outside secure contexts.
  const devices: MediaDevices | undefined = navigator.mediaDevices;
  const endOutputs = devices === undefined ? () => undefined : watchOutputs(devices, player.loseOutput);
  return () => {
    endSilence();
    endOutputs();
  };
}
