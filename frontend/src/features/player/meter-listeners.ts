import type { Meter } from './player-state';

type Listener = (meter: Meter | null) => void;

/** Listeners of the meter; levels are measured only while there are any. */
export class MeterListeners {
  private readonly listeners = new Set<Listener>();

  constructor(private readonly setMetering: (isOn: boolean) => void) {}

  readonly watch = (listener: Listener) => {
    if (this.listeners.size === 0) this.setMetering(true);
    this.listeners.add(listener);
    return () => {
      if (this.listeners.delete(listener) && this.listeners.size === 0) this.setMetering(false);
    };
  };

  readonly publish = (meter: Meter | null) => {
    for (const listener of this.listeners) listener(meter);
  };
}
