/** True on iOS, where only the device's keys change the volume: a media element's volume is always 1. */
export function isVolumeOfSystem(media: Pick<HTMLMediaElement, 'volume'> = document.createElement('audio')): boolean {
  media.volume = 0.5;
  return media.volume !== 0.5;
}
