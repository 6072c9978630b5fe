import type { StoredEvent } from './event.js';

/** Turns one stored shape into the next newer one: another type name, data to match. Pure. */
export interface Upcaster {
  readonly from: string;
  readonly to: string;
  readonly change: (data: unknown) => unknown;
}

/** Makes the function that brings every stored event to its newest shape, step by step. Events without an upcaster stay as they are. */
export function upcastWith(upcasters: readonly Upcaster[]): (event: StoredEvent) => StoredEvent {
  const steps = new Map(upcasters.map((step) => [step.from, step]));
  return (event) => {
    let newest = event;
    for (let step = steps.get(newest.type); step !== undefined; step = steps.get(newest.type)) {
      newest = { ...newest, type: step.to, data: step.change(newest.data) };
    }
    return newest;
  };
}
