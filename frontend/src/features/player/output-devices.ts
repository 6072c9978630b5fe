type Devices = Pick<MediaDevices, 'enumerateDevices' | 'addEventListener' | 'removeEventListener'>;

/** Without microphone permission, device ids are empty and desktop browsers list at most one output, so only its loss is detected. */
const keyOf = ({ deviceId, groupId }: MediaDeviceInfo): string => `${deviceId} ${groupId}`;

async function outputsOf(devices: Devices): Promise<readonly string[]> {
  const all = await devices.enumerateDevices();
  return all.filter(({ kind }) => kind === 'audiooutput').map(keyOf);
}

const isAnyGone = (before: readonly string[], now: readonly string[]): boolean => now.length < before.length || before.some((key) => !now.includes(key));

/** Calls `onGone` when an audio output has disappeared, such as unplugged headphones. @returns a function that stops this */
export function watchOutputs(devices: Devices, onGone: () => void): () => void {
  let hasEnded = false;
  let known: readonly string[] = [];
  const look = async () => {
    const now = await outputsOf(devices);
    if (hasEnded) return;
    if (isAnyGone(known, now)) onGone();
    known = now;
  };
  // If listing is refused, no loss can be detected.
  const lookAgain = () => void look().catch(() => undefined);
  lookAgain();
  devices.addEventListener('devicechange', lookAgain);
  return () => {
    hasEnded = true;
    devices.removeEventListener('devicechange', lookAgain);
  };
}
