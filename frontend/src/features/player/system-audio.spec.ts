import { beforeEach, expect, test } from '@jest/globals';
import { watchOutputs } from './output-devices';
import { aPlayer, FakeMediaElement, playing } from './player-fixture';
import { playSilenceAlong, silentWav } from './silence';
import { isVolumeOfSystem } from './system-volume';

class SilentElement extends FakeMediaElement {
  loop = false;
}

class Devices extends EventTarget {
  constructor(private names: readonly string[]) {
    super();
  }
  readonly enumerateDevices = () =>
    Promise.resolve(this.names.map((deviceId) => ({ kind: 'audiooutput' as const, deviceId, groupId: '', label: '', toJSON: () => ({}) })));
  async change(names: readonly string[]) {
    this.names = names;
    this.dispatchEvent(new Event('devicechange'));
    // The list is read asynchronously.
    await this.enumerateDevices();
    await this.enumerateDevices();
  }
}

beforeEach(() => {
  URL.createObjectURL = () => 'blob:silence';
  URL.revokeObjectURL = () => undefined;
});

test('silence plays in a media element while the player plays', () => {
  const { store } = aPlayer();
  const silence = new SilentElement();
  const end = playSilenceAlong(store, silence);
  expect(silence.src).toBe('');
  store.play();
  expect([silence.src, silence.paused, silence.loop]).toEqual(['blob:silence', false, true]);
  store.pause();
  expect(silence.paused).toBe(true);
  store.play();
  end();
  expect([silence.src, silence.paused]).toEqual(['', true]);
});

test('the player pauses when the system pauses the silence, as for a call', () => {
  const { store } = aPlayer();
  const silence = new SilentElement();
  playSilenceAlong(store, silence);
  store.play();
  silence.pause();
  silence.dispatchEvent(new Event('pause'));
  expect(store.getSnapshot().playing).toBe(false);
});

test('the silence is a valid WAV file of ten seconds', () => {
  const bytes = silentWav();
  const text = (from: number) => String.fromCharCode(...bytes.slice(from, from + 4));
  const sizes = new DataView(bytes.buffer);
  expect([text(0), text(8), text(12), text(36)]).toEqual(['RIFF', 'WAVE', 'fmt ', 'data']);
  expect([sizes.getUint32(4, true), sizes.getUint32(24, true), sizes.getUint32(40, true)]).toEqual([bytes.length - 8, 8_000, 80_000]);
  expect(new Set(bytes.slice(44))).toEqual(new Set([128]));
});

test('an output device that disappears is reported, one that appears is not', async () => {
  const devices = new Devices(['speakers', 'headphones']);
  let gone = 0;
  const end = watchOutputs(devices, () => void (gone += 1));
  await devices.change(['speakers', 'headphones', 'television']);
  expect(gone).toBe(0);
  await devices.change(['speakers', 'television']);
  expect(gone).toBe(1);
  await devices.change(['television', 'headphones']);
  expect(gone).toBe(2);
  end();
  await devices.change([]);
  expect(gone).toBe(2);
});

test('a lost output pauses playback, and is shown until the next play', () => {
  const { store } = playing();
  store.loseOutput();
  expect(store.getSnapshot()).toMatchObject({ playing: false, isOutputLost: true });
  store.play();
  expect(store.getSnapshot()).toMatchObject({ playing: true, isOutputLost: false });
});

test('a lost output does not affect a paused player', () => {
  const { store } = aPlayer();
  store.loseOutput();
  expect(store.getSnapshot().isOutputLost).toBe(false);
});

test('the system controls the volume where a media element ignores it', () => {
  expect(isVolumeOfSystem({ volume: 1 })).toBe(false);
  expect(isVolumeOfSystem(new Proxy({ volume: 1 }, { set: () => true }))).toBe(true);
});
